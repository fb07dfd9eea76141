package io.linerate.filter.code;

import static io.linerate.filter.code.Registers.A;
import static io.linerate.filter.code.Registers.A_AND_X;
import static io.linerate.filter.code.Registers.NONE;
import static io.linerate.filter.code.Registers.X;

/** Which registers instructions use and set. */
final class RegisterUse {
  private RegisterUse() {}

  /** The register whose value is used, {@link Registers#A_AND_X}, or {@link Registers#NONE}. */
  static int used(int code, int k) {
    if (code == Statement.NONE) {
      return NONE;
    }
    return switch (Opcodes.classOf(code)) {
      case Opcodes.LD, Opcodes.LDX ->
          Opcodes.modeOf(code) == Opcodes.IND ? X : Opcodes.modeOf(code) == Opcodes.MEM ? k : NONE;
      case Opcodes.ST -> A;
      case Opcodes.STX -> X;
      case Opcodes.JMP, Opcodes.ALU -> Opcodes.sourceOf(code) == Opcodes.X ? A_AND_X : A;
      case Opcodes.MISC -> isTxa(code) ? X : A;
      default -> NONE; // Programs return constants only.
    };
  }

  /** The register that is set, or {@link Registers#NONE}. */
  static int set(int code, int k) {
    if (code == Statement.NONE) {
      return NONE;
    }
    return switch (Opcodes.classOf(code)) {
      case Opcodes.LD, Opcodes.ALU -> A;
      case Opcodes.LDX -> X;
      case Opcodes.ST, Opcodes.STX -> k;
      case Opcodes.MISC -> isTxa(code) ? A : X;
      default -> NONE;
    };
  }

  private static boolean isTxa(int code) {
    return (code & 0xF8) == Opcodes.TXA;
  }

  static int bits(int register) {
    return register == NONE ? 0 : register == A_AND_X ? (1 << A) | (1 << X) : 1 << register;
  }

  /** Finds what a block uses of what others have set, and what it sets without having used it. */
  static void find(Block block) {
    int set = 0;
    int used = 0;
    int killed = 0;
    for (Statement statement : block.statements) {
      used |= bits(used(statement.code, statement.k)) & ~set;
      int defined = bits(set(statement.code, statement.k));
      killed |= defined & ~used;
      set |= defined;
    }
    if (!block.isReturn()) {
      used |= bits(used(block.code, block.k)) & ~set;
    }
    block.used = used;
    block.killed = killed;
  }
}
