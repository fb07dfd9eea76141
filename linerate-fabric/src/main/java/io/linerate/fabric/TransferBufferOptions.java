package io.linerate.fabric;

import io.linerate.fabric.host.Range;

/**
 * What a {@link TransferBufferPool} may have, and when it copies.
 *
 * @param buffers at a time, 1 to 65,536
 * @param bounceBytes that can be copied through each of them, 1 to 2^30
 * @param zeroCopyBytes from how many on memory is registered instead of copied, where it can be;
 *     {@code ./linerate bench fabric --part registration} tells what is faster here
 * @param regions that stay registered at most
 * @param regionBytes of them together at most
 */
public record TransferBufferOptions(
    int buffers, int bounceBytes, long zeroCopyBytes, int regions, long regionBytes) {
  /** 64 buffers, 64 KiB each; memory is registered from 16 KiB on, 1 GiB at most. */
  public static final TransferBufferOptions DEFAULT =
      new TransferBufferOptions(64, 1 << 16, 1 << 14, 1_024, 1L << 30);

  private static final int MOST = 1 << 16;

  public TransferBufferOptions {
    Range.require("buffers", buffers, 1, MOST);
    Range.require("bounceBytes", bounceBytes, 1, 1 << 30);
    Range.require("regions", regions, 1, 1 << 20);
    if (zeroCopyBytes < 0 || regionBytes < 1) {
      throw new IllegalArgumentException(
          "sizes of transfer buffers are out of range: zeroCopyBytes=%d, regionBytes=%d; take 0 and 1 or more"
              .formatted(zeroCopyBytes, regionBytes));
    }
  }

  /** With so many buffers, and so many bytes copied through each. */
  public TransferBufferOptions bounce(int count, int bytes) {
    return new TransferBufferOptions(count, bytes, zeroCopyBytes, regions, regionBytes);
  }

  /** With so many regions, and bytes of them. */
  public TransferBufferOptions cache(int count, long bytes) {
    return new TransferBufferOptions(buffers, bounceBytes, zeroCopyBytes, count, bytes);
  }

  /** With memory of fewer bytes copied. */
  public TransferBufferOptions zeroCopy(long bytes) {
    return new TransferBufferOptions(buffers, bounceBytes, bytes, regions, regionBytes);
  }
}
