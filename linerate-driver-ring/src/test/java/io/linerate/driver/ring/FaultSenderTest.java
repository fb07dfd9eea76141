package io.linerate.driver.ring;

import static io.linerate.driver.ring.FaultLab.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of what is transmitted. */
@Timeout(120)
final class FaultSenderTest {
  private static final int PACKETS = 5_000;
  private static final int NUMBERED_BYTES = 22;

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  /** What a worker has sent through a fault port, and what came. */
  private record Run(PacketCounts counts, Map<String, Long> faults, List<Integer> arrived) {}

  private static Run run(String faults) {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withTxRetryUs(1_000_000))) {
      DriverPort port = engine.drivers().open("near", "fault:" + faults + "port=ring:w,size=16384");
      DriverPort far = engine.drivers().open("far", "ring:w");
      Output output = engine.worker().output(port);
      PacketSource source =
          new PacketSource(engine.drivers().pools(), Frames.numbered(PACKETS, 64));
      engine.worker().input(source, output::sendAll);
      PacketCounts counts = engine.run().packets();
      assertThat(counts.isConserved()).isTrue();
      assertThat(counts.inFlight()).isZero();
      assertThat(counts.received()).isEqualTo(PACKETS);
      assertThat(counts.sent()).isEqualTo(port.statistics().txPackets());
      return new Run(counts, port.statistics().extended(), collected(engine, far));
    }
  }

  private static List<Integer> collected(Engine engine, DriverPort far) {
    List<Integer> arrived = new ArrayList<>();
    OwnedBurst burst = new OwnedBurst(new MbufArray(64));
    while (far.rxQueue(0).receive(burst.array()) > 0) {
      for (Packet packet : burst) {
        arrived.add(packet.length() < NUMBERED_BYTES ? -1 : (int) Frames.number(packet));
      }
      burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
    }
    return arrived;
  }

  @Test
  void shouldAccountForWhatItLosesAndRepeats() {
    Run run = run("direction=tx,drop=0.1,duplicate=0.2,corrupt=0.1,truncate=0.01,");
    long lost = run.faults.get("fault_tx_drop");
    long repeated = run.faults.get("fault_tx_duplicate");
    assertThat(lost).isBetween(400L, 600L);
    assertThat(repeated).isBetween(700L, 1_100L);
    assertThat(run.counts.dropped()).isEqualTo(Map.of("tx_fault", lost));
    assertThat(run.counts.made()).isEqualTo(repeated);
    assertThat(run.counts.sent()).isEqualTo(PACKETS - lost + repeated);
    assertThat(run.arrived).hasSize((int) run.counts.sent());
    assertThat(run.faults).doesNotContainKey("fault_drop");
  }

  @Test
  void shouldDoTheSameForTheSameSeed() {
    String faults = "direction=tx,drop=0.1,duplicate=0.1,reorder=0.1,distance=9,";
    assertThat(run(faults + "seed=5,")).isEqualTo(run(faults + "seed=5,"));
    assertThat(run(faults + "seed=6,").arrived).isNotEqualTo(run(faults + "seed=5,").arrived);
  }

  @Test
  void shouldSendWhatItHoldsWhenTheWorkerEnds() {
    Run run = run("direction=tx,delay=10s,reorder=0.1,hold=8192,");
    assertThat(run.counts.sent()).isEqualTo(PACKETS);
    assertThat(run.counts.dropped()).isEmpty();
    assertThat(run.arrived).containsExactlyInAnyOrderElementsOf(range(0, PACKETS));
    assertThat(run.faults).containsEntry("fault_tx_delay", (long) PACKETS);
  }

  @Test
  void shouldTakeNoMoreThanItHolds() {
    Run run = run("direction=tx,delay=2ms,hold=256,");
    assertThat(run.counts.sent()).isEqualTo(PACKETS);
    assertThat(run.arrived).isEqualTo(range(0, PACKETS));
  }

  @Test
  void shouldHaveFaultsOfItsOwnInEachDirection() {
    Run run = run("direction=tx,drop=0.2,port=fault:drop=0.5,port=fault:direction=tx,drop=0.1,");
    assertThat(run.faults.get("fault_tx_drop")).isBetween(1_200L, 1_600L);
    assertThat(run.counts.dropped()).isEqualTo(Map.of("tx_fault", run.faults.get("fault_tx_drop")));
    assertThat(run.faults).containsEntry("fault_drop", 0L);
  }

  @Test
  void shouldHoldPacketsByTimeAndSayThatTheyAreUndecided() {
    try (FaultLab lab = new FaultLab("direction=both,delay=5ms,duplicate=1,", 64)) {
      TxQueue queue = lab.port.txQueue(0);
      assertThat(lab.send(10)).isEqualTo(10);
      assertThat(queue.undecided()).isEqualTo(20);
      assertThat(queue.made()).isEqualTo(10);
      lab.nowNs += 4_999_999;
      queue.flush();
      assertThat(lab.collect()).isEmpty();
      lab.nowNs += 1;
      queue.flush();
      assertThat(numbers(lab.collect())).hasSize(20).isSorted();
      assertThat(queue.undecided()).isZero();
    }
  }

  @Test
  void shouldLoseNothingWhereTheQueueBehindItIsFull() {
    try (FaultLab lab = new FaultLab("direction=tx,duplicate=1,", 16)) {
      List<Integer> arrived = new ArrayList<>();
      int taken = 0;
      while (taken < 2_000) {
        taken += lab.send(Math.min(100, 2_000 - taken));
        arrived.addAll(numbers(lab.collect()));
      }
      while (lab.port.txQueue(0).undecided() > 0) {
        lab.port.txQueue(0).flush();
        arrived.addAll(numbers(lab.collect()));
      }
      assertThat(arrived).isEqualTo(IntStream.range(0, 4_000).map(i -> i / 2).boxed().toList());
      assertThat(lab.port.statistics().txPackets()).isEqualTo(4_000);
    }
  }

  @Test
  void shouldTakeNothingWhileTheQueueBehindItIsFull() {
    try (FaultLab lab = new FaultLab("direction=tx,drop=0.5,", 16)) {
      int taken = 0;
      for (int i = 0; i < 100; i++) {
        taken += lab.send(100);
      }
      assertThat(taken).isLessThan(500);
      assertThat(lab.send(100)).isZero();
    }
  }

  @Test
  void shouldRefuseWhatNobodyTakesAtTheEnd() {
    try (FaultLab lab = new FaultLab("direction=tx,delay=1s,", 16)) {
      assertThat(lab.send(100)).isEqualTo(100);
      TxQueue queue = lab.port.txQueue(0);
      queue.decide();
      assertThat(queue.undecided()).isZero();
      assertThat(queue.refused()).isNotNull();
      assertThat(queue.refused().total()).isEqualTo(84);
      assertThat(lab.port.statistics().txPackets()).isEqualTo(16);
      assertThat(numbers(lab.collect())).isEqualTo(range(0, 16));
    }
  }

  /** With every fault, in both directions. */
  @Test
  void shouldMakeNoObjectsForPackets() {
    AllocationMeter meter = new AllocationMeter(10_000);
    while (!meter.isDone()) {
      passThroughAllFaults(200_000, meter);
    }
    meter.assertQuiet();
  }

  private static void passThroughAllFaults(int packets, AllocationMeter meter) {
    try (Engine engine = new Engine()) {
      DriverPort port =
          engine
              .drivers()
              .open(
                  "fault:direction=both,drop=0.01,duplicate=0.01,reorder=0.01,corrupt=0.01,truncate=0.01,delay=20us,jitter=20us,port=ring:l,loopback");
      Output output = engine.worker().output(port);
      AtomicInteger made = new AtomicInteger();
      List<byte[]> frames = Collections.nCopies(packets, new byte[64]);
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), frames),
              burst -> {
                made.setRelease(made.getPlain() + burst.size());
                output.sendAll(burst);
              });
      engine
          .worker()
          .input(
              port,
              burst -> {
                int size = burst.size();
                burst.dropAll(DropReason.CONSUMED);
                meter.add(size);
              });
      engine.start();
      while (!meter.isDone() && made.getAcquire() < packets) {
        Thread.onSpinWait();
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().isConserved()).isTrue();
      assertThat(engine.summary().packets().inFlight()).isZero();
    }
  }

  @Test
  void shouldFreeWhatItHoldsWhenItIsClosed() {
    try (FaultLab lab = new FaultLab("direction=tx,delay=1s,duplicate=1,", 16)) {
      assertThat(lab.send(10)).isEqualTo(10);
    } // Throws if a buffer is missing.
  }
}
