package io.linerate.core.port;

import io.linerate.core.memory.LinkType;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place where packets enter and leave the program, as an application sees it: a device, a file, a
 * ring. What it is called, what it has and what it counted; its packets come to handlers and go
 * through outputs. Any thread, until the engine is closed.
 */
public interface Port {
  PortProperties properties();

  /** Name in messages and statistics, unique in its engine. */
  default String name() {
    return properties().name();
  }

  default PortAddress address() {
    return properties().address();
  }

  /**
   * Receive queues that there are: as many as asked for, or fewer if the port cannot have as many.
   */
  default int rxQueues() {
    return properties().rxQueues();
  }

  /** Transmit queues that there are. */
  default int txQueues() {
    return properties().txQueues();
  }

  /**
   * How packets are spread over the receive queues: by rules and by a hash. Null when it has one
   * queue, or when its queues are chosen elsewhere, as those of files and rings.
   */
  default @Nullable FlowSteering steering() {
    return null;
  }

  /** CPU socket (NUMA node) of the device, or -1 if it has none. */
  default int socket() {
    return properties().socket();
  }

  /**
   * Whether packets can come and go: there is a cable, a peer, an interface that is up. True for a
   * port that has nothing of the kind, such as a file.
   */
  default boolean isLinkUp() {
    return true;
  }

  /** What the packets may begin with that it receives: of other types there are none. */
  default Set<LinkType> linkTypes() {
    return LinkType.ETHERNET_ONLY;
  }

  /** Whether it transmits packets that begin so; others it refuses. */
  default boolean transmits(LinkType type) {
    return linkTypes().contains(type);
  }

  /** What it has counted until now. */
  PortStatistics statistics();
}
