package io.linerate.fabric;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What a queue has for whoever polls next: taken from the provider before, or found here. */
final class HeldCompletions {
  private final Deque<HeldCompletion> held = new ArrayDeque<>();

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** What has happened to an endpoint. */
  void tell(Receiver receiver, FabricError error) {
    held.add(HeldCompletion.of(null, receiver, error));
  }

  /** An operation has failed that the provider does not end. */
  void abandoned(Descriptor descriptor, FabricError error) {
    held.add(HeldCompletion.of(descriptor, descriptor.receiver(), error));
  }

  /** An operation of a receiver has ended on this side. */
  void ended(Descriptor descriptor, @Nullable Receiver receiver, FabricError error) {
    held.add(new HeldCompletion(descriptor, receiver, error, 0, 0, 0, 0, 0, Peer.ANY, true));
  }

  /** An entry that was polled for another purpose. */
  void add(Completions polled, int index) {
    held.add(polled.get(index));
  }

  /** Gives as many as there is room for. */
  void giveTo(Completions into) {
    while (!held.isEmpty() && into.size() < into.capacity()) {
      into.add(held.poll());
    }
  }

  /** A receiver is closed: nothing of it is told any more. */
  void drop(Receiver receiver) {
    held.removeIf(entry -> entry.receiver() == receiver);
  }
}
