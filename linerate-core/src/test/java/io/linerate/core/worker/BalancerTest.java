package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.time.EpochClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Simulated workers: a queue's load goes with it, and shows in the next look. */
final class BalancerTest {
  private static final int WORKERS = 4;
  private static final int QUEUES = 16;

  private final List<Worker> workers = new ArrayList<>();
  private final Map<Input, Double> loads = new LinkedHashMap<>();
  private final Map<Input, Worker> places = new LinkedHashMap<>();
  private final Balancer balancer = new Balancer();

  private void begin(double... queueLoads) {
    DriverPort port = new Queues();
    for (int i = 0; i < WORKERS; i++) {
      Worker worker =
          new Worker(
              i,
              i,
              EngineConfig.DEFAULT,
              new PacketPools(),
              EpochClock.SYSTEM,
              failure -> {},
              failure -> {},
              ended -> {});
      worker.input(port, burst -> {});
      workers.add(worker);
    }
    for (int queue = 0; queue < queueLoads.length; queue++) {
      Input input = new Input(port, queue, workers.get(queue % WORKERS));
      loads.put(input, queueLoads[queue]);
      places.put(input, workers.get(queue % WORKERS));
    }
  }

  private double share(Worker worker) {
    double sum = 0;
    for (Map.Entry<Input, Worker> place : places.entrySet()) {
      sum += place.getValue().equals(worker) ? loads.get(place.getKey()) : 0;
    }
    return Math.min(1, sum);
  }

  private Optional<Balancer.Move> look() {
    List<Balancer.Busy> busy = new ArrayList<>();
    for (Worker worker : workers) {
      Map<Input, Long> packets = new LinkedHashMap<>();
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
        moves += look().isPresent() ? 1 : 0;
      }
      assertThat(moves).as("moves").isLessThanOrEqualTo(QUEUES);
      assertThat(difference()).as("difference").isLessThan(0.4);
      for (int i = 0; i < 200; i++) {
        assertThat(look()).as("at rest").isEmpty();
      }
    }
  }

  @Test
  void shouldWaitForThreeLooksAndLeaveASingleQueueAlone() {
    begin(0.5, 0.1, 0.1, 0.1, 0.4);
    assertThat(look()).isEmpty();
    assertThat(look()).isEmpty();
    assertThat(look()).hasValueSatisfying(move -> assertThat(move.from().id()).isZero());
    for (int i = 0; i < 100; i++) {
      assertThat(look()).isEmpty();
    }
  }

  /** Queues that nobody polls. */
  private static final class Queues implements DriverPort {
    @Override
    public String name() {
      return "simulated";
    }

    @Override
    public PortAddress address() {
      return new PortAddress("simulated", "");
    }

    @Override
    public int rxQueues() {
      return QUEUES;
    }

    @Override
    public int txQueues() {
      return 0;
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
