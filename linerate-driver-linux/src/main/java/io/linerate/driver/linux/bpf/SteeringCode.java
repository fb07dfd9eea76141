package io.linerate.driver.linux.bpf;

import static io.linerate.core.port.SteeringRule.ANY;
import static io.linerate.driver.linux.bpf.BpfAssembler.network16;
import static io.linerate.driver.linux.bpf.PacketBytes.FRAME;

import io.linerate.core.port.AddressPrefix;
import io.linerate.core.port.SteeringRule;
import io.linerate.driver.linux.bpf.BpfAssembler.Label;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Instructions that find the queue of a packet: that of the first rule that it matches, or else one
 * by a hash of its flow, the same in both directions and on all ports.
 */
public final class SteeringCode {
  private static final int R0 = 0;
  private static final int R1 = 1;
  private static final int A = 2;
  private static final int B = 3;
  private static final int HASH = 4;

  // Odd numbers of the finalizer of MurmurHash3 (Austin Appleby, public domain).
  private static final int FIRST_FACTOR = 0x85EB_CA6B;
  private static final int SECOND_FACTOR = 0xC2B2_AE35;

  private final BpfAssembler to;
  private final FrameHeaders headers;
  private final List<SteeringRule> rules;
  private final int queues;
  private final Label found = new Label();

  private SteeringCode(BpfAssembler to, PacketBytes bytes, List<SteeringRule> rules, int queues) {
    this.to = to;
    headers = new FrameHeaders(to, bytes);
    this.rules = rules;
    this.queues = queues;
  }

  /**
   * Appends them to an XDP program whose context is in register 6. The number of the queue is in
   * register 0 then, and all registers but 6 are lost.
   */
  public static void appendTo(BpfAssembler to, List<SteeringRule> rules, int queues) {
    new SteeringCode(to, new PacketBytes.OfFrame(to), rules, queues).emit();
  }

  /** A program for the sockets of packet(7) that share an interface's packets. */
  public static long[] ofSockets(List<SteeringRule> rules, int queues) {
    BpfAssembler to = new BpfAssembler();
    to.move(PacketBytes.CONTEXT, R1);
    new SteeringCode(to, new PacketBytes.OfSocketBuffer(to), rules, queues).emit();
    to.exit();
    return to.code();
  }

  private void emit() {
    headers.emit();
    boolean isDecided = false;
    for (SteeringRule rule : rules) {
      isDecided |= rule.equals(SteeringRule.toQueue(rule.queue()));
      rule(rule);
      if (isDecided) {
        break; // The kernel refuses code that is never reached.
      }
    }
    if (!isDecided) {
      hash();
    }
    to.place(found);
  }

  private void rule(SteeringRule rule) {
    Label next = new Label();
    number(FrameHeaders.VLAN, rule.vlan(), network16(rule.vlan()), next);
    int etherType = rule.impliedEtherType();
    number(FrameHeaders.ETHER_TYPE, etherType, network16(etherType), next);
    number(FrameHeaders.PROTOCOL, rule.protocol(), rule.protocol(), next);
    if (rule.isAboutPorts()) {
      number(FrameHeaders.HAS_PORTS, 1, 1, next);
    }
    port(FrameHeaders.SOURCE_PORT, rule.sourcePort(), next);
    port(FrameHeaders.DESTINATION_PORT, rule.destinationPort(), next);
    prefix(FrameHeaders.SOURCE, rule.source(), next);
    prefix(FrameHeaders.DESTINATION, rule.destination(), next);
    to.moveConstant(R0, rule.queue());
    to.jump(found);
    to.place(next);
  }

  private void number(int slot, int wanted, int asRead, Label next) {
    if (wanted != ANY) {
      to.loadU32(A, FRAME, slot);
      to.jumpIfNotEqual32(A, asRead, next);
    }
  }

  private void port(int slot, int wanted, Label next) {
    if (wanted != ANY) {
      to.loadU16(A, FRAME, slot);
      to.jumpIfNotEqual32(A, network16(wanted), next);
    }
  }

  private void prefix(int slot, @Nullable AddressPrefix prefix, Label next) {
    if (prefix == null) {
      return;
    }
    ByteBuffer address = ByteBuffer.wrap(prefix.address()).order(ByteOrder.nativeOrder());
    ByteBuffer mask = ByteBuffer.wrap(prefix.mask()).order(ByteOrder.nativeOrder());
    for (int at = 0; at < address.capacity(); at += Integer.BYTES) {
      int bits = mask.getInt(at);
      if (bits != 0) {
        to.loadU32(A, FRAME, slot + at);
        if (bits != -1) {
          to.andConstant32(A, bits);
        }
        to.jumpIfNotEqual32(A, address.getInt(at), next);
      }
    }
  }

  /** Both ends of a flow have a hash, and their sum does not tell which is which. */
  private void hash() {
    end(HASH, FrameHeaders.SOURCE, FrameHeaders.SOURCE_PORT);
    end(R0, FrameHeaders.DESTINATION, FrameHeaders.DESTINATION_PORT);
    to.add32(R0, HASH);
    xor(R0, FrameHeaders.PROTOCOL);
    xor(R0, FrameHeaders.ETHER_TYPE);
    mix(R0, FIRST_FACTOR, 13);
    mix(R0, SECOND_FACTOR, 16);
    to.multiplyConstant(R0, queues);
    to.shiftRight(R0, Integer.SIZE);
  }

  private void end(int hash, int address, int port) {
    to.loadU16(hash, FRAME, port);
    for (int i = 0; i < FrameHeaders.ADDRESS_WORDS; i++) {
      xor(hash, address + Integer.BYTES * i);
      mix(hash, FIRST_FACTOR, 15);
    }
  }

  private void xor(int hash, int slot) {
    to.loadU32(B, FRAME, slot);
    to.xor32(hash, B);
  }

  private void mix(int hash, int factor, int bits) {
    to.multiplyConstant32(hash, factor);
    to.move(B, hash);
    to.shiftRight(B, bits);
    to.xor32(hash, B);
  }
}
