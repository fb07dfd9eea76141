package io.linerate.core.memory;

import org.jspecify.annotations.Nullable;

/**
 * Shown a worker's packets as they are dropped. On the worker's thread, which waits for it: it
 * copies what it needs, and throws nothing.
 */
public interface DropTap {
  /**
   * A packet is dropped.
   *
   * @param mbuf that can be read until this returns
   * @param receivedNs when it came, or else when it was dropped, in ns since the epoch
   * @param place where; null: {@link #placed} says it, before any other packet is shown
   */
  void dropped(long mbuf, long receivedNs, DropReason reason, @Nullable DropPlace place);

  /** The last packet was dropped here, if it had no place yet. */
  void placed(DropPlace place);
}
