package io.linerate.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.WorkerLoad;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Simulated workers: a queue's load goes with it, and shows in the next interval. */
final class BalancerTest {
  private static final int WORKERS = 4;
  private static final int QUEUES = 16;

  private final List<QueueOwner> workers = new ArrayList<>();
  private final Map<AssignedQueue, Double> loads = new LinkedHashMap<>();
  private final Map<AssignedQueue, QueueOwner> places = new LinkedHashMap<>();
  private final Balancer balancer = new Balancer();

  private void begin(double... queueLoads) {
    DriverPort port = new Queues();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(new Owner(i));
    }
    for (int queue = 0; queue < queueLoads.length; queue++) {
      AssignedQueue input = new AssignedQueue(port, queue, workers.get(queue % WORKERS));
      loads.put(input, queueLoads[queue]);
      places.put(input, workers.get(queue % WORKERS));
    }
  }

  private double share(QueueOwner worker) {
    double sum = 0;
    for (Map.Entry<AssignedQueue, QueueOwner> place : places.entrySet()) {
      sum += place.getValue().equals(worker) ? loads.get(place.getKey()) : 0;
    }
    return Math.min(1, sum);
  }

  private Optional<Balancer.Move> interval() {
    List<Balancer.Busy> busy = new ArrayList<>();
    for (QueueOwner worker : workers) {
      Map<AssignedQueue, Long> packets = new LinkedHashMap<>();
      places.forEach((input, owner) -> {
        if (owner.equals(worker)) {
          packets.put(input, Math.round(loads.get(input) * 1e6));
        }
      });
      busy.add(new Balancer.Busy(worker, share(worker), packets));
    }
    Optional<Balancer.Move> move = balancer.decide(busy);
    move.ifPresent(done -> places.put(done.queue(), done.to()));
    return move;
  }

  private double difference() {
    double[] shares = workers.stream().mapToDouble(this::share).sorted().toArray();
    return shares[WORKERS - 1] - shares[0];
  }

  @Test
  void shouldEvenOutAnyLoadInAFewMovesAndRestThen() {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      workers.clear();
      loads.clear();
      places.clear();
      double[] queueLoads = random.doubles(QUEUES).map(load -> load * load * load * 0.4).toArray();
      begin(queueLoads);
      int moves = 0;
      for (int i = 0; i < 200; i++) {
        moves += interval().isPresent() ? 1 : 0;
      }
      assertThat(moves).as("moves").isLessThanOrEqualTo(QUEUES);
      assertThat(difference()).as("difference").isLessThan(0.4);
      for (int i = 0; i < 200; i++) {
        assertThat(interval()).as("at rest").isEmpty();
      }
    }
  }

  @Test
  void shouldWaitForThreeIntervalsAndLeaveASingleQueueAlone() {
    begin(0.5, 0.1, 0.1, 0.1, 0.4);
    assertThat(interval()).isEmpty();
    assertThat(interval()).isEmpty();
    assertThat(interval()).hasValueSatisfying(move -> assertThat(move.from().id()).isZero());
    for (int i = 0; i < 100; i++) {
      assertThat(interval()).isEmpty();
    }
  }

  /** A worker that takes any queue. */
  private record Owner(int id) implements QueueOwner {
    @Override
    public WorkerLoad load() {
      return WorkerLoad.NONE;
    }

    @Override
    public Set<DriverPort> ports() {
      return Set.of();
    }

    @Override
    public boolean canTake(DriverPort port) {
      return true;
    }

    @Override
    public void attach(AssignedQueue queue) {}

    @Override
    public void release(Handover handover) {}

    @Override
    public void take(Handover handover) {}
  }

  /** Queues that nobody polls. */
  private static final class Queues implements DriverPort {
    @Override
    public PortProperties properties() {
      return new PortProperties("simulated", QUEUES, 0);
    }

    @Override
    public RxQueue rxQueue(int index) {
      return burst -> 0;
    }

    @Override
    public TxQueue txQueue(int index) {
      throw new IndexOutOfBoundsException("no transmit queue: index=" + index);
    }

    @Override
    public PortStatistics statistics() {
      return PortStatistics.NONE;
    }

    @Override
    public void close() {}
  }
}
