package io.linerate.bench.scaling;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortDecorator;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.RxQueue;

/**
 * One receive queue of a port, behind a gate. The port itself belongs to somebody else, who starts
 * and closes it.
 */
final class GatedPort implements PortDecorator {
  private final DriverPort port;
  private final Gate gate;
  private final int queue;

  /**
   * @param worker its number: its gate, and its queue if the port has as many
   */
  GatedPort(DriverPort port, Gate[] gates, int worker) {
    this.port = port;
    gate = gates[worker];
    queue = port.rxQueues() > worker && isShared(port) ? worker : 0;
  }

  /** Whether each worker has a queue of this port, not a port of its own. */
  private static boolean isShared(DriverPort port) {
    return port.name().equals("port0");
  }

  @Override
  public DriverPort inner() {
    return port;
  }

  @Override
  public PortProperties properties() {
    return port.properties().withRxQueues(1);
  }

  @Override
  public RxQueue rxQueue(int index) {
    return new Queue(gate, port.rxQueue(queue));
  }

  @Override
  public void start() {}

  @Override
  public void close() {}

  private record Queue(Gate gate, RxQueue queue) implements RxQueue {
    @Override
    public int receive(MbufArray packets) {
      return gate.isOpen ? queue.receive(packets) : 0;
    }
  }
}
