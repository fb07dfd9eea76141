package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** How a domain's connections begin: by asking for them, and by taking what peers ask for. */
final class ConnectionSetup {
  /** As many as there is room for, whatever the provider lets go. */
  private static final int DATA_BYTES_AT_MOST = 256;

  private static final int FI_OPT_CM_DATA_SIZE = 1;

  private final FabricDomain domain;
  private final EventQueue events;
  private final List<Listener> listeners = new ArrayList<>();
  private final List<NativeListener> nativeListeners = new ArrayList<>();
  private int dataBytes; // 0 while no endpoint was asked.

  ConnectionSetup(FabricDomain domain, EventQueue events) {
    this.domain = domain;
    this.events = events;
  }

  EventQueue events() {
    return events;
  }

  /** How many bytes go with a request or an answer, as an endpoint says, or one that listens. */
  int dataBytes(long endpoint) {
    if (dataBytes == 0) {
      long told = FabricFunction.OPTION_VALUE.callLong(endpoint, FI_OPT_CM_DATA_SIZE);
      dataBytes = told > 0 ? (int) Math.min(told, DATA_BYTES_AT_MOST) : DATA_BYTES_AT_MOST;
    }
    return dataBytes;
  }

  /** The same of an endpoint that is to reach a peer. */
  int dataBytes(FabricAddress remote) {
    requireProvider(remote);
    if (dataBytes > 0) {
      return dataBytes;
    }
    long destination = Providers.destination(remote, domain.options());
    try {
      long endpoint =
          NativeObject.open(
              "an endpoint cannot be opened: peer=" + remote + ",",
              FabricFunction.ENDPOINT,
              domain.handle(),
              destination,
              0);
      int bytes = dataBytes(endpoint);
      domain.nativeClosing().closeEndpoint(endpoint, false);
      return bytes;
    } finally {
      FabricFunction.FREE_INFO.call(destination);
    }
  }

  Connection connect(FabricAddress remote, Bindings bindings, byte... data) {
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
          handle -> {
            Connection.requireData(dataBytes(handle), data);
            return FabricFunction.CONNECT.call(handle, destination, memory, data.length);
          });
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
