package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.balance.AssignedQueue;
import io.linerate.core.balance.QueueOwner;
import io.linerate.core.balance.QueueTable;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortDecorator;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.time.EpochClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rounds of a worker, one by one, on the test's thread. */
final class WorkerTest {
  private static final DropReason RULE = DropReason.named("rule");
  private final PacketPools pools = new PacketPools();
  private final ScriptedPort.Sink sink = new ScriptedPort.Sink(pools);
  private final List<PortException> failures = new ArrayList<>();
  private final List<AssignedQueue> ended = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final QueueTable queues = new QueueTable(() -> {});

  private Worker worker(EngineConfig config) {
    WorkerContext context =
        new WorkerContext(
            config,
            pools,
            EpochClock.SYSTEM,
            new RunFailures(),
            failures::add,
            failures::add,
            ended::add);
    Worker worker = new Worker(workers.size(), workers.size(), context);
    workers.add(worker);
    return worker;
  }

  private void begin() {
    queues.distribute(workers.stream().map(one -> (QueueOwner) one.queues()).toList());
    workers.forEach(worker -> worker.belongTo(Thread.currentThread()));
    workers.forEach(Worker::begin);
  }

  /** A worker that sends what a source brings. */
  private Worker forward(EngineConfig config, int packets) {
    Worker worker = worker(config);
    worker.input(source(packets), worker.output(ScriptedPort.sending(sink))::sendAll);
    begin();
    return worker;
  }

  private ScriptedPort source(int packets) {
    return ScriptedPort.receiving(new ScriptedPort.Source(pools, packets));
  }

  /** Brings one packet each time, without end. */
  private ScriptedPort endless() {
    ScriptedPort.Source packets = new ScriptedPort.Source(pools, Integer.MAX_VALUE);
    return ScriptedPort.receiving(burst -> packets.receive(burst, 1));
  }

  private static void consume(Burst burst) {
    burst.dropAll(DropReason.CONSUMED);
  }

  private static List<Long> numbers(int count) {
    return LongStream.range(0, count).boxed().toList();
  }

  @AfterEach
  void endWithAllBuffersHomeAndTheLawKept() {
    for (Worker worker : workers) {
      worker.end();
      assertThat(worker.counts().isConserved()).isTrue();
      assertThat(worker.counts().inFlight()).isZero();
    }
    assertThat(pools.close()).isEmpty();
  }

  @Test
  void shouldTransmitABurstBeforeItReceivesTheNext() {
    Worker worker = forward(EngineConfig.DEFAULT.withRxBurst(32).withTxBurst(32), 70);
    assertThat(worker.doWork()).isEqualTo(32);
    assertThat(sink.sent).isEmpty();
    assertThat(worker.doWork()).isEqualTo(32);
    assertThat(sink.sent).isEqualTo(numbers(32));
    assertThat(worker.doWork()).isEqualTo(6);
    assertThat(sink.sent).isEqualTo(numbers(64));
  }

  /** Of a driver that transmits and receives with one call. */
  private final class ExchangingSource implements RxQueue {
    private final ScriptedPort.Source packets;
    private int exchanges;

    ExchangingSource(int count) {
      packets = new ScriptedPort.Source(pools, count);
    }

    @Override
    public int receive(MbufArray into) {
      return packets.receive(into);
    }

    @Override
    public boolean canExchange(TxQueue tx, MbufArray due) {
      return tx instanceof ScriptedPort.Sink;
    }

    @Override
    public long exchange(MbufArray into, FreeBuffer spent, TxQueue tx, MbufArray due) {
      exchanges++;
      long taken = tx.send(due, 0);
      return taken << 16 | receive(into, spent);
    }

    @Override
    public boolean exhausted() {
      return packets.exhausted();
    }
  }

