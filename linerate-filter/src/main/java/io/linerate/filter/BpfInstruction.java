package io.linerate.filter;

/**
 * An instruction of classic BPF: {@code struct sock_filter} of linux/filter.h.
 *
 * @param code what it does, 16 bits
 * @param whenTrue instructions that a jump passes over if its condition holds, 0 to 255
 * @param whenFalse the same if it does not hold
 * @param k its constant, 32 bits
 */
public record BpfInstruction(int code, int whenTrue, int whenFalse, int k) {
  public BpfInstruction {
    require("code", code, 0xFFFF);
    require("whenTrue", whenTrue, 0xFF);
    require("whenFalse", whenFalse, 0xFF);
  }

  private static void require(String field, int value, int max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(
          "instruction does not fit: %s=%d, max=%d".formatted(field, value, max));
    }
  }
}
