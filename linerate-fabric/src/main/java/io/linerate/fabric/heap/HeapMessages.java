package io.linerate.fabric.heap;

import io.linerate.fabric.Destination;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Messages out of and into arrays of the heap. They are passed as their memory, {@link
 * MemorySegment#ofArray} or a slice of it, of any type: one that is kept costs nothing for each
 * message. Numbers are in the byte order of the host.
 *
 * <p>What has come, and what was sent, is found by polling the endpoint's completion queue: whoever
 * receives polls first. All that comes to the endpoint is received here, whoever has sent it. It is
 * copied out of registered buffers: nobody knows how long an array would have to wait for it. A
 * buffer whose message was received is posted again when the next one is asked for and none has
 * come, or with half of all buffers.
 *
 * <p>One thread's, as its domain.
 */
public final class HeapMessages implements AutoCloseable {
  private final HeapOptions options;
  private final PostedBuffers posted;
  private final ArraySender sender;

  private HeapMessages(HeapOptions options, PostedBuffers posted, ArraySender sender) {
    this.options = options;
    this.posted = posted;
    this.sender = sender;
  }

  /**
   * Arrays that are copied into registered buffers of its own, and out of such: Javia's
   * <i>copy</i>; with {@link #receive(ArrayType)} its <i>copy+alloc</i>.
   */
  public static HeapMessages copied(Destination to, HeapOptions options) {
    return new HeapMessages(
        options, new PostedBuffers(to.endpoint(), options), new CopyingSender(to, options));
  }

  /**
   * Arrays that the native call reads where they are, while no collection can move them, where the
   * provider waits for nobody in it ({@link io.linerate.fabric.ProviderInfo#readsArrays}; elsewhere
   * they are copied once more): Javia's <i>pin</i>; with {@link #receive(ArrayType)} its
   * <i>pin+alloc</i>. They are as long as what the provider takes at once, {@link
   * io.linerate.fabric.ProviderInfo#injectBytes}: longer ones would have to stay where they are
   * until they are sent.
   *
   * @param options of what comes
   */
  public static HeapMessages pinned(Destination to, HeapOptions options) {
    return new HeapMessages(
        options, new PostedBuffers(to.endpoint(), options), new PinningSender(to));
  }

  /** The longest message that can be sent, in bytes. */
  public long limit() {
    return sender.limit();
  }

  /** The longest message that can be received, in bytes. */
  public long receiveLimit() {
    return options.bytes();
  }

  /**
   * Sends an array, which is free when this returns.
   *
   * @return false if the queue is full: poll, then try again
   * @throws io.linerate.fabric.FabricException if it is longer than the {@link #limit}
   */
  public boolean send(MemorySegment array) {
    return sender.send(array);
  }

  /**
   * Takes the next message that has come.
   *
   * @return its bytes; -1 if none has come
   * @throws io.linerate.fabric.FabricException if the array is shorter, or the message has failed:
   *     the one is still there then, the other is not
   */
  public long receive(MemorySegment array) {
    return posted.receive(array);
  }

  /**
   * Takes the next message that has come, as a new array.
   *
   * @return null if none has come
   * @throws io.linerate.fabric.FabricException if it is not of whole elements, or has failed: the
   *     one is still there then, the other is not
   */
  public <A> @Nullable A receive(ArrayType<A> type) {
    return posted.receive(type);
  }

  /** Bytes of the next message that has come; -1 if none has. */
  public long next() {
    return posted.next();
  }

  /** Ends it. Messages that were not taken are lost; close the endpoint first. */
  @Override
  public void close() {
    posted.close();
    sender.close();
  }
}
