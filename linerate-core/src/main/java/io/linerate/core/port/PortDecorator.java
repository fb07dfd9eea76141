package io.linerate.core.port;

import io.linerate.core.driver.PacketPool;
import io.linerate.core.memory.LinkType;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A port that stands before another and is that port, but for what it overrides. */
public interface PortDecorator extends DriverPort {
  /** The port that it stands before. */
  DriverPort inner();

  @Override
  default PortProperties properties() {
    return inner().properties();
  }

  @Override
  default RxQueue rxQueue(int index) {
    return inner().rxQueue(index);
  }

  @Override
  default TxQueue txQueue(int index) {
    return inner().txQueue(index);
  }

  @Override
  default @Nullable FlowSteering steering() {
    return inner().steering();
  }

  @Override
  default @Nullable PacketPool pool() {
    return inner().pool();
  }

  @Override
  default boolean hasLink() {
    return inner().hasLink();
  }

  @Override
  default boolean isLinkUp() {
    return inner().isLinkUp();
  }

  @Override
  default Set<LinkType> linkTypes() {
    return inner().linkTypes();
  }

  @Override
  default boolean transmits(LinkType type) {
    return inner().transmits(type);
  }

  @Override
  default PortStatistics statistics() {
    return inner().statistics();
  }

  @Override
  default void start() {
    inner().start();
  }

  @Override
  default void attachThread() {
    inner().attachThread();
  }

  @Override
  default void detachThread() {
    inner().detachThread();
  }

  @Override
  default void close() {
    inner().close();
  }
}
