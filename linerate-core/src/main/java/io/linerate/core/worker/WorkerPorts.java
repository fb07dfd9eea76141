package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.ClosingSteps;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.port.TxQueue;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The ports that a worker uses, and its handlers of those that it receives from. */
final class WorkerPorts {
  private final int worker;
  private final int txQueueNumber;
  private final EngineConfig config;
  private final BurstOwner owner;
  private final FailureLog failures;
  private final Set<DriverPort> ports = new LinkedHashSet<>();
  private final Map<DriverPort, InputHandler> handlers = new LinkedHashMap<>();

  private boolean isAttached;

  WorkerPorts(
      int worker, int txQueueNumber, EngineConfig config, BurstOwner owner, FailureLog failures) {
    this.worker = worker;
    this.txQueueNumber = txQueueNumber;
    this.config = config;
    this.owner = owner;
    this.failures = failures;
  }

  /** See {@link Worker#input}. */
  void input(DriverPort port, BurstHandler handler) {
    if (port.rxQueues() == 0) {
      throw new ConfigException(
          "port has no receive queue: port=%s, address=%s; give its address one, such as rx=PATH, or use it as an output only"
              .formatted(port.name(), port.address()));
    }
    requireTaken(port, handler);
    HandlerGuard guard =
        new HandlerGuard(
            owner,
            failures,
            "port=" + port.name(),
            () -> "handler failed: worker=" + worker + ", port=" + port.name());
    if (handlers.putIfAbsent(port, new InputHandler(handler, guard)) != null) {
      throw new ConfigException(
          "worker has a handler for the port: worker=%d, port=%s, address=%s; let one handler do the work of both"
              .formatted(worker, port.name(), port.address()));
    }
    ports.add(port);
  }

  private static void requireTaken(DriverPort port, BurstHandler handler) {
    List<LinkType> others = port.linkTypes().stream().filter(type -> !handler.takes(type)).toList();
    if (!others.isEmpty()) {
      throw new ConfigException(
          "handler does not take what the port brings: port=%s, address=%s, linktype=%s; let BurstHandler.takes say that it does, and look at Packet.linkType, or choose what the port brings with linktype= in its address"
              .formatted(port.name(), port.address(), LinkType.text(others)));
    }
  }

  /** The transmit queue of the worker's number: see {@link Worker#output(Port)}. */
  TxQueue output(DriverPort port) {
    if (port.txQueues() == 0) {
      throw new ConfigException(
          "port has no transmit queue: port=%s, address=%s; give its address one, such as tx=PATH, or use it as an input only"
              .formatted(port.name(), port.address()));
    }
    if (txQueueNumber >= port.txQueues()) {
      throw new PortException(
          "port has fewer transmit queues than workers: port=%s, txQueues=%d, workers=%d; set workers=%d"
              .formatted(port.name(), port.txQueues(), config.mostWorkers(), port.txQueues()));
    }
    if (ports.add(port) && isAttached) {
      port.attachThread();
    }
    return port.txQueue(txQueueNumber);
  }

  /** The names of all. */
  Stream<String> names() {
    return ports.stream().map(Port::name);
  }

  /** Those that there are handlers for. */
  Set<DriverPort> inputs() {
    return handlers.keySet();
  }

  InputHandler handler(DriverPort port) {
    return Objects.requireNonNull(handlers.get(port));
  }

  /** On the worker's thread, before anything else. */
  void attach(int cpu) {
    new Locality(worker, ports).apply(cpu);
    isAttached = true;
    ports.forEach(DriverPort::attachThread);
  }

  void detach(ClosingSteps steps) {
    if (isAttached) {
      ports.forEach(port -> steps.take(port::detachThread));
    }
  }
}
