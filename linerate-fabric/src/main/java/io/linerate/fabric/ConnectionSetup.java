package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** How a domain's connections begin: by asking for them, and by taking what peers ask for. */
final class ConnectionSetup {
  private final FabricDomain domain;
  private final EventQueue events;
  private final List<Listener> listeners = new ArrayList<>();
  private final List<NativeListener> nativeListeners = new ArrayList<>();

  ConnectionSetup(FabricDomain domain, EventQueue events) {
    this.domain = domain;
    this.events = events;
  }

  EventQueue events() {
    return events;
  }

  Connection connect(FabricAddress remote, Bindings bindings, byte... data) {
    Connection.requireData(data);
    requireProvider(remote);
    bindings.requireFor(domain);
    long destination = Providers.destination(remote, domain.options());
    try (Arena call = Arena.ofConfined()) {
      long memory = ConnectionRequest.copy(call, data).address();
      return begin(
          destination,
          bindings,
          remote,
          "cannot connect: address=",
          handle -> FabricFunction.CONNECT.call(handle, destination, memory, data.length));
    } finally {
      FabricFunction.FREE_INFO.call(destination);
    }
  }

  /** Takes a connection that a peer has asked for. */
  Connection accept(long request, FabricAddress local, Bindings bindings, byte... answer) {
    try (Arena call = Arena.ofConfined()) {
      long memory = ConnectionRequest.copy(call, answer).address();
      return begin(
          request,
          bindings,
          local,
          "a connection cannot be accepted: address=",
          handle -> FabricFunction.ACCEPT.call(handle, memory, answer.length));
    } finally {
      FabricFunction.FREE_INFO.call(request);
    }
  }

  private Connection begin(
      long info, Bindings bindings, FabricAddress address, String refused, LongUnaryOperator call) {
    Connection connection = Connection.open(domain, bindings, info, address);
    try {
      NativeObject.check(refused + address + ",", call.applyAsLong(connection.handle()));
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
    return domain.parts().add(connection);
  }

  Listener listen(FabricAddress local) {
    requireProvider(local);
    for (NativeListener each : nativeListeners) {
      if (each.isFreeFor(local)) {
        return listen(each);
      }
    }
    long source = Providers.source(local, domain.options());
    try {
      NativeListener made = new NativeListener(domain, events, local, source);
      nativeListeners.add(made);
      return listen(made);
    } finally {
      FabricFunction.FREE_INFO.call(source);
    }
  }

  private Listener listen(NativeListener by) {
    Listener listener = new Listener(domain, this, by);
    listeners.add(listener);
    return listener;
  }

  private void requireProvider(FabricAddress there) {
    String provider = domain.address().provider();
    if (!there.provider().equals(provider)) {
      throw new FabricException(
          "an address of another provider: address=%s, provider=%s; open a domain of that provider"
              .formatted(there, provider));
    }
  }

  void forget(Listener listener) {
    listeners.remove(listener);
  }

  void closeListeners() {
    List.copyOf(listeners).forEach(Listener::close);
  }

  /** With the domain: the provider's listeners. */
  void end() {
    nativeListeners.forEach(each -> domain.nativeClosing().close("listener", each.handle()));
  }
}
