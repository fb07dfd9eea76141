package io.linerate.core.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.linerate.core.driver.MovableWork;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Simulated workers: what a piece takes goes with it, and shows in the next interval. */
final class BalancerTest {
  private static final int WORKERS = 4;
  private static final int QUEUES = 16;

  private final List<Owner> workers = new ArrayList<>();
  private final Map<Piece, Double> loads = new LinkedHashMap<>();
  private final Map<Piece, QueueOwner> places = new LinkedHashMap<>();
  private final Balancer balancer = new Balancer();

  private void begin(int workerCount, double... queueLoads) {
    for (int i = 0; i < workerCount; i++) {
      workers.add(new Owner(i, true));
    }
    for (int queue = 0; queue < queueLoads.length; queue++) {
      put(new Simulated("queue " + queue), queueLoads[queue], queue % workerCount);
    }
  }

  private void put(Piece piece, double load, int worker) {
    loads.put(piece, load);
    places.put(piece, workers.get(worker));
  }

  private double share(QueueOwner worker) {
    double sum = 0;
    for (Map.Entry<Piece, QueueOwner> place : places.entrySet()) {
      sum += place.getValue().equals(worker) ? loads.get(place.getKey()) : 0;
    }
    return Math.min(1, sum);
  }

  private Optional<Balancer.Move> interval() {
    List<Balancer.Busy> busy = new ArrayList<>();
    for (QueueOwner worker : workers) {
      Map<Piece, Double> pieces = new LinkedHashMap<>();
      places.forEach((piece, owner) -> {
        if (owner.equals(worker)) {
          pieces.put(piece, loads.get(piece));
        }
      });
      busy.add(new Balancer.Busy(worker, share(worker), pieces));
    }
    Optional<Balancer.Move> move = balancer.decide(busy);
    move.ifPresent(done -> places.put(done.piece(), done.to().worker()));
    return move;
  }

  private double difference() {
    double[] shares = workers.stream().mapToDouble(this::share).sorted().toArray();
    return shares[shares.length - 1] - shares[0];
  }

  @Test
  void shouldEvenOutAnyLoadInAFewMovesAndRestThen() {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      workers.clear();
      loads.clear();
      places.clear();
      double[] queueLoads = random.doubles(QUEUES).map(load -> load * load * load * 0.4).toArray();
      begin(WORKERS, queueLoads);
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
    begin(WORKERS, 0.5, 0.1, 0.1, 0.1, 0.4);
    assertThat(interval()).isEmpty();
    assertThat(interval()).isEmpty();
    assertThat(interval())
        .hasValueSatisfying(move -> assertThat(move.from().worker().id()).isZero());
    for (int i = 0; i < 100; i++) {
      assertThat(interval()).isEmpty();
    }
  }

  private Balancer.Move third() {
    assertThat(interval()).isEmpty();
    assertThat(interval()).isEmpty();
    return interval().orElseThrow();
  }

  /** Worker 0 is busy for 90 %, worker 1 for 10 %: what takes 40 % leaves both at 50. */
  @Test
  void shouldMoveTheQueueOrStageThatHelpsMost() {
    begin(2, 0.2, 0.1);
    put(new Simulated("large"), 0.3, 0);
    put(new Simulated("right"), 0.4, 0);
    Balancer.Move move = third();
    assertThat(move.piece()).isEqualTo(new Simulated("right"));
    assertThat(move.reason())
        .isEqualTo(
            "moved by the balancer: it took 40 % of worker 0, which was busy for 90 % of the time, worker 1 for 10 %");
  }

  @Test
  void shouldMoveToTheLeastBusyOfThoseThatTakeMore() {
    begin(3, 0.4, 0.3, 0.1);
    workers.set(2, new Owner(2, false));
    put(new Simulated("stage"), 0.3, 0);
    assertThat(third().to().worker().id()).isEqualTo(1);
  }

