package io.linerate.fabric;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happens to connections: requests, answers, ends (fi_eq(3)). It tells the listeners and
 * connections; reads {@code struct event} of linerate_fabric.c.
 */
final class EventQueue {
  static final int EVENT_BYTES = 296;
  static final int DATA = 40;

  private static final int ID = 0;
  private static final int INFO = 8;
  private static final int ERROR = 16;
  private static final int PROVIDER_ERROR = 24;
  private static final int LENGTH = 32;
  private static final int CONNECTION_REQUEST = 1; // FI_CONNREQ; FI_NOTIFY is 0.
  private static final int CONNECTED = 2;
  private static final int SHUTDOWN = 3;

  private final FabricDomain domain;
  private final long handle;
  private final DescriptorSleep sleep;
  private final long event;
  private final Map<Long, Object> objects = new HashMap<>();
  private long ids;

  /** Of one that the provider has opened, and the domain closes. */
  EventQueue(FabricDomain domain, Arena arena, long handle) {
    this.domain = domain;
    this.handle = handle;
    sleep = new DescriptorSleep(arena, FabricFunction.DESCRIPTOR.call(handle));
    event = arena.allocate(EVENT_BYTES, Long.BYTES).address();
  }

  long handle() {
    return handle;
  }

  /** What the next listener or connection is called in events. */
  long nextId() {
    return ++ids;
  }

  void add(long id, Object object) {
    objects.put(id, object);
  }

  void remove(long id) {
    objects.remove(id);
  }

  boolean isIdle() {
    return objects.isEmpty();
  }

  /** Tells what has happened until now. */
  void poll() {
    while (true) {
      long number = FabricLibrary.event(domain.calls(), handle, event);
      if (number == -Errno.EAGAIN) {
        return;
      }
      if (number < 0 && number != -FabricError.FI_EAVAIL) {
        throw FabricException.of("events cannot be read:", number);
      }
      tell((int) number, objects.get(NativeMemory.u64(event + ID)));
    }
  }

  private void tell(int number, @Nullable Object object) {
    long info = number == CONNECTION_REQUEST ? NativeMemory.u64(event + INFO) : 0;
    switch (object) {
      case NativeListener listener when info != 0 -> listener.requested(info, data());
      case Connection connection when number == CONNECTED -> connection.connected(data());
      case Connection connection when number == SHUTDOWN ->
          connection.ended(
              Connection.State.DISCONNECTED,
              FabricError.of(
                  FabricError.Kind.DISCONNECTED,
                  "the peer has ended the connection: address=" + connection.remote()),
              new byte[0]);
      case Connection connection when number == -FabricError.FI_EAVAIL ->
          connection.ended(Connection.State.REFUSED, error(), data());
      case null, default -> {
        // Of what was closed meanwhile.
        if (info != 0) {
          FabricFunction.FREE_INFO.call(info);
        }
      }
    }
  }

  private FabricError error() {
    return FabricError.of(
        (int) NativeMemory.u64(event + ERROR),
        (int) NativeMemory.u64(event + PROVIDER_ERROR),
        null,
        0,
        0);
  }

  @SuppressWarnings("restricted")
  private byte[] data() {
    long length = NativeMemory.u64(event + LENGTH);
    return MemorySegment.ofAddress(event + DATA).reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Sleeps until something happens, or time is over. */
  void sleep(Duration atMost) {
    if (FabricLibrary.mayWait(domain.calls(), domain.nativeDomain().fabric(), handle)) {
      sleep.sleep(atMost.toNanos());
    }
  }
}
