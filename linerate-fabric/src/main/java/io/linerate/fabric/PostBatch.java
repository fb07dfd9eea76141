package io.linerate.fabric;

import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Descriptors that a queue posts with its next poll, in the same native call: {@code struct batch}
 * of linerate_fabric.c.
 */
final class PostBatch {
  static final int POSTS = Long.BYTES;
  static final int POST_BYTES = 2 * Long.BYTES;
  private static final int WORK = Long.BYTES;
  private static final int CAPACITY = 256;

  private final FabricDomain domain;
  private final long address;

  PostBatch(FabricDomain domain, Arena arena) {
    this.domain = domain;
    address = arena.allocate(POSTS + CAPACITY * (long) POST_BYTES, Long.BYTES).address();
  }

  long address() {
    return address;
  }

  int size() {
    return (int) NativeMemory.u64(address);
  }

  boolean hasRoom() {
    return size() < CAPACITY;
  }

  /** Adds one, while there is room. */
  void add(long endpoint, long work) {
    int size = size();
    NativeMemory.u64(post(size), endpoint);
    NativeMemory.u64(post(size) + WORK, work);
    NativeMemory.u64(address, size + 1L);
  }

  /**
   * Posts all, each by a native call of its own; one for which there is no room stays, with those
   * behind it.
   *
   * @return whether none is left
   */
  boolean postAll() {
    while (size() > 0) {
      Descriptor descriptor = descriptor(0);
      Receiver receiver = descriptor == null ? null : descriptor.receiver();
      if (descriptor != null && receiver != null && !receiver.postNow(descriptor)) {
        return false;
      }
      remove(0);
    }
    return true;
  }

  /**
   * Ends those of a receiver: the provider does not have them yet.
   *
   * @return how many
   */
  int drop(Receiver receiver, FabricError error) {
    int dropped = 0;
    for (int i = size() - 1; i >= 0; i--) {
      Descriptor descriptor = descriptor(i);
      if (descriptor != null && descriptor.receiver() == receiver) {
        remove(i);
        descriptor.dropped(error);
        dropped++;
      }
    }
    return dropped;
  }

  private @Nullable Descriptor descriptor(int index) {
    return domain.descriptors().find(NativeMemory.u64(post(index) + WORK));
  }

  private void remove(int index) {
    int size = size();
    NativeMemory.copy(post(index + 1), post(index), (size - index - 1L) * POST_BYTES);
    NativeMemory.u64(address, size - 1L);
  }

  private long post(int index) {
    return address + POSTS + (long) index * POST_BYTES;
  }
}
