package io.linerate.fabric.heap;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Messages out of and into arrays of the heap. They are passed as their memory, {@link
 * MemorySegment#ofArray} or a slice of it, of any type: one that is kept costs nothing for each
 * message. Numbers are in the byte order of the host.
 *
 * <p>What has come, and what was sent, is found by polling the endpoint's completion queue: whoever
 * receives polls first. All that comes to the endpoint is received here, whoever has sent it.
 *
 * <p>One thread's, as its domain.
 */
public sealed interface HeapMessages extends AutoCloseable permits CopiedMessages, PinnedMessages {
  /** The longest message that can be sent, in bytes. */
  long limit();

  /** The longest message that can be received, in bytes. */
  long receiveLimit();

  /**
   * Sends an array, which is free when this returns.
   *
   * @return false if the queue is full: poll, then try again
   * @throws io.linerate.fabric.FabricException if it is longer than the {@link #limit}
   */
  boolean send(MemorySegment array);

  /**
   * Takes the next message that has come.
   *
   * @return its bytes; -1 if none has come
   * @throws io.linerate.fabric.FabricException if the array is shorter, or the message has failed:
   *     the one is still there then, the other is not
   */
  long receive(MemorySegment array);

  /**
   * Takes the next message that has come, as a new array.
   *
   * @return null if none has come
   * @throws io.linerate.fabric.FabricException if it is not of whole elements, or has failed: the
   *     one is still there then, the other is not
   */
  <A> @Nullable A receive(ArrayType<A> type);

  /** Bytes of the next message that has come; -1 if none has. */
  long next();

  /** Ends it. Messages that were not taken are lost; close the endpoint first. */
  @Override
  void close();
}
