package io.linerate.filter.run;

import io.linerate.filter.code.Opcodes;

/** Operations of the accumulator with another number, unsigned. */
final class Operation {
  private Operation() {}

  /** Whether a second operand of 0 ends the program. */
  static boolean divides(int code) {
    int operation = Opcodes.operationOf(code);
    return operation == Opcodes.DIV || operation == Opcodes.MOD;
  }

  static int of(int code, int a, int operand) {
    return switch (Opcodes.operationOf(code)) {
      case Opcodes.ADD -> a + operand;
      case Opcodes.SUB -> a - operand;
      case Opcodes.MUL -> a * operand;
      case Opcodes.DIV -> Integer.divideUnsigned(a, operand);
      case Opcodes.MOD -> Integer.remainderUnsigned(a, operand);
      case Opcodes.AND -> a & operand;
      case Opcodes.OR -> a | operand;
      case Opcodes.XOR -> a ^ operand;
      case Opcodes.LSH -> shiftLeft(a, operand);
      case Opcodes.RSH -> shiftRight(a, operand);
      default -> -a;
    };
  }

  /** By 32 and more all bits leave. */
  static int shiftLeft(int a, int bits) {
    return Integer.compareUnsigned(bits, 32) < 0 ? a << bits : 0;
  }

  static int shiftRight(int a, int bits) {
    return Integer.compareUnsigned(bits, 32) < 0 ? a >>> bits : 0;
  }
}
