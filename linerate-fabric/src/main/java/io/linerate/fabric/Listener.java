package io.linerate.fabric;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Takes requests for connections at an address. {@link FabricDomain#listen} makes one. */
public final class Listener implements AutoCloseable {
  private final FabricDomain domain;
  private final FabricAddress address;
  private final long id;
  private final long handle;
  private final Deque<ConnectionRequest> waiting = new ArrayDeque<>();
  private final List<ConnectionRequest> given = new ArrayList<>();
  private boolean isClosed;

  Listener(FabricDomain domain, FabricAddress address, long info) {
    this.domain = domain;
    this.address = address;
    id = domain.events().nextId();
    handle =
        NativeObject.open(
            "cannot listen: address=" + address + ",",
            FabricFunction.PASSIVE,
            domain.fabric(),
            info,
            domain.events().handle(),
            id);
    domain.events().add(id, this);
  }

  FabricDomain domain() {
    return domain;
  }

  long handle() {
    return handle;
  }

  /** Where it listens. */
  public FabricAddress address() {
    return address;
  }

  /** The next request, if there is one. */
  public Optional<ConnectionRequest> poll() {
    domain.check();
    requireOpen();
    domain.events().poll();
    ConnectionRequest next = waiting.poll();
    if (next != null) {
      given.add(next);
    }
    return Optional.ofNullable(next);
  }

  /** Waits for a request; empty when time is over. */
  public Optional<ConnectionRequest> await(Duration timeout) {
    long start = System.nanoTime();
    while (true) {
      Optional<ConnectionRequest> request = poll();
      if (request.isPresent()
          || System.nanoTime() - start > timeout.toNanos()
          || Thread.currentThread().isInterrupted()) {
        return request;
      }
      domain.events().sleep(Duration.ofMillis(10));
    }
  }

  void requested(long info, byte[] data) {
    waiting.add(new ConnectionRequest(this, info, data));
  }

  void forget(ConnectionRequest request) {
    given.remove(request);
  }

  void requireOpen() {
    if (isClosed) {
      throw new FabricException("a listener is closed: address=" + address);
    }
  }

  /** Rejects what waits, and listens no more. Connections stay. */
  @Override
  public void close() {
    domain.check();
    if (isClosed) {
      return;
    }
    List.copyOf(given).forEach(ConnectionRequest::abandon);
    while (!waiting.isEmpty()) {
      waiting.poll().abandon();
    }
    isClosed = true;
    domain.events().remove(id);
    domain.forget(this);
    domain.closeNative("listener", handle);
  }
}
