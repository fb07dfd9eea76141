package io.linerate.graph;

import io.linerate.core.memory.DropCounts;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.Worker;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** A worker of an engine, which has each port once, whatever graphs come and go. */
final class EngineWorker implements EngineHostWorker {
  private final Engine engine;
  private final Worker worker;
  private final UnaryOperator<DriverPort> before;
  private final Map<String, DriverPort> inputs = new HashMap<>();
  private final Map<String, PortOutput> outputs = new HashMap<>();

  /**
   * @param refused what the port has refused since the output was opened
   */
  private record PortOutput(Output output, DropCounts refused) {}

  /**
   * @param before what packets are received from, for each port
   */
  EngineWorker(Engine engine, Worker worker, UnaryOperator<DriverPort> before) {
    this.engine = engine;
    this.worker = worker;
    this.before = before;
  }

  @Override
  public void receive(String port, BurstHandler handler) {
    DriverPort known = inputs.get(port);
    if (known != null) {
      worker.replaceHandler(known, handler);
    } else {
      DriverPort input = before.apply(find(port));
      worker.input(input, handler);
      inputs.put(port, input);
    }
  }

  @Override
  public BurstHandler transmit(String port, DropCounts refused) {
    PortOutput known = outputs.computeIfAbsent(port, this::open);
    known.refused.whole(refused);
    return known.output::sendAll;
  }

  private PortOutput open(String port) {
    DropCounts refused = new DropCounts(engine.drivers().resources(worker).drops());
    return new PortOutput(worker.output(find(port), refused), refused);
  }

  @Override
  public void submit(Runnable action) {
    worker.submit(action);
  }

  @Override
  public Engine engine() {
    return engine;
  }

  private DriverPort find(String name) {
    return Objects.requireNonNull(
        engine.drivers().ports().stream()
            .filter(port -> port.name().equals(name))
            .findFirst()
            .orElse(null));
  }
}