  /** What takes more on the other worker than here would come back at once. */
  @Test
  void shouldLeaveAloneForAWhileWhatHasMoved() {
    begin(2, 0.1, 0.1);
    Piece stage = new Simulated("stage");
    put(stage, 0.6, 0);
    put(new Simulated("other"), 0.3, 0);
    assertThat(third().piece()).isEqualTo(stage);
    loads.put(stage, 1.0);
    int moves = 0;
    for (int i = 0; i < Balancer.REST_INTERVALS; i++) {
      moves += interval().filter(move -> move.piece().equals(stage)).isPresent() ? 1 : 0;
    }
    assertThat(moves).isZero();
  }

  /** Loads are told wrongly by up to a third, another way each time. */
  @Test
  void shouldSeldomMoveForNoise() {
    Random random = new Random(1);
    begin(2, 0.4, 0.4);
    put(new Simulated("first"), 0.2, 0);
    put(new Simulated("second"), 0.2, 1);
    Map<Piece, Double> real = new LinkedHashMap<>(loads);
    int moves = 0;
    for (int i = 0; i < 10_000; i++) { // Of a tenth of a second.
      real.forEach((piece, load) -> loads.put(piece, load * (0.67 + 0.66 * random.nextDouble())));
      moves += interval().isPresent() ? 1 : 0;
    }
    assertThat(moves).isLessThan(20);
  }

  private WorkerLoad load(long busyNs, long idleNs) {
    return new WorkerLoad(busyNs, idleNs);
  }

  @Test
  void shouldShareAWorkersTimeAmongStagesAsMeasuredAndQueuesByTheirPackets() {
    AssignedQueue first = new AssignedQueue(new Queues(), 0, new Owner(0, true));
    AssignedQueue second = new AssignedQueue(new Queues(), 1, new Owner(0, true));
    Timed stage = new Timed(new AtomicLong());
    QueueTable table = new QueueTable(() -> {});
    Shares shares = new Shares();
    Loaded worker = new Loaded(new AtomicReference<>(load(5_000, 5_000)));
    shares.of(worker, List.of(stage), List.of(first, second), table);

    stage.took.set(300);
    first.add(10);
    second.add(30);
    worker.told.set(load(5_700, 5_300)); // 700 of 1,000 ns, of which queues have 400.
    Balancer.Busy busy = shares.of(worker, List.of(stage), List.of(first, second), table);
    assertThat(busy.share()).isEqualTo(0.7, within(1e-9));
    assertThat(busy.pieces().get(new Piece.Work(stage))).isEqualTo(0.3, within(1e-9));
    assertThat(busy.pieces().get(new Piece.Queue(first, table))).isEqualTo(0.1, within(1e-9));
    assertThat(busy.pieces().get(new Piece.Queue(second, table))).isEqualTo(0.3, within(1e-9));

    stage.took.set(2_300); // An estimate that says more than there was.
    worker.told.set(load(6_200, 5_800));
    assertThat(shares.of(worker, List.of(stage), List.of(), table))
        .isEqualTo(new Balancer.Busy(worker, 0.5, Map.of(new Piece.Work(stage), 0.5)));
  }

  /** Something that goes wherever it is sent. */
  private record Simulated(String name) implements Piece {
    @Override
    public boolean canGoTo(QueueOwner worker) {
      return worker.takesMore();
    }

    @Override
    public void moveTo(QueueOwner worker, String reason) {}
  }

  /** Something of which the test says what it took. */
  private record Timed(AtomicLong took) implements MovableWork {
    @Override
    public int worker() {
      return 0;
    }

    @Override
    public long ns() {
      return took.get();
    }

    @Override
    public void move(int worker, String reason) {}
  }

  /** A worker that takes any queue, or none. */
  private record Owner(int id, boolean takesMore) implements QueueOwner {
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

  /** A worker of which the test says what it does. */
  private record Loaded(AtomicReference<WorkerLoad> told) implements QueueOwner {
    @Override
    public int id() {
      return 0;
    }

    @Override
    public boolean takesMore() {
      return true;
    }

    @Override
    public WorkerLoad load() {
      return told.get();
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
