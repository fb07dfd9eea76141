package io.linerate.driver.ring;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortDecorator;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A port that stands before another: it is that port, but for what its {@link Decoration} does. */
final class DecoratedPort implements PortDecorator {
  private final PortProperties properties;
  private final DriverPort inner;
  private final Decoration decoration;
  private final RxQueue[] rxQueues;
  private final TxQueue[] txQueues;

  private DecoratedPort(PortRequest request, DriverPort inner, Decoration decoration) {
    properties = inner.properties().named(request.name(), request.address());
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
  public DriverPort inner() {
    return inner;
  }

  @Override
  public PortProperties properties() {
    return properties;
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
