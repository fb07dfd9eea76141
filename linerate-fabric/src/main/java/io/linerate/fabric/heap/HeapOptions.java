package io.linerate.fabric.heap;

import io.linerate.fabric.host.Range;

/**
 * Buffers behind messages of arrays.
 *
 * @param buffers posted for what comes, and as many for what is sent, 1 to 65,536
 * @param bytes of each, and so of the longest message, 1 to 2^30
 */
public record HeapOptions(int buffers, int bytes) {
  /** 64 buffers of 64 KiB. */
  public static final HeapOptions DEFAULT = new HeapOptions(64, 1 << 16);

  private static final int MOST_BUFFERS = 1 << 16;
  private static final int MOST_BYTES = 1 << 30;

  public HeapOptions {
    Range.require("buffers", buffers, 1, MOST_BUFFERS);
    Range.require("bytes", bytes, 1, MOST_BYTES);
  }
}
