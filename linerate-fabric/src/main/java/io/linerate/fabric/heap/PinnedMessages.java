package io.linerate.fabric.heap;

import io.linerate.fabric.Destination;
import io.linerate.fabric.FabricException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that the native call reads where they are, while no collection can move them: Javia's
 * <i>pin</i>; with {@link #receive(ArrayType)} its <i>pin+alloc</i>. They are as long as what the
 * provider takes at once, {@link io.linerate.fabric.ProviderInfo#injectBytes}: longer ones would
 * have to stay where they are until they are sent.
 *
 * <p>What comes is copied out of registered buffers, as Javia has it: nobody knows how long an
 * array would have to wait for it.
 */
public final class PinnedMessages implements HeapMessages {
  private final Destination to;
  private final HeapOptions options;
  private final PostedBuffers posted;
  private final long limit;

  /**
   * @param options of what comes
   */
  public PinnedMessages(Destination to, HeapOptions options) {
    this.to = to;
    this.options = options;
    limit = to.endpoint().domain().provider().injectBytes();
    posted = new PostedBuffers(to.endpoint(), options);
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public long receiveLimit() {
    return options.bytes();
  }

  @Override
  public boolean send(MemorySegment array) {
    if (array.isNative() || array.byteSize() > limit) {
      throw new FabricException(
          "an array cannot be sent where it is: length=%d, limit=%d, heap=%s; copy it, or send less"
              .formatted(array.byteSize(), limit, !array.isNative()));
    }
    return to.inject(array);
  }

  @Override
  public long receive(MemorySegment array) {
    return posted.receive(array);
  }

  @Override
  public <A> @Nullable A receive(ArrayType<A> type) {
    return posted.receive(type);
  }

  @Override
  public long next() {
    return posted.next();
  }

  @Override
  public void close() {
    posted.close();
  }
}
