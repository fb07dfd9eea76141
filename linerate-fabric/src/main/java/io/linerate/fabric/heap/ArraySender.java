package io.linerate.fabric.heap;

import java.lang.foreign.MemorySegment;

/** How arrays of the heap are sent. */
sealed interface ArraySender permits CopyingSender, PinningSender {
  /** As {@link HeapMessages#limit}. */
  long limit();

  /** As {@link HeapMessages#send}. */
  boolean send(MemorySegment array);

  void close();
}
