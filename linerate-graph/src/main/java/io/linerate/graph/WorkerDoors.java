package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.Worker;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The ports as a worker of an engine reaches them: each once, whatever graphs come and go. */
final class WorkerDoors implements Doors {
  private final Engine engine;
  private final Worker worker;
  private final Map<String, Way> in = new HashMap<>();
  private final Map<String, Door> out = new HashMap<>();
  private final UnaryOperator<DriverPort> before;
  private Runnable onQueueLeaving = () -> {};
  private boolean hasBegun;

  /**
   * @param before what packets are received from, for each port
   */
  WorkerDoors(Engine engine, Worker worker, UnaryOperator<DriverPort> before) {
    this.engine = engine;
    this.worker = worker;
    this.before = before;
  }

  /** Does something before a receive queue goes to another worker. */
  void onQueueLeaving(Runnable action) {
    onQueueLeaving = action;
  }

  @Override
  public void begin() {
    hasBegun = true;
  }

  @Override
  public void receive(String port, BurstHandler handler) {
    Way way = in.get(port);
    if (way == null) {
      Way first = new Way(handler);
      in.put(port, first);
      worker.input(before.apply(find(port)), first);
    } else {
      way.handler = handler;
    }
  }

  @Override
  public Door transmit(String port, DropCounts whole) {
    Door door =
        out.computeIfAbsent(
            port,
            name -> {
              DropCounts refused = new DropCounts();
              DriverPort exit = find(name);
              if (hasBegun && !in.containsKey(name)) {
                exit.attachThread(); // The engine did so for those that it knew when it began.
              }
              Output output = worker.output(exit, refused);
              return new Door(output::sendAll, refused);
            });
    door.refused().whole(whole);
    return door;
  }

  private DriverPort find(String name) {
    return Objects.requireNonNull(
        engine.drivers().ports().stream()
            .filter(port -> port.name().equals(name))
            .findFirst()
            .orElse(null));
  }

  /** Leads to the element that receives now. */
  private final class Way implements BurstHandler {
    private BurstHandler handler;

    Way(BurstHandler handler) {
      this.handler = handler;
    }

    @Override
    public void onBurst(Burst burst) throws Exception {
      handler.onBurst(burst);
    }

    @Override
    public boolean isReady() {
      return handler.isReady();
    }

    @Override
    public void onQueueLeaving(Port port, int queue) {
      onQueueLeaving.run();
    }
  }
}
