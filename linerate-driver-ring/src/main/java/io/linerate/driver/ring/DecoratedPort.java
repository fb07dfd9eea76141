package io.linerate.driver.ring;

import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A port that stands before another: it is that port, but for what its {@link Decoration} does. */
final class DecoratedPort implements DriverPort {
  private final String name;
  private final PortAddress address;
  private final DriverPort inner;
  private final Decoration decoration;
  private final RxQueue[] rxQueues;
  private final TxQueue[] txQueues;

  private DecoratedPort(PortRequest request, DriverPort inner, Decoration decoration) {
    name = request.name();
    address = request.address();
    this.inner = inner;
    this.decoration = decoration;
    rxQueues =
        IntStream.range(0, inner.rxQueues())
            .mapToObj(queue -> decoration.receiving(inner.rxQueue(queue), queue))
            .toArray(RxQueue[]::new);
    txQueues =
        IntStream.range(0, inner.txQueues())
            .mapToObj(queue -> decoration.sending(inner.txQueue(queue), queue))
            .toArray(TxQueue[]::new);
  }

  /** Opens the inner port, then makes the decoration; if that fails, the inner port is closed. */
  static DecoratedPort open(
      PortRequest request, PortAddress innerAddress, Function<Port, Decoration> decoration) {
    DriverPort inner = request.inner().apply(innerAddress);
    try {
      return new DecoratedPort(request, inner, decoration.apply(inner));
    } catch (RuntimeException e) {
      try (inner) {
        throw e;
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public PortAddress address() {
    return address;
  }

  @Override
  public int rxQueues() {
    return rxQueues.length;
  }

  @Override
  public int txQueues() {
    return txQueues.length;
  }

  @Override
  public RxQueue rxQueue(int index) {
    return rxQueues[index];
  }

  @Override
  public TxQueue txQueue(int index) {
    return txQueues[index];
  }

  @Override
  public @Nullable PacketPool pool() {
    return inner.pool();
  }

  @Override
  public @Nullable FlowSteering steering() {
    return inner.steering();
  }

  @Override
  public int socket() {
    return inner.socket();
  }

  @Override
  public void start() {
    inner.start();
  }

  @Override
  public void attachThread() {
    inner.attachThread();
  }

  @Override
  public void detachThread() {
    inner.detachThread();
  }

  @Override
  public PortStatistics statistics() {
    return decoration.statistics(inner.statistics());
  }

  @Override
  @SuppressWarnings("try") // Both are closed, whichever fails.
  public void close() {
    try (inner) {
      decoration.close();
    }
  }
}
