package io.linerate.driver.ring;

import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SpscRing;
import io.linerate.core.port.PortAddress;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two ports and the rings between them: what one end sends through its transmit queue q, the other
 * receives from its receive queue q. A loopback has one end, which receives what it sends.
 *
 * <p>The engine makes wires from {@code ring:} addresses. A test can make one itself and hold the
 * far end:
 *
 * <pre>{@code
 * try (var wire = new Wire("lab", 1, 1_024, pools)) {
 *   Port near = wire.end("near");
 *   Port far = wire.end("far");
 * }
 * }</pre>
 */
public final class Wire implements AutoCloseable {
  static final int DEFAULT_SIZE = 1_024;
  static final int MAX_SIZE = 1 << 20;

  private final String name;
  private final int size;
  private final PacketPools pools;
  private final SpscRing[] there;
  private final SpscRing[] back;
  private @Nullable RingPort first;
  private @Nullable RingPort second;

  /**
   * A wire with two ends.
   *
   * @param queues queues of each end in each direction
   * @param size packets that each queue holds
   * @param pools where packets return that nobody received
   */
  public Wire(String name, int queues, int size, PacketPools pools) {
    this(name, size, pools, rings(queues, size), rings(queues, size));
  }

  private Wire(String name, int size, PacketPools pools, SpscRing[] there, SpscRing[] back) {
    this.name = name;
    this.size = size;
    this.pools = pools;
    this.there = there;
    this.back = back;
  }

  /** A wire whose one end receives what it sends. */
  public static Wire loopback(String name, int queues, int size, PacketPools pools) {
    SpscRing[] rings = rings(queues, size);
    return new Wire(name, size, pools, rings, rings);
  }

  private static SpscRing[] rings(int queues, int size) {
    return Stream.generate(() -> new SpscRing(size)).limit(queues).toArray(SpscRing[]::new);
  }

  int size() {
    return size;
  }

  boolean isLoopback() {
    return Arrays.equals(there, back);
  }

  /** Whether it has an end left to open. */
  public boolean hasFreeEnd() {
    return first == null || hasOneEnd();
  }

  /**
   * The next end.
   *
   * @param portName its name in messages
   * @throws IllegalStateException if there is none left
   */
  public RingPort end(String portName) {
    return end(portName, new PortAddress("ring", name));
  }

  RingPort end(String portName, PortAddress address) {
    if (!hasFreeEnd()) {
      throw new IllegalStateException("wire has no free end: wire=" + name);
    }
    if (first == null) {
      first = new RingPort(portName, address, back, there, pools, this::hasOneEnd);
      return first;
    }
    second = new RingPort(portName, address, there, back, pools, () -> false);
    return second;
  }

  private boolean hasOneEnd() {
    return second == null && !isLoopback();
  }

  /** Closes both ends and frees what nobody received. */
  @Override
  public void close() {
    close(first);
    close(second);
    for (SpscRing ring : there) {
      ring.freeAll(pools);
    }
    for (SpscRing ring : back) {
      ring.freeAll(pools);
    }
  }

  private static void close(@Nullable RingPort end) {
    if (end != null) {
      end.close();
    }
  }
}
