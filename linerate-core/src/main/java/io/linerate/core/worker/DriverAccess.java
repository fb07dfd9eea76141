package io.linerate.core.worker;

import io.linerate.core.driver.MovableWork;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropTap;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What an engine offers to runtimes such as that of graphs, generators of packets, tests of ports.
 * Nothing of it is checked, so that no handler should be given any.
 */
public final class DriverAccess {
  private final Engine engine;
  private final PacketPools pools;
  private final EnginePorts ports;
  private final WorkerSet workers;

  DriverAccess(Engine engine, PacketPools pools, EnginePorts ports, WorkerSet workers) {
    this.engine = engine;
    this.pools = pools;
    this.ports = ports;
    this.workers = workers;
  }

  /** Where pools are made, and packets of any pool freed. */
  public PacketPools pools() {
    return pools;
  }

  /** Opens a port: see {@link Engine#port(String)}. */
  public DriverPort open(String address) {
    return engine.open(null, address);
  }

  /** Opens a port: see {@link Engine#port(String, String)}. */
  public DriverPort open(String name, String address) {
    return engine.open(name, address);
  }

  /** What the driver made for a port of the engine. */
  public DriverPort port(Port port) {
    return PortView.unwrap(port);
  }

  /** Those of all open ports, in the order in which they were opened. */
  public List<DriverPort> ports() {
    return ports.all();
  }

  /** What a worker shares with a runtime that stands on it. */
  public WorkerResources resources(Worker worker) {
    return worker.resources();
  }

  /** Shows a worker's dropped packets to a tap, from between two bursts on. Any thread. */
  public void addDropTap(Worker worker, DropTap tap) {
    worker.submit(() -> worker.resources().owner().addDropTap(tap));
  }

  /** Shows them to it no longer, from between two bursts on. Any thread. */
  public void removeDropTap(Worker worker, DropTap tap) {
    worker.submit(() -> worker.resources().owner().removeDropTap(tap));
  }

  /**
   * Something failed beside ports, handlers and tasks: it is logged, and fails the run. Any thread.
   *
   * @param what and where, such as {@code element cannot be closed: element=tap, worker=0}
   */
  public void failed(String what, Throwable failure) {
    engine.failures().add(what, failure);
  }

  /**
   * The run cannot go on, which is no bug, such as when a peer is gone: it fails, and its summary
   * says the message alone. Any thread.
   */
  public void givenUp(Throwable failure) {
    engine.failures().addExpected(failure);
  }

  /** What has failed first in the run, beside handlers, if anything has. Any thread. */
  public Optional<Throwable> failure() {
    return engine.failures().first();
  }

  /** Whether workers are asked to end though their inputs have not: {@link Engine#stop}. */
  public boolean isStopping() {
    return workers.threads().isStopping();
  }

  /**
   * Counts failures of handlers that no worker has with the workers': for what runs on one worker
   * now, and later on another.
   */
  public void countFailures(FailureLog failures) {
    workers.countFailures(failures);
  }

  /**
   * Has what is dropped that is no packet stand in the summary ({@link
   * io.linerate.core.statistics.RunSummary#droppedTokens}): packets have counts of their workers.
   */
  public void countDroppedTokens(DropCounts dropped) {
    workers.countDroppedTokens(dropped);
  }

  /**
   * Lets the balancer move work, by what it takes. Before the engine starts.
   *
   * @param works what there is now; asked ten times a second, on any thread
   */
  public void movable(Supplier<List<MovableWork>> works) {
    workers.movable(works);
  }

  /**
   * Does something that depends on the workers that there are, while none is added or retired. Any
   * thread but a worker's.
   */
  public <T> T keepWorkers(Supplier<T> action) {
    return workers.keep(action);
  }
}
