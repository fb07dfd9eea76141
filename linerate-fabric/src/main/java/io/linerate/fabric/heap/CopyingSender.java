package io.linerate.fabric.heap;

import io.linerate.fabric.Destination;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.RegionArena;
import io.linerate.fabric.TransferBuffer;
import io.linerate.fabric.TransferBufferOptions;
import io.linerate.fabric.TransferBufferPool;
import java.lang.foreign.MemorySegment;

/** Copies arrays into registered buffers, which are sent. */
final class CopyingSender implements ArraySender {
  private final Destination to;
  private final int limit;
  private final TransferBufferPool buffers;
  private final RegionArena arena;

  /** For what is copied by the provider at once, so that one is enough. */
  private final MemoryRegion injected;

  private final int injectBytes;

  CopyingSender(Destination to, HeapOptions options) {
    this.to = to;
    limit = options.bytes();
    FabricDomain domain = to.endpoint().domain();
    injectBytes = (int) Math.min(limit, domain.provider().injectBytes());
    buffers =
        domain.transferBuffers(TransferBufferOptions.DEFAULT.bounce(options.buffers(), limit));
    arena = domain.arena();
    injected = domain.register(arena.allocate(Math.max(1, injectBytes), Long.BYTES));
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public boolean send(MemorySegment array) {
    long bytes = array.byteSize();
    if (array.isNative() || bytes > limit) {
      throw new FabricException(
          "an array cannot be sent: length=%d, limit=%d, heap=%s; send it in parts, or native memory by a descriptor"
              .formatted(bytes, limit, !array.isNative()));
    }
    if (bytes <= injectBytes) {
      MemorySegment.copy(array, 0, injected.segment(), 0, bytes);
      return to.inject(injected, 0, bytes);
    }
    TransferBuffer buffer = buffers.outgoing(array);
    if (buffer == null) {
      return false;
    }
    if (to.send(buffer.closeWhenComplete().descriptor())) {
      return true;
    }
    buffer.close();
    return false;
  }

  @Override
  public void close() {
    buffers.close();
    arena.close();
  }
}
