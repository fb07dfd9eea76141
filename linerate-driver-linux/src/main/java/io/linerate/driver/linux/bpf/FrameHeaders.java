package io.linerate.driver.linux.bpf;

import static io.linerate.driver.linux.bpf.BpfAssembler.network16;
import static io.linerate.driver.linux.bpf.PacketBytes.AT;
import static io.linerate.driver.linux.bpf.PacketBytes.FRAME;

import io.linerate.driver.linux.bpf.BpfAssembler.Label;

/**
 * Instructions that read the headers of a packet once and note what rules and the hash need on the
 * program's stack: EtherType, outermost VLAN tag, addresses, protocol, ports.
 *
 * <p>Reading ends where the packet does, or where a header is not as it must be: what was read
 * until then holds, the rest is as if it were not there. A fragment has no ports, the first one
 * included (RFC 791, section 3.2; RFC 8200, section 4.5): so all of a datagram are alike.
 */
final class FrameHeaders {
  // Offsets from the stack's end; what is of more than a byte is as it is in the packet.
  static final int SOURCE = -16;
  static final int DESTINATION = -32;
  static final int SOURCE_PORT = -36;
  static final int DESTINATION_PORT = SOURCE_PORT + 2;

  /** 1 if there are ports, 0 if not. */
  static final int HAS_PORTS = -40;

  /** {@link #NONE} if it is not IP. */
  static final int PROTOCOL = -44;

  /** Identifier of the outermost tag, {@link #NONE} without one. */
  static final int VLAN = -48;

  static final int ETHER_TYPE = -52;

  static final int NONE = -1;
  static final int ADDRESS_WORDS = 4;

  private static final int MAX_VLANS = 2;
  private static final int MAX_EXTENSIONS = 4;
  private static final int IPV4 = network16(0x0800);
  private static final int IPV6 = network16(0x86DD);

  /** More fragments, and the offset of this one: RFC 791, section 3.1. */
  private static final int FRAGMENT_BITS = network16(0x3FFF);

  private static final int A = 2;
  private static final int B = 3;

  private final BpfAssembler to;
  private final PacketBytes bytes;
  private final Label read = new Label();

  FrameHeaders(BpfAssembler to, PacketBytes bytes) {
    this.to = to;
    this.bytes = bytes;
  }

  void emit() {
    clear();
    bytes.begin(read);
    tags();
    Label ipv6 = new Label();
    Label protocol = new Label();
    to.loadU32(A, FRAME, ETHER_TYPE);
    to.jumpIfEqual(A, IPV6, ipv6);
    to.jumpIfNotEqual(A, IPV4, read);
    ipv4();
    to.jump(protocol);
    to.place(ipv6);
    ipv6();
    to.place(protocol);
    ports();
    to.place(read);
  }

  private void clear() {
    to.moveConstant(A, 0);
    for (int at = ETHER_TYPE; at < 0; at += Integer.BYTES) {
      to.storeU32(FRAME, at, A);
    }
    to.moveConstant(A, NONE);
    to.storeU32(FRAME, VLAN, A);
    to.storeU32(FRAME, PROTOCOL, A);
  }

  private void tags() {
    Label noMore = new Label();
    for (int i = 0; i < MAX_VLANS; i++) {
      Label tagged = new Label();
      Label isInner = new Label();
      to.loadU32(A, FRAME, ETHER_TYPE);
      to.jumpIfEqual(A, network16(0x8100), tagged);
      to.jumpIfNotEqual(A, network16(0x88A8), noMore);
      to.place(tagged);
      bytes.fetch(4, read);
      bytes.loadU16(B, 2);
      to.storeU32(FRAME, ETHER_TYPE, B);
      to.loadU32(A, FRAME, VLAN);
      to.jumpIfNotEqual32(A, NONE, isInner);
      bytes.loadU16(B, 0);
      to.andConstant(B, network16(0x0FFF));
      to.storeU32(FRAME, VLAN, B);
      to.place(isInner);
      to.addConstant(AT, 4);
    }
    to.place(noMore);
  }

  private void ipv4() {
    bytes.fetch(20, read);
    bytes.loadU8(A, 0);
    to.andConstant(A, 0xF0);
    to.jumpIfNotEqual(A, 0x40, read);
    bytes.loadU8(A, 0);
    to.andConstant(A, 0x0F);
    to.shiftLeft(A, 2);
    to.jumpIfBelow(A, 20, read);
    copy(12, SOURCE, 1);
    copy(16, DESTINATION, 1);
    bytes.loadU8(B, 9);
    to.storeU32(FRAME, PROTOCOL, B);
    bytes.loadU16(B, 6);
    to.jumpIfAnyBit(B, FRAGMENT_BITS, read);
    to.add(AT, A);
  }

  private void ipv6() {
    bytes.fetch(40, read);
    bytes.loadU8(A, 0);
    to.andConstant(A, 0xF0);
    to.jumpIfNotEqual(A, 0x60, read);
    copy(8, SOURCE, ADDRESS_WORDS);
    copy(24, DESTINATION, ADDRESS_WORDS);
    bytes.loadU8(B, 6);
    to.storeU32(FRAME, PROTOCOL, B);
    to.addConstant(AT, 40);
    Label noMore = new Label();
    for (int i = 0; i < MAX_EXTENSIONS; i++) {
      extension(noMore);
    }
    to.place(noMore);
  }

  /** Hop-by-hop options, routing, destination options: length in 8 bytes without the first 8. */
  private void extension(Label noMore) {
    Label isExtension = new Label();
    Label isFragment = new Label();
    Label next = new Label();
    to.loadU32(A, FRAME, PROTOCOL);
    to.jumpIfEqual(A, 44, isFragment);
    to.jumpIfEqual(A, 0, isExtension);
    to.jumpIfEqual(A, 43, isExtension);
    to.jumpIfNotEqual(A, 60, noMore);
    to.place(isExtension);
    bytes.fetch(8, read);
    bytes.loadU8(B, 0);
    to.storeU32(FRAME, PROTOCOL, B);
    bytes.loadU8(A, 1);
    to.addConstant(A, 1);
    to.shiftLeft(A, 3);
    to.add(AT, A);
    to.jump(next);
    to.place(isFragment);
    bytes.fetch(8, read);
    bytes.loadU8(B, 0);
    to.storeU32(FRAME, PROTOCOL, B);
    to.jump(read);
    to.place(next);
  }

  private void copy(int from, int slot, int words) {
    for (int i = 0; i < words; i++) {
      bytes.loadU32(B, from + Integer.BYTES * i);
      to.storeU32(FRAME, slot + Integer.BYTES * i, B);
    }
  }

  /** TCP, UDP and SCTP begin with them. */
  private void ports() {
    Label hasPorts = new Label();
    to.loadU32(A, FRAME, PROTOCOL);
    to.jumpIfEqual(A, 6, hasPorts);
    to.jumpIfEqual(A, 17, hasPorts);
    to.jumpIfNotEqual(A, 132, read);
    to.place(hasPorts);
    bytes.fetch(4, read);
    bytes.loadU32(B, 0);
    to.storeU32(FRAME, SOURCE_PORT, B);
    to.moveConstant(B, 1);
    to.storeU32(FRAME, HAS_PORTS, B);
  }
}
