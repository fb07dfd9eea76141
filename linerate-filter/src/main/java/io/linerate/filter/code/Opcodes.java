package io.linerate.filter.code;

/**
 * Codes of instructions of classic BPF: linux/bpf_common.h, and McCanne and Jacobson, The BSD
 * Packet Filter, 1993, section 3.3. A code is the sum of a class and what the class has of the
 * others.
 */
public final class Opcodes {
  // Classes.
  public static final int LD = 0x00;
  public static final int LDX = 0x01;
  public static final int ST = 0x02;
  public static final int STX = 0x03;
  public static final int ALU = 0x04;
  public static final int JMP = 0x05;
  public static final int RET = 0x06;
  public static final int MISC = 0x07;

  // Sizes of loads.
  public static final int W = 0x00;
  public static final int H = 0x08;
  public static final int B = 0x10;

  // Modes of loads.
  public static final int IMM = 0x00;
  public static final int ABS = 0x20;
  public static final int IND = 0x40;
  public static final int MEM = 0x60;
  public static final int LEN = 0x80;
  public static final int MSH = 0xA0;

  // Operations.
  public static final int ADD = 0x00;
  public static final int SUB = 0x10;
  public static final int MUL = 0x20;
  public static final int DIV = 0x30;
  public static final int OR = 0x40;
  public static final int AND = 0x50;
  public static final int LSH = 0x60;
  public static final int RSH = 0x70;
  public static final int NEG = 0x80;
  public static final int MOD = 0x90;
  public static final int XOR = 0xA0;

  // Jumps.
  public static final int JA = 0x00;
  public static final int JEQ = 0x10;
  public static final int JGT = 0x20;
  public static final int JGE = 0x30;
  public static final int JSET = 0x40;

  // Second operands.
  public static final int K = 0x00;
  public static final int X = 0x08;

  // Between registers.
  public static final int TAX = 0x00;
  public static final int TXA = 0x80;

  /** Words of scratch memory. */
  public static final int MEMORY_WORDS = 16;

  private Opcodes() {}

  public static int classOf(int code) {
    return code & 0x07;
  }

  public static int sizeOf(int code) {
    return code & 0x18;
  }

  public static int modeOf(int code) {
    return code & 0xE0;
  }

  public static int operationOf(int code) {
    return code & 0xF0;
  }

  public static int sourceOf(int code) {
    return code & 0x08;
  }

  /** Bytes that a load of a size takes. */
  public static int bytesOf(int code) {
    return switch (sizeOf(code)) {
      case W -> 4;
      case H -> 2;
      default -> 1;
    };
  }

  /**
   * Linux reads what it knows of a packet besides its bytes at offsets from here on: SKF_AD_OFF of
   * linux/filter.h.
   */
  public static final int ANCILLARY = -0x1000;

  /** Packet type, of {@link #ANCILLARY}. */
  public static final int ANCILLARY_PACKET_TYPE = 4;

  /** Number of the interface, of {@link #ANCILLARY}. */
  public static final int ANCILLARY_INTERFACE = 8;
}
