package io.linerate.graph;

import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pool that elements make packets from: that of the first port that has one with room, or else
 * one of the graph's own, made when first needed.
 */
final class GraphPool implements Supplier<PacketPool> {
  private static final int HEADROOM_BYTES = 128;
  private static final int ROOM_BYTES = 2_048;

  private final Engine engine;
  private @Nullable PacketPool pool;

  GraphPool(Engine engine) {
    this.engine = engine;
  }

  @Override
  public synchronized PacketPool get() {
    if (pool == null) {
      pool =
          engine.drivers().ports().stream()
              .map(DriverPort::pool)
              .filter(Objects::nonNull)
              .filter(candidate -> candidate.roomBytes() >= ROOM_BYTES)
              .findFirst()
              .orElseGet(() ->
                  engine
                      .drivers()
                      .pools()
                      .create("graph", engine.config().buffers(), HEADROOM_BYTES, ROOM_BYTES));
    }
    return pool;
  }
}
