package io.linerate.fabric;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * The provider's side of a {@link Listener}, which stays until the domain is closed: tcp goes on
 * with a connection that has come but not asked yet, whatever happens to where it came, and crashes
 * when it asks. While nobody listens, who asks is rejected.
 */
final class NativeListener {
  private final FabricAddress address;
  private final long handle;
  private @Nullable Listener listener;

  NativeListener(FabricDomain domain, EventQueue events, FabricAddress address, long info) {
    long id = events.nextId();
    handle =
        NativeObject.open(
            "cannot listen: address=" + address + ",",
            FabricFunction.PASSIVE,
            domain.nativeDomain().fabric(),
            info,
            events.handle(),
            id);
    events.add(id, this);
    this.address = address.named(OpenEndpoint.nameOf(handle));
  }

  long handle() {
    return handle;
  }

  /** Where it is, with the port that the provider has chosen if it was to. */
  FabricAddress address() {
    return address;
  }

  /** Whether a listener at an address can take it over; one of port 0 is at no known one. */
  boolean isFreeFor(FabricAddress local) {
    return listener == null && address.equals(local) && address.port() != 0;
  }

  /** Who takes the requests; null for nobody. */
  void listener(@Nullable Listener who) {
    listener = who;
  }

  void requested(long info, byte[] data) {
    if (listener != null) {
      listener.requested(info, data);
    } else {
      reject(info);
    }
  }

  void reject(long info, byte... answer) {
    try (Arena arena = Arena.ofConfined()) {
      FabricFunction.REJECT.call(
          handle, info, ConnectionRequest.copy(arena, answer).address(), answer.length);
    } finally {
      FabricFunction.FREE_INFO.call(info);
    }
  }
}
