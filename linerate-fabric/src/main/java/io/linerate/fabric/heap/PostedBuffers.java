package io.linerate.fabric.heap;

import io.linerate.fabric.Descriptor;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.Receiver;
import io.linerate.fabric.RegionArena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Registered buffers that are posted for messages, taken in the order in which these come. */
final class PostedBuffers {
  private static final int LINE_BYTES = 64;

  private final Receiver receiver;
  private final RegionArena arena;
  private final MemorySegment memory;
  private final long stride;
  private final Descriptor[] descriptors;

  /** Numbers of buffers that have a message. */
  private final IntRing arrived;

  /** Those that were taken, or that a full queue has refused. */
  private final IntRing unposted;

  PostedBuffers(Receiver receiver, HeapOptions options) {
    FabricDomain domain = receiver.domain();
    int count = options.buffers();
    this.receiver = receiver;
    stride = (options.bytes() + LINE_BYTES - 1L) & -LINE_BYTES;
    arena = domain.arena();
    MemoryRegion region = domain.register(arena.allocate(stride * count, LINE_BYTES));
    memory = region.segment();
    descriptors = new Descriptor[count];
    arrived = new IntRing(count);
    unposted = new IntRing(count);
    for (int i = 0; i < count; i++) {
      descriptors[i] = domain.descriptor().on(region, i * stride, options.bytes());
      descriptors[i].whenComplete(arrival(i));
      unposted.add(i);
    }
    postAll();
  }

  private Consumer<Descriptor> arrival(int number) {
    return _ -> arrived.add(number);
  }

  private void postAll() {
    while (!unposted.isEmpty()
        && !receiver.isClosed()
        && receiver.receiveWithPoll(descriptors[unposted.first()])) {
      unposted.remove();
    }
  }

  /** Bytes of the next message; -1 if there is none. A failed one is thrown, and has gone then. */
  long next() {
    receiver.domain().requireOwner();
    if (arrived.isEmpty()) {
      postAll();
      return -1;
    }
    Descriptor descriptor = descriptors[arrived.first()];
    FabricError error = descriptor.error();
    if (error != null) {
      take();
      throw new FabricException(
          "a message has failed: " + error + "; send no longer ones, or look at the peer");
    }
    return descriptor.length();
  }

  /** Copies the next message. */
  void take(MemorySegment array, long bytes) {
    MemorySegment.copy(memory, arrived.first() * stride, array, 0, bytes);
    take();
  }

  /** Its buffer is posted when no more has come, or with half of them: an answer goes first. */
  private void take() {
    unposted.add(arrived.remove());
    if (2 * unposted.size() > descriptors.length) {
      postAll();
    }
  }

  /** As {@link HeapMessages#receive(MemorySegment)}. */
  long receive(MemorySegment array) {
    long bytes = next();
    if (bytes > array.byteSize()) {
      throw new FabricException(
          "a message is longer than the array for it: length=%d, array=%d; take a longer one"
              .formatted(bytes, array.byteSize()));
    }
    if (bytes >= 0) {
      take(array, bytes);
    }
    return bytes;
  }

  /** As {@link HeapMessages#receive(ArrayType)}. */
  <A> @Nullable A receive(ArrayType<A> type) {
    long bytes = next();
    if (bytes < 0) {
      return null;
    }
    if (bytes % type.elementBytes() != 0) {
      throw new FabricException(
          "a message is not of whole elements: length=%d, type=%s; take it as bytes"
              .formatted(bytes, type));
    }
    A array = type.make((int) (bytes / type.elementBytes()));
    take(type.memory(array), bytes);
    return array;
  }

  void close() {
    for (Descriptor each : descriptors) {
      each.close();
    }
    arena.close();
  }
}
