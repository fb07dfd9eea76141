package io.linerate.fabric.heap;

import io.linerate.fabric.Destination;
import io.linerate.fabric.FabricException;
import java.lang.foreign.MemorySegment;

/**
 * Sends arrays from where they are, by a native call during which no collection moves them, or by a
 * copy where the provider could wait in it.
 */
final class PinningSender implements ArraySender {
  private final Destination to;
  private final long limit;

  PinningSender(Destination to) {
    this.to = to;
    limit = to.endpoint().domain().provider().injectBytes();
  }

  @Override
  public long limit() {
    return limit;
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
  public void close() {
    // There is nothing of its own.
  }
}
