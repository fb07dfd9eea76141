package io.linerate.apps.capture;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortDecorator;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;

/**
 * A port that is exhausted when its budget of packets is spent, to the packet: what is beyond stays
 * in the port. The port itself belongs to somebody else, who starts and closes it.
 */
public record BudgetedPort(DriverPort inner, PacketBudget budget) implements PortDecorator {
  @Override
  public RxQueue rxQueue(int index) {
    return new Queue(inner.rxQueue(index), budget);
  }

  @Override
  public void start() {}

  @Override
  public void close() {}

  /** Receives whole bursts while the budget lasts for one, then packet by packet. */
  private static final class Queue implements RxQueueDecorator {
    private final RxQueue inner;
    private final PacketBudget budget;
    private final MbufArray single = new MbufArray(1);

    Queue(RxQueue inner, PacketBudget budget) {
      this.inner = inner;
      this.budget = budget;
    }

    @Override
    public RxQueue inner() {
      return inner;
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
        received = inner.receive(packets);
        return received;
      } finally {
        budget.settle(claimed, received);
      }
    }

    @Override
    public boolean exhausted() {
      return budget.isSpent() || inner.exhausted();
    }
  }
}
