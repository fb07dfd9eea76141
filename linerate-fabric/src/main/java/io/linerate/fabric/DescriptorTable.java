package io.linerate.fabric;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of a domain, and their memory: one mapping, whose pages come as they are used, so
 * that the address of an operation's context is checked and turned into its descriptor without
 * reading memory. The place of a descriptor that is closed is given out again.
 */
final class DescriptorTable {
  private final FabricDomain domain;
  private final SystemCalls calls = new SystemCalls();
  private final long base;
  private final long bytes;
  private final Descriptor[] descriptors;
  private final int[] free;
  private int made;
  private int freeCount;

  DescriptorTable(FabricDomain domain, int capacity) {
    this.domain = domain;
    bytes = (long) capacity << WorkLayout.STRIDE_SHIFT;
    base =
        calls.mmap(
            bytes,
            SystemCalls.PROT_READ_WRITE,
            SystemCalls.MAP_PRIVATE | SystemCalls.MAP_ANONYMOUS | SystemCalls.MAP_NORESERVE,
            -1,
            0);
    if (base < 0) {
      throw new FabricException(
          "no memory for descriptors: descriptors=%d, error=%s; ask for fewer"
              .formatted(capacity, Errno.text(base)));
    }
    descriptors = new Descriptor[capacity];
    free = new int[capacity];
  }

  Descriptor take() {
    if (freeCount > 0) {
      return make(free[--freeCount]);
    }
    if (made == descriptors.length) {
      throw new FabricException(
          "a fabric domain has no descriptor left: descriptors=%d; close some, or ask for more with DomainOptions"
              .formatted(made));
    }
    return make(made++);
  }

  /** Another object each time: whoever has closed one cannot reach the next one's by it. */
  private Descriptor make(int index) {
    Descriptor descriptor =
        new Descriptor(domain, index, base + ((long) index << WorkLayout.STRIDE_SHIFT));
    descriptors[index] = descriptor;
    return descriptor;
  }

  void giveBack(Descriptor descriptor) {
    free[freeCount++] = descriptor.index();
  }

  /** Which descriptor an operation's context is; null if none. */
  @Nullable Descriptor find(long context) {
    long offset = context - base;
    if (offset < 0 || offset >= bytes) {
      return null;
    }
    int index = (int) (offset >>> WorkLayout.STRIDE_SHIFT);
    return index < made ? descriptors[index] : null;
  }

  void forEachPosted(Consumer<Descriptor> action) {
    for (int i = 0; i < made; i++) {
      if (descriptors[i].isHeld()) {
        action.accept(descriptors[i]);
      }
    }
  }

  /** Whether anything is under way from an endpoint. */
  boolean isSending(Receiver receiver) {
    for (int i = 0; i < made; i++) {
      if (descriptors[i].isHeld()
          && descriptors[i].receiver() == receiver
          && !descriptors[i].currentOperation().isReceive()) {
        return true;
      }
    }
    return false;
  }

  boolean isPostedFor(Peer peer) {
    for (int i = 0; i < made; i++) {
      if (descriptors[i].isHeld() && descriptors[i].peer() == peer) {
        return true;
      }
    }
    return false;
  }

  boolean isPostedOn(MemoryRegion region) {
    for (int i = 0; i < made; i++) {
      if (descriptors[i].isHeld() && descriptors[i].names(region)) {
        return true;
      }
    }
    return false;
  }

  /** Asks a provider for the memory back that is posted for messages. */
  void cancelReceives(Receiver receiver) {
    forEachPosted(descriptor -> {
      if (descriptor.receiver() == receiver && descriptor.currentOperation().isReceive()) {
        descriptor.askBack(receiver.calls(), receiver.handle());
      }
    });
  }

  /**
   * Ends what is posted at a receiver that is closed.
   *
   * @param isKept whether the provider still has it, and so what was to be sent
   * @return how many have ended
   */
  int endAll(Receiver receiver, boolean isKept) {
    int ended = 0;
    for (int i = 0; i < made; i++) {
      Descriptor descriptor = descriptors[i];
      if (descriptor.isHeld() && descriptor.receiver() == receiver) {
        FabricError told = descriptor.error();
        FabricError error =
            descriptor.isAbandoned() && told != null ? told : FabricError.ofClosedEndpoint();
        if (isKept) {
          descriptor.abandon(error);
        } else {
          descriptor.dropped(error);
          ended++;
        }
      }
    }
    return ended;
  }

  /** Throws while a descriptor that names a region is posted. */
  void requireUnused(MemoryRegion region) {
    forEachPosted(descriptor -> {
      if (descriptor.names(region)) {
        throw new FabricException(
            "a memory region is in use: length=%d, operation=%s; wait for its completion, or close the endpoint"
                .formatted(region.length(), descriptor.currentOperation()));
      }
    });
  }

  void free() {
    calls.munmap(base, bytes);
  }
}