  @Test
  void shouldTransmitAndReceiveWithOneCallWhereTheDriverCan() {
    ExchangingSource source = new ExchangingSource(130);
    Worker worker = worker(EngineConfig.DEFAULT.withRxBurst(32).withTxBurst(32).withTxRetryUs(0));
    Output output = worker.output(ScriptedPort.sending(sink));
    worker.input(ScriptedPort.receiving(source), output::sendAll);
    begin();
    sink.room = 80; // The third burst finds room for half of it, and the fourth for none.
    for (int round = 0; round < 5; round++) {
      var _ = worker.doWork();
    }
    assertThat(source.exchanges).isEqualTo(4);
    assertThat(sink.sent).isEqualTo(numbers(80));
    assertThat(worker.doWork()).isEqualTo(1); // What is left is transmitted without receiving.
    assertThat(source.exchanges).isEqualTo(4);
    assertThat(worker.counts().received()).isEqualTo(130);
    assertThat(worker.counts().sent()).isEqualTo(80);
    assertThat(worker.counts().dropped()).containsExactly(Map.entry("tx_full", 50L));
  }

  @Test
  void shouldTransmitWhatIsStoredWhenARoundBringsNothing() {
    Worker worker = forward(EngineConfig.DEFAULT, 3);
    assertThat(worker.doWork()).isEqualTo(3);
    assertThat(sink.sent).isEmpty();
    assertThat(worker.doWork()).isEqualTo(1);
    assertThat(sink.sent).isEqualTo(numbers(3));
    assertThat(worker.counts().sent()).isEqualTo(3);
    assertThat(worker.doWork()).isZero();
  }

  @Test
  void shouldTransmitWhatIsStoredAfterTheDrainTimeThoughItIsBusy() {
    Worker worker = worker(EngineConfig.DEFAULT.withDrainUs(0));
    worker.input(source(1), worker.output(ScriptedPort.sending(sink))::sendAll);
    worker.input(endless(), WorkerTest::consume);
    begin();
    IntStream.range(0, 15).forEach(round -> assertThat(worker.doWork()).isPositive());
    assertThat(sink.sent).isEmpty();
    assertThat(worker.doWork()).isPositive();
    assertThat(sink.sent).isEqualTo(numbers(1));
  }

  @Test
  void shouldLetPacketsWaitForTheirQueueInOrderWhenAnOutputKeepsWhatIsRefused() {
    sink.room = 8;
    Worker worker = worker(EngineConfig.DEFAULT.withTxBurst(64).withTxRetryUs(0));
    Output output = worker.output(ScriptedPort.sending(sink)).keepRefused();
    worker.input(source(20), output::sendAll);
    begin();
    assertThat(worker.doWork()).isEqualTo(20);
    assertThat(worker.doWork()).isZero();
    assertThat(worker.counts().inFlight()).isEqualTo(12);
    assertThat(output.pending()).isEqualTo(12);
    sink.room = 100;
    assertThat(worker.doWork()).isEqualTo(1);
    assertThat(sink.sent).isEqualTo(numbers(20));
    assertThat(worker.counts().dropped()).isEmpty();
  }

  /** Takes packets at once, and sends them at the third flush. */
  private static final class SlowQueue implements TxQueue {
    private final TxQueue behind;
    private int taken;
    private int flushes;

    SlowQueue(TxQueue behind) {
      this.behind = behind;
    }

    @Override
    public int send(MbufArray packets, int from) {
      int count = behind.send(packets, from);
      taken += count;
      return count;
    }

    @Override
    public int undecided() {
      return flushes < 3 ? taken : 0;
    }

    @Override
    public void flush() {
      flushes++;
    }
  }

  @Test
  void shouldFlushAQueueUntilItKnowsWhatBecameOfItsPacketsThoughNothingMoreComes() {
    Worker worker = worker(EngineConfig.DEFAULT);
    worker.input(source(20), worker.output(ScriptedPort.sending(new SlowQueue(sink)))::sendAll);
    begin();
    assertThat(worker.doWork()).isEqualTo(20);
    assertThat(worker.doWork()).isZero();
    assertThat(worker.counts().inFlight()).isEqualTo(20);
    assertThat(worker.doWork()).isZero();
    assertThat(worker.doWork()).as("rounds that end the work").isEqualTo(1);
    assertThat(worker.counts().sent()).isEqualTo(20);
    assertThat(worker.counts().inFlight()).isZero();
  }

