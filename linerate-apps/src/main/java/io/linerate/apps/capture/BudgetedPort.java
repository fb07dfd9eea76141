package io.linerate.apps.capture;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FilterSettings;
import io.linerate.core.port.PortDecorator;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * A port that is exhausted when its budget of packets is spent, to the packet: what is beyond stays
 * in the port. The port itself belongs to somebody else, who starts and closes it.
 *
 * @param isFiltered whether the engine has a filter: only packets that it accepts count
 */
public record BudgetedPort(DriverPort inner, PacketBudget budget, boolean isFiltered)
    implements PortDecorator {
  /**
   * What ports of a program become that ends after so many packets, all ports together; if there is
   * no number they stay as they are.
   */
  public static UnaryOperator<DriverPort> of(OptionalLong packets, EngineConfig config) {
    if (packets.isEmpty()) {
      return UnaryOperator.identity();
    }
    PacketBudget budget = new PacketBudget(packets.getAsLong());
    boolean isFiltered = FilterSettings.of(config).isPresent();
    return port -> new BudgetedPort(port, budget, isFiltered);
  }

  @Override
  public RxQueue rxQueue(int index) {
    return new Queue(inner.rxQueue(index), budget, isFiltered);
  }

  @Override
  public void start() {}

  @Override
  public void close() {}

  /** Receives whole bursts while the budget lasts for one, then packet by packet. */
  private static final class Queue implements RxQueueDecorator {
    private final RxQueue inner;
    private final PacketBudget budget;
    private final boolean isFiltered;
    private final MbufArray single = new MbufArray(1);

    /** Packets of which a filter has not said yet whether they count, and claimed for them. */
    private int unsettled;

    private int claimedForThem;

    Queue(RxQueue inner, PacketBudget budget, boolean isFiltered) {
      this.inner = inner;
      this.budget = budget;
      this.isFiltered = isFiltered;
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
        if (isFiltered && received > 0 && !inner.makesPackets()) {
          unsettled = received;
          claimedForThem = claimed;
        } else {
          budget.settle(claimed, received);
        }
      }
    }

    @Override
    public void filtered(int count) {
      budget.settle(claimedForThem, unsettled - count);
      unsettled = 0;
      claimedForThem = 0;
      inner.filtered(count);
    }

    @Override
    public boolean exhausted() {
      return budget.isSpent() || inner.exhausted();
    }
  }
}
