package io.linerate.driver.linux.packet;

import io.linerate.core.driver.BufferPool;

/**
 * Blocks of a ring whose packets were all handed out: each goes back to the kernel when its last
 * packet is free, in whatever order that happens. The kernel goes through the ring in order, and
 * stops in front of a block that it has not got back.
 */
final class HeldBlocks {
  private final RxRing ring;
  private final BufferPool headers;
  private final boolean[] held;
  private int oldest;
  private int count;

  /**
   * @param headers counts the packets of each block that are not free
   */
  HeldBlocks(RxRing ring, BufferPool headers) {
    this.ring = ring;
    this.headers = headers;
    held = new boolean[ring.blocks()];
  }

  boolean isEmpty() {
    return count == 0;
  }

  boolean holds(int block) {
    return held[block];
  }

  /** Takes over a block, the one after the one before. */
  void hold(int block) {
    if (count == 0) {
      oldest = block;
    }
    held[block] = true;
    count++;
  }

  /** Gives back each block that nobody looks into any more. */
  void release() {
    int left = count;
    for (int block = oldest; left > 0; block = next(block)) {
      if (held[block]) {
        left--;
        if (headers.away(block) == 0) {
          held[block] = false;
          count--;
          ring.giveBack(block);
        }
      }
    }
    while (count > 0 && !held[oldest]) {
      oldest = next(oldest);
    }
  }

  /** How many blocks after the oldest that is held a block stands; 0 when none is held. */
  int lag(int block) {
    return count == 0 ? 0 : Math.floorMod(block - oldest, held.length);
  }

  private int next(int block) {
    return block + 1 == held.length ? 0 : block + 1;
  }
}
