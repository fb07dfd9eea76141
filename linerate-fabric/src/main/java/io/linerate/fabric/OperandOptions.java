package io.linerate.fabric;

import io.linerate.fabric.host.Range;

/**
 * What an {@link OperandPool} may have, and when it copies.
 *
 * @param operands at a time, 1 to 65,536
 * @param bounceBytes of a buffer that is copied through, 1 or more: each operand has one
 * @param crossingBytes from how many on memory is registered instead of copied, where it can be;
 *     {@code ./linerate bench fabric --part registration} tells what is faster here
 * @param regions that stay registered at most
 * @param regionBytes of them together at most
 */
public record OperandOptions(
    int operands, int bounceBytes, long crossingBytes, int regions, long regionBytes) {
  /** 64 operands, 64 KiB each; memory is registered from 16 KiB on, 1 GiB at most. */
  public static final OperandOptions DEFAULT =
      new OperandOptions(64, 1 << 16, 1 << 14, 1_024, 1L << 30);

  private static final int MOST = 1 << 16;

  public OperandOptions {
    Range.require("operands", operands, 1, MOST);
    Range.require("bounceBytes", bounceBytes, 1, 1 << 30);
    Range.require("regions", regions, 1, 1 << 20);
    Range.require("crossingBytes", crossingBytes, 0, Long.MAX_VALUE);
    Range.require("regionBytes", regionBytes, 1, Long.MAX_VALUE);
  }

  /** With so many operands, and buffers of so many bytes. */
  public OperandOptions bounce(int count, int bytes) {
    return new OperandOptions(count, bytes, crossingBytes, regions, regionBytes);
  }

  /** With so many regions, and bytes of them. */
  public OperandOptions cache(int count, long bytes) {
    return new OperandOptions(operands, bounceBytes, crossingBytes, count, bytes);
  }

  /** With memory of fewer bytes copied. */
  public OperandOptions crossing(long bytes) {
    return new OperandOptions(operands, bounceBytes, bytes, regions, regionBytes);
  }
}
