package io.linerate.apps.capture;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;

/**
 * A port that is exhausted when its budget of packets is spent, to the packet: what is beyond stays
 * in the port. The port itself belongs to somebody else, who starts and closes it.
 */
record BudgetedPort(DriverPort port, PacketBudget budget) implements DriverPort {
  @Override
  public String name() {
    return port.name();
  }

  @Override
  public PortAddress address() {
    return port.address();
  }

  @Override
  public int rxQueues() {
    return port.rxQueues();
  }

  @Override
  public int txQueues() {
    return port.txQueues();
  }

  @Override
  public RxQueue rxQueue(int index) {
    return new Queue(port.rxQueue(index), budget);
  }

  @Override
  public TxQueue txQueue(int index) {
    return port.txQueue(index);
  }

  @Override
  public int socket() {
    return port.socket();
  }

  @Override
  public void attachThread() {
    port.attachThread();
  }

  @Override
  public void detachThread() {
    port.detachThread();
  }

  @Override
  public PortStatistics statistics() {
    return port.statistics();
  }

  @Override
  public void close() {}

  /** Receives whole bursts while the budget lasts for one, then packet by packet. */
  private static final class Queue implements RxQueue {
    private final RxQueue queue;
    private final PacketBudget budget;
    private final MbufArray single = new MbufArray(1);

    Queue(RxQueue queue, PacketBudget budget) {
      this.queue = queue;
      this.budget = budget;
    }

    @Override
    public int receive(MbufArray packets) {
      int room = packets.room();
      if (budget.claim(room)) {
        return receive(packets, room);
      }
      if (!budget.claim(1)) {
        return 0;
      }
      int received = receive(single, 1);
      if (received == 1) {
        packets.append(single.handle(0));
        single.clear();
      }
      return received;
    }

    private int receive(MbufArray packets, int claimed) {
      int received = 0;
      try {
        received = queue.receive(packets);
        return received;
      } finally {
        budget.settle(claimed, received);
      }
    }

    @Override
    public boolean exhausted() {
      return budget.isSpent() || queue.exhausted();
    }
  }
}
