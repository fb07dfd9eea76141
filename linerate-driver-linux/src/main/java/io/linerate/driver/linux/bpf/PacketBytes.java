package io.linerate.driver.linux.bpf;

import io.linerate.driver.linux.bpf.BpfAssembler.Label;

/**
 * How a program gets at the bytes of its packet. The program's context is in register 6; registers
 * 0 to 5 are lost when bytes are fetched.
 */
abstract sealed class PacketBytes {
  static final int CONTEXT = 6;

  /** Where the next header is; in terms of the class. */
  static final int AT = 7;

  /** The end of the stack. */
  static final int FRAME = 10;

  private static final int R1 = 1;
  private static final int R2 = 2;
  private static final int R3 = 3;
  private static final int R4 = 4;

  final BpfAssembler to;

  private PacketBytes(BpfAssembler to) {
    this.to = to;
  }

  /** Notes EtherType, and the tag if it stands elsewhere, and goes to what follows them. */
  abstract void begin(Label tooShort);

  /** Makes the next bytes readable, or goes to {@code tooShort}. */
  abstract void fetch(int count, Label tooShort);

  /** Register that leads to what was fetched. */
  abstract int base();

  /** What was fetched is so far from there. */
  abstract int offset();

  final void loadU8(int target, int at) {
    to.loadU8(target, base(), offset() + at);
  }

  final void loadU16(int target, int at) {
    to.loadU16(target, base(), offset() + at);
  }

  final void loadU32(int target, int at) {
    to.loadU32(target, base(), offset() + at);
  }

  /** Of an XDP program: struct xdp_md of linux/bpf.h. The frame is read where it lies. */
  static final class OfFrame extends PacketBytes {
    private static final int DATA = 0;
    private static final int DATA_END = 4;
    private static final int END = 8;
    private static final int ETHERNET_BYTES = 14;

    OfFrame(BpfAssembler to) {
      super(to);
    }

    @Override
    void begin(Label tooShort) {
      to.loadU32(AT, CONTEXT, DATA);
      to.loadU32(END, CONTEXT, DATA_END);
      fetch(ETHERNET_BYTES, tooShort);
      loadU16(R2, 12);
      to.storeU32(FRAME, FrameHeaders.ETHER_TYPE, R2);
      to.addConstant(AT, ETHERNET_BYTES);
    }

    @Override
    void fetch(int count, Label tooShort) {
      to.move(R2, AT);
      to.addConstant(R2, count);
      to.jumpIfAbove(R2, END, tooShort);
    }

    @Override
    int base() {
      return AT;
    }

    @Override
    int offset() {
      return 0;
    }
  }

  /**
   * Of a program of a socket of packet(7): struct __sk_buff of linux/bpf.h. Its data begin behind
   * the Ethernet header, and the kernel has taken out the outermost tag.
   */
  static final class OfSocketBuffer extends PacketBytes {
    private static final int PROTOCOL = 16;
    private static final int VLAN_PRESENT = 20;
    private static final int VLAN_TCI = 24;
    private static final int LOAD_BYTES = 26; // bpf_skb_load_bytes
    private static final int COPY = -96;

    OfSocketBuffer(BpfAssembler to) {
      super(to);
    }

    @Override
    void begin(Label tooShort) {
      Label isUntagged = new Label();
      to.moveConstant(AT, 0);
      to.loadU32(R2, CONTEXT, PROTOCOL);
      to.storeU32(FRAME, FrameHeaders.ETHER_TYPE, R2);
      to.loadU32(R2, CONTEXT, VLAN_PRESENT);
      to.jumpIfEqual(R2, 0, isUntagged);
      to.loadU32(R2, CONTEXT, VLAN_TCI);
      to.andConstant(R2, 0x0FFF);
      to.toNetwork16(R2);
      to.storeU32(FRAME, FrameHeaders.VLAN, R2);
      to.place(isUntagged);
    }

    @Override
    void fetch(int count, Label tooShort) {
      to.move(R1, CONTEXT);
      to.move(R2, AT);
      to.move(R3, FRAME);
      to.addConstant(R3, COPY);
      to.moveConstant(R4, count);
      to.call(LOAD_BYTES);
      to.jumpIfNotEqual(0, 0, tooShort);
    }

    @Override
    int base() {
      return FRAME;
    }

    @Override
    int offset() {
      return COPY;
    }
  }
}
