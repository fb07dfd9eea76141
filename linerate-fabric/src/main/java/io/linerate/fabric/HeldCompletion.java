package io.linerate.fabric;

import org.jspecify.annotations.Nullable;

/**
 * An entry of {@link Completions} that waits to be polled, or that this side has made itself.
 *
 * @param hasEnded whether its descriptor has ended by it, and its handler is still to be called
 */
record HeldCompletion(
    @Nullable Descriptor descriptor,
    @Nullable Receiver receiver,
    @Nullable FabricError error,
    long flags,
    long length,
    long tag,
    long immediate,
    long buffer,
    long peer,
    boolean hasEnded) {
  /** Something that has happened to a connection, a peer or an operation, found on this side. */
  static HeldCompletion of(
      @Nullable Descriptor descriptor, @Nullable Receiver receiver, FabricError error) {
    return new HeldCompletion(descriptor, receiver, error, 0, 0, 0, 0, 0, Peer.ANY, false);
  }
}