  @Test
  void shouldDropWhatWaitsInAnOutputThatKeepsWhatIsRefusedWhenItIsFullOrEnds() {
    sink.room = 8;
    Worker worker = worker(EngineConfig.DEFAULT.withTxBurst(32).withTxRetryUs(0));
    worker.input(source(100), worker.output(ScriptedPort.sending(sink)).keepRefused()::sendAll);
    begin();
    IntStream.range(0, 10).forEach(round -> assertThat(worker.doWork()).isNotNegative());
    worker.end();
    assertThat(sink.sent).isEqualTo(numbers(8));
    assertThat(worker.counts().dropped()).containsExactly(Map.entry("tx_full", 92L));
  }

  @Test
  void shouldRefuseCountsOfDropsThatAreNoPartOfItsOwn() {
    Worker worker = worker(EngineConfig.DEFAULT);
    DropCounts own = worker.resources().drops();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> worker.output(ScriptedPort.sending(sink), new DropCounts()))
        .withMessageContaining("drops are not counted by the worker: worker=0");
    assertThat(worker.output(ScriptedPort.sending(sink), new DropCounts(own))).isNotNull();
    assertThatIllegalArgumentException().isThrownBy(() -> own.whole(new DropCounts(own)));
  }

  @Test
  void shouldPollNoMoreWhatHasEndedOrFailed() {
    Worker worker = worker(EngineConfig.DEFAULT);
    worker.input(source(1), WorkerTest::consume);
    int[] polls = {0};
    worker.input(
        ScriptedPort.receiving(packets -> {
          polls[0]++;
          throw new PortException("device is gone: device=x; plug it in");
        }),
        WorkerTest::consume);
    begin();
    for (int i = 0; i < 4; i++) {
      assertThat(worker.doWork()).isNotNegative();
    }
    assertThat(ended).hasSize(2);
    assertThat(polls[0]).isEqualTo(1);
    assertThat(failures).singleElement().asString().contains("device is gone");
  }

  @Test
  void shouldLeavePacketsWhereTheyAreWhileTheirHandlerIsNotReady() {
    boolean[] isReady = {false};
    Worker worker = worker(EngineConfig.DEFAULT);
    worker.input(
        source(5),
        new BurstHandler() {
          @Override
          public void onBurst(Burst burst) {
            consume(burst);
          }

          @Override
          public boolean isReady() {
            return isReady[0];
          }
        });
    begin();
    assertThat(worker.doWork()).isZero();
    isReady[0] = true;
    assertThat(worker.doWork()).isEqualTo(5);
  }

  @Test
  void shouldGiveTheNextBurstToTheHandlerThatReplacesAnother() {
    Worker worker = worker(EngineConfig.DEFAULT);
    Port port = endless();
    worker.input(port, burst -> burst.dropAll(RULE));
    begin();
    assertThat(worker.doWork()).isEqualTo(1);
    worker.replaceHandler(port, WorkerTest::consume);
    assertThat(worker.doWork()).isEqualTo(1);
    worker.end();
    assertThat(worker.counts().dropped()).isEqualTo(Map.of("rule", 1L, "consumed", 1L));
    assertThatThrownBy(() -> worker.input(endless(), WorkerTest::consume))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("runs already");
  }

  @Test
  void shouldShowEveryThirdBurstToAProbeTwice() {
    Worker worker = worker(EngineConfig.DEFAULT);
    worker.input(endless(), WorkerTest::consume);
    begin();
    List<Long> shown = new ArrayList<>();
    worker.probe(burst -> shown.add(ScriptedPort.number(burst.packet(0))), 3, 2);
    IntStream.range(0, 40).forEach(round -> assertThat(worker.doWork()).isEqualTo(1));
    assertThat(shown).containsExactly(18L, 21L); // It takes commands every 16 rounds.
  }

  @Test
  void shouldTakeAProbeAwayThatFails() {
    Worker worker = worker(EngineConfig.DEFAULT);
    worker.input(endless(), WorkerTest::consume);
    begin();
    int[] shown = {0};
    worker.probe(
        burst -> {
          shown[0]++;
          throw new Unprintable();
        },
        1,
        100);
    IntStream.range(0, 40).forEach(round -> assertThat(worker.doWork()).isEqualTo(1));
    assertThat(shown[0]).isEqualTo(1);
    worker.end();
    assertThat(worker.counts().dropped()).isEqualTo(Map.of("consumed", 40L));
  }

  @Test
  void shouldRunWhatIsSubmittedBetweenTwoBurstsOrAtOnceWhenItDoesNotRun() {
    List<String> done = new ArrayList<>();
    Worker worker = worker(EngineConfig.DEFAULT);
    worker.submit(() -> done.add("before"));
    assertThat(done).containsExactly("before");
    begin();
    worker.submit(() -> done.add("running"));
    assertThat(done).containsExactly("before");
    assertThat(worker.doWork()).isEqualTo(1); // What was submitted may have sent packets.
    assertThat(done).containsExactly("before", "running");
    worker.submit(() -> done.add("ending"));
    worker.end();
    worker.submit(() -> done.add("after"));
    assertThat(done).containsExactly("before", "running", "ending", "after");
  }

  @Test
  void shouldBelongToItsThreadBeforeThatHasBegun() {
    List<String> done = new ArrayList<>();
    Worker worker = worker(EngineConfig.DEFAULT);
    Port port = endless();
    worker.input(port, burst -> {});
    worker.belongTo(new Thread(() -> {}, "not yet started"));
    assertThatThrownBy(() -> worker.input(endless(), burst -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("runs already");
    assertThatThrownBy(() -> worker.replaceHandler(port, burst -> {}))
        .isInstanceOf(WrongThreadException.class)
        .hasMessageContaining("runs already");
    worker.submit(() -> done.add("by its thread"));
    assertThat(done).isEmpty();
    worker.hasNotStarted();
    worker.replaceHandler(port, WorkerTest::consume);
    worker.end();
    assertThat(done).containsExactly("by its thread");
  }

  @Test
  void shouldGoOnWhenWhatWasSubmittedThrows() {
    List<String> done = new ArrayList<>();
    Worker worker = worker(EngineConfig.DEFAULT);
    Runnable throwing =
        () -> {
          throw new Unprintable();
        };
    begin();
    worker.submit(throwing);
    worker.submit(() -> done.add("running"));
    assertThat(worker.doWork()).isEqualTo(1);
    assertThat(done).containsExactly("running");
    worker.submit(throwing);
    worker.submit(() -> done.add("ending"));
    worker.end();
    assertThat(done).containsExactly("running", "ending");
    assertThat(worker.failures().count()).isEqualTo(2);
    assertThat(worker.failures().first().orElseThrow()).contains("worker=0", "cannot be printed");
  }

  @Test
  void shouldRunWhatIsSubmittedByWhatWasSubmittedLater() {
    List<String> done = new ArrayList<>();
    Worker worker = worker(EngineConfig.DEFAULT);
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          done.add("again");
          if (done.size() < 100) {
            worker.submit(again[0]);
          }
        };
    begin();
    worker.submit(again[0]);
    assertThat(worker.doWork()).isEqualTo(1);
    assertThat(done).hasSize(1);
  }

  @Test
  void shouldEndEverythingThoughAPortThrows() {
    List<String> done = new ArrayList<>();
    Worker worker = worker(EngineConfig.DEFAULT);
    for (int i = 0; i < 2; i++) {
      worker.input(new Leaving(source(0), done), WorkerTest::consume);
    }
    begin();
    worker.submit(() -> done.add("submitted"));
    assertThatThrownBy(worker::end).hasMessage("wanted by the test");
    assertThat(done).containsExactly("submitted", "left", "left");
    workers.clear();
  }

  /** Throws when a thread leaves it. */
  private record Leaving(DriverPort inner, List<String> done) implements PortDecorator {
    @Override
    public void detachThread() {
      done.add("left");
      throw new IllegalStateException("wanted by the test");
    }
  }

  @Test
  void shouldDoTasksAfterTheInputsAndTransmitWhatTheySend() {
    List<String> done = new ArrayList<>();
    Worker worker = worker(EngineConfig.DEFAULT);
    worker.input(
        source(1),
        burst -> {
          done.add("burst");
          consume(burst);
        });
    worker.task(() -> {
      done.add("task");
      return 0;
    });
    begin();
    assertThat(worker.doWork()).isEqualTo(1);
    assertThat(done).containsExactly("burst", "task");
  }

  /** Says when a queue leaves and arrives. */
  private record Listener(int worker, List<String> events) implements BurstHandler {
    @Override
    public void onBurst(Burst burst) {
      events.add(worker + " handles");
      consume(burst);
    }

    @Override
    public void onQueueLeaving(Port port, int queue) {
      events.add(worker + " gives");
    }

    @Override
    public void onQueueArrived(Port port, int queue) {
      events.add(worker + " takes");
    }
  }

  @Test
  void shouldGiveAQueueAwayBetweenTwoBursts() {
    List<String> events = new ArrayList<>();
    ScriptedPort port = endless();
    for (int i = 0; i < 2; i++) {
      worker(EngineConfig.DEFAULT.withWorkers(2)).input(port, new Listener(i, events));
    }
    begin();
    CompletableFuture<Void> moved =
        queues.move(queues.find("source", 0), workers.getLast().queues());
    for (int i = 0; i < 16; i++) { // Until it takes commands.
      assertThat(workers.getFirst().doWork()).isEqualTo(1);
    }
    assertThat(workers.getFirst().doWork()).isNotNegative();
    assertThat(workers.getLast().doWork()).isNotNegative();
    assertThat(moved).isCompleted();
    assertThat(workers.getLast().doWork()).isEqualTo(1);
    assertThat(events).endsWith("0 handles", "0 gives", "1 takes", "1 handles");
    assertThat(queues.places()).singleElement().extracting("worker").isEqualTo(1);
  }

  /** Does not know what it has handed over. */
  private record ForgetfulTask() implements WorkerTask {
    @Override
    public int doWork() {
      return 0;
    }

    @Override
    public BooleanSupplier handedOver() {
      throw new IllegalStateException("wanted by the test");
    }
  }

  @Test
  void shouldFailTheMoveOfAQueueWhoseWorkerBreaks() {
    ScriptedPort port = ScriptedPort.silent();
    for (int i = 0; i < 2; i++) {
      worker(EngineConfig.DEFAULT.withWorkers(2)).input(port, WorkerTest::consume);
    }
    workers.getFirst().task(new ForgetfulTask());
    begin();
    CompletableFuture<Void> moved =
        queues.move(queues.find("source", 0), workers.getLast().queues());
    assertThatThrownBy(workers.getFirst()::doWork).hasMessage("wanted by the test");
    workers.getFirst().end();
    assertThat(moved).isCompletedExceptionally();
  }

  @Test
  void shouldRefuseASecondHandlerOfAPort() {
    Worker worker = worker(EngineConfig.DEFAULT);
    ScriptedPort port = endless();
    worker.input(port, WorkerTest::consume);
    assertThatThrownBy(() -> worker.input(port, WorkerTest::consume))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("worker=0", "port=source");
  }
}
