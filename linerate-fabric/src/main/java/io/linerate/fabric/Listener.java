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
  private final ConnectionSetup connections;
  private final NativeListener nativeListener;
  private final Deque<ConnectionRequest> waiting = new ArrayDeque<>();
  private final List<ConnectionRequest> given = new ArrayList<>();
  private boolean isClosed;

  Listener(FabricDomain domain, ConnectionSetup connections, NativeListener nativeListener) {
    this.domain = domain;
    this.connections = connections;
    address = nativeListener.address();
    this.nativeListener = nativeListener;
    nativeListener.listener(this);
  }

  FabricDomain domain() {
    return domain;
  }

  void reject(long info, byte... answer) {
    nativeListener.reject(info, answer);
  }

  /** Where it listens. Any thread may ask. */
  public FabricAddress address() {
    return address;
  }

  /** The next request, if there is one. */
  public Optional<ConnectionRequest> poll() {
    requireOpen();
    connections.events().poll();
    ConnectionRequest next = waiting.poll();
    if (next != null) {
      given.add(next);
    }
    return Optional.ofNullable(next);
  }

  /** Waits for a request; empty when time is over. */
  public Optional<ConnectionRequest> await(Duration timeout) {
    long start = System.nanoTime();
    long timeoutNs = Waiting.nanos(timeout);
    while (true) {
      Optional<ConnectionRequest> request = poll();
      if (request.isPresent()
          || System.nanoTime() - start > timeoutNs
          || Thread.currentThread().isInterrupted()) {
        return request;
      }
      connections.events().sleep(Duration.ofMillis(10));
    }
  }

  int dataBytes() {
    return connections.dataBytes(nativeListener.handle());
  }

  void requested(long info, byte[] data) {
    waiting.add(new ConnectionRequest(this, info, data));
  }

  void forget(ConnectionRequest request) {
    given.remove(request);
  }

  void requireOpen() {
    domain.requireOpen();
    if (isClosed) {
      throw new FabricException("a listener is closed: address=" + address);
    }
  }

  /**
   * Rejects what waits, and what still comes. Connections stay. The address is free for other
   * domains when this one is closed; this one may listen there again.
   */
  @Override
  public void close() {
    domain.requireOwner();
    if (isClosed || domain.isClosed()) {
      return;
    }
    List.copyOf(given).forEach(ConnectionRequest::abandon);
    while (!waiting.isEmpty()) {
      waiting.poll().abandon();
    }
    isClosed = true;
    nativeListener.listener(null);
    connections.forget(this);
  }
}
