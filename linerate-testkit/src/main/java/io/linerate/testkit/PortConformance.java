package io.linerate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.counter.Sample;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What every port has to do, whatever its driver. A driver's test extends this class, says with
 * {@link #open} how to open a port and the world around it, and overrides what its port cannot do:
 *
 * <pre>{@code
 * final class RingPortConformanceTest extends PortConformance {
 *   @Override
 *   protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
 *     // engine.port("ring:wire") and, as its far end, engine.port("ring:wire") again
 *     return RingFixture.ofWire(config, arriving);
 *   }
 * }
 * }</pre>
 *
 * Each test opens a fixture, uses it in one direction only, and closes the engine, which throws if
 * a buffer is missing, and then the fixture. {@link PortFixture#pump} feeds and collects; a port
 * that reads a file gets {@code arriving} written to it in {@code open} and has nothing to pump.
 */
public abstract class PortConformance {
  private static final int MANY = 100_000;
  private static final int ROUND = 10_000;
  private static final int ROUNDS = 20;
  private static final int MAX_BURST = 512;
  private static final long WAIT_MS = 400;

  /**
   * Opens an engine and in it the port under test, with one queue in each direction.
   *
   * @param config to be given to the engine; memory sizes may be changed
   * @param arriving frames that the port shall receive, in this order; empty when the test sends
   */
  protected abstract PortFixture open(EngineConfig config, List<byte[]> arriving) throws Exception;

  /**
   * Whether frames of the test's choice can be made to arrive; if not, some arrive by themselves.
   */
  protected boolean receivesGivenFrames() {
    return true;
  }

  /** Whether what the port sent can be collected. */
  protected boolean collectsSentFrames() {
    return !losesWhatComesTooFast();
  }

  /**
   * Whether what it sends at full speed gets lost on the way to who collects it: then frames are
   * sent, and collected, one by one.
   */
  protected boolean losesWhatComesTooFast() {
    return false;
  }

  /** Whether its transmit queue takes less than it is offered when nobody collects. */
  protected boolean canFillUp() {
    return true;
  }

  /**
   * Whether it says which of the packets that it took it could not send; if not, they are among its
   * errors only.
   */
  protected boolean saysWhatItRefuses() {
    return true;
  }

  /** Whether its statistics count bytes. */
  protected boolean countsBytes() {
    return true;
  }

  /** Whether it works without making objects once it is warm. */
  protected boolean allocatesNothing() {
    return true;
  }

  /** Shortest frame that passes unchanged. */
  protected int minFrameBytes() {
    return 0;
  }

  /** Longest frame that passes unchanged. */
  protected int maxFrameBytes() {
    return 9_000;
  }

  // --- sizes, order, counts ---

  @Test
  void shouldReceiveFramesOfEverySizeByteForByte() throws Exception {
    assumeTrue(receivesGivenFrames(), "what the port receives cannot be chosen");
    assertReceives(Frames.ofOddSizes(minFrameBytes(), maxFrameBytes()));
  }

  @Test
  void shouldReceiveManyFramesInOrder() throws Exception {
    assumeTrue(receivesGivenFrames(), "what the port receives cannot be chosen");
    assertReceives(Frames.numbered(MANY, 64));
  }

  private void assertReceives(List<byte[]> arriving) throws Exception {
    try (PortLab lab = receiving(arriving)) {
      List<byte[]> received = new ArrayList<>();
      AtomicInteger count = new AtomicInteger();
      lab.engine()
          .worker()
          .input(
              lab.port(),
              burst -> {
                for (Packet packet : burst) {
                  received.add(packet.toBytes());
                  packet.drop(DropReason.CONSUMED);
                }
                count.setRelease(received.size());
              });
      lab.engine().start();
      lab.pumpUntil(() -> count.getAcquire() >= arriving.size());
      lab.stopWorker();
      assertSameFrames(received, arriving);
      assertGoodRun(lab.engine().summary(), arriving.size(), 0);
      assertCounted(lab.port().statistics(), arriving, List.of());
    }
  }

  @Test
  void shouldSendFramesOfEverySizeByteForByte() throws Exception {
    assertSends(Frames.ofOddSizes(minFrameBytes(), maxFrameBytes()));
  }

  @Test
  void shouldSendManyFramesInOrder() throws Exception {
    assertSends(Frames.numbered(MANY, 64));
  }

  @Test
  void shouldSendFrameAfterFrameByteForByte() throws Exception {
    assumeTrue(losesWhatComesTooFast(), "it is sent to at full speed");
    try (PortLab lab = sending()) {
      lab.begin();
      PacketMaker maker = new PacketMaker("maker", lab.engine().drivers().pools(), 64);
      List<byte[]> frames = Frames.ofOddSizes(minFrameBytes(), maxFrameBytes());
      for (byte[] frame : frames) {
        int before = lab.sent().size();
        lab.send(maker, List.of(frame));
        lab.port().txQueue(0).flush();
        lab.pumpUntil(() -> lab.sent().size() > before);
        assertThat(lab.sent().getLast()).isEqualTo(frame);
      }
      lab.port().detachThread();
    }
  }

  private void assertSends(List<byte[]> frames) throws Exception {
    try (PortLab lab = sending()) {
      Output output = lab.engine().worker().output(lab.port());
      lab.engine()
          .worker()
          .input(new PacketSource(lab.engine().drivers().pools(), frames), output::sendAll);
      lab.engine().start();
      lab.pumpUntil(() -> lab.engine().awaitEnd(0));
      awaitCollected(lab, frames.size());
      assertGoodRun(lab.engine().summary(), frames.size(), frames.size());
      assertCounted(lab.port().statistics(), List.of(), frames);
      lab.closeEngine();
      assertCollected(lab, frames);
    }
  }

  // --- waiting ---

  @Test
  void shouldLetAWorkerWaitUntilPacketsCome() throws Exception {
    assumeTrue(receivesGivenFrames(), "what the port receives cannot be chosen");
    List<byte[]> arriving = Frames.numbered(1_000, 64);
    AtomicInteger count = new AtomicInteger();
    try (PortLab lab = receiving(config().withIdle(Idle.INTERRUPT), arriving)) {
      lab.engine()
          .worker()
          .input(
              lab.port(),
              burst -> {
                int packets = burst.size();
                burst.dropAll(DropReason.CONSUMED);
                count.addAndGet(packets);
              });
      lab.engine().start();
      assumeTrue(lab.port().rxQueue(0).canWait(), "the port cannot tell when packets come");
      long before = emptyPolls(lab);
      Thread.sleep(WAIT_MS);
      // One every millisecond would be WAIT_MS.
      assertThat(emptyPolls(lab) - before).as("empty polls").isLessThan(WAIT_MS / 2);
      lab.pumpUntil(() -> count.get() >= arriving.size());
      lab.stopWorker();
      assertGoodRun(lab.engine().summary(), arriving.size(), 0);
    }
  }

  private static long emptyPolls(PortLab lab) {
    return lab.engine().samples().stream()
        .filter(sample -> sample.name().equals("linerate_worker_empty_polls_total"))
        .mapToLong(Sample::value)
        .sum();
  }

  // --- bursts ---

  @Test
  void shouldReceiveIntoBurstsOfEverySize() throws Exception {
    assumeTrue(receivesGivenFrames(), "what the port receives cannot be chosen");
    int total = MAX_BURST * (MAX_BURST + 1) / 2;
    try (PortLab lab = receiving(Frames.numbered(total, 64))) {
      lab.begin();
      long next = 0;
      for (int size = 1; size <= MAX_BURST; size++) {
        OwnedBurst burst = new OwnedBurst(new MbufArray(size));
        lab.fill(burst);
        for (Packet packet : burst) {
          assertThat(Frames.number(packet)).isEqualTo(next++);
        }
        lab.free(burst);
      }
      lab.port().detachThread();
    }
  }

  @Test
  void shouldSendBurstsOfEverySize() throws Exception {
    List<byte[]> frames = new ArrayList<>();
    try (PortLab lab = sending()) {
      lab.begin();
      PacketMaker maker = new PacketMaker("maker", lab.engine().drivers().pools(), 8_192);
      for (int size = 1; size <= MAX_BURST; size += size < 70 ? 1 : 13) {
        List<byte[]> more = Frames.numbered(size, 60 + size);
        lab.send(maker, more);
        frames.addAll(more);
      }
      lab.settle();
      awaitCollected(lab, frames.size());
      assertCounted(lab.port().statistics(), List.of(), frames);
      lab.port().detachThread();
      lab.closeEngine();
      assertCollected(lab, frames);
    }
  }

  // --- ownership and back-pressure ---

  @Test
  void shouldLeaveWhatItDoesNotTakeWithTheCaller() throws Exception {
    assumeTrue(canFillUp(), "its transmit queue never fills up");
    List<byte[]> taken = new ArrayList<>();
    try (PortLab lab = sending()) {
      lab.begin();
      PacketMaker maker = new PacketMaker("maker", lab.engine().drivers().pools(), 65_536);
      OwnedBurst burst = new OwnedBurst(new MbufArray(37));
      do {
        sendOnce(lab, maker, burst, taken);
      } while (burst.isEmpty());
      assertThat(lab.port().statistics().txPackets() + lab.port().txQueue(0).undecided())
          .isEqualTo(taken.size());
      lab.free(burst);
      lab.port().txQueue(0).flush();
      awaitCollected(lab, taken.size());
      lab.port().detachThread();
      lab.closeEngine();
      assertCollected(lab, taken);
    }
  }

  /** Offers a full burst once; afterwards the burst holds what was not taken, or nothing. */
  private static void sendOnce(
      PortLab lab, PacketMaker maker, OwnedBurst burst, List<byte[]> taken) {
    int start = taken.size();
    List<byte[]> offered =
        Frames.numbered(start + burst.capacity(), 64).subList(start, start + burst.capacity());
    offered.forEach(frame -> assertThat(maker.append(burst.array(), frame)).as("buffer").isTrue());
    int n = lab.port().txQueue(0).send(burst.array(), 0);
    assertThat(n).isBetween(0, offered.size());
    taken.addAll(offered.subList(0, n));
    List<Long> rest = new ArrayList<>();
    for (int i = n; i < burst.size(); i++) {
      assertThat(burst.packet(i).toBytes()).as("packet not taken").isEqualTo(offered.get(i));
      rest.add(Handles.get(burst.array().address(), i));
    }
    burst.clear();
    rest.forEach(burst.array()::append);
  }

  /** Among them frames that no interface carries: each is sent and comes out, or is a drop. */
  @Test
  void shouldCountAsSentOnlyWhatLeaves() throws Exception {
    assumeTrue(saysWhatItRefuses(), "what it could not send is among its errors only");
    List<byte[]> frames = new ArrayList<>(Frames.numbered(30, 64));
    frames.add(10, new byte[65_000]);
    frames.add(20, new byte[1]);
    frames.add(new byte[65_000]);
    try (PortLab lab = sending()) {
      Output output = lab.engine().worker().output(lab.port());
      PacketSource source = new PacketSource(lab.engine().drivers().pools(), frames);
      lab.engine().worker().input(source, output::sendAll);
      lab.engine().start();
      lab.pumpUntil(() -> lab.engine().awaitEnd(0));
      PacketCounts counts = lab.engine().summary().packets();
      assertThat(counts.received()).isEqualTo(frames.size());
      assertThat(counts.isConserved()).isTrue();
      assertThat(counts.inFlight()).isZero();
      assertThat(counts.dropped().keySet()).allMatch(reason -> reason.startsWith("tx_"));
      assertThat(counts.sent()).as("those that every interface carries").isGreaterThanOrEqualTo(30);
      assertThat(lab.port().statistics().txPackets()).isEqualTo(counts.sent());
      awaitCollected(lab, counts.sent());
      lab.closeEngine();
      if (collectsSentFrames()) {
        assertThat(lab.sent()).hasSize((int) counts.sent());
      }
    }
  }

  @Test
  void shouldCostOnlyDropsAndBoundedTimeWhenItsTransmitQueueIsFull() throws Exception {
    assumeTrue(canFillUp(), "its transmit queue never fills up");
    List<byte[]> frames = Frames.numbered(50_000, 64);
    try (PortLab lab = new PortLab(open(config().withTxRetryUs(100), List.of()))) {
      assumeTrue(lab.port().txQueues() > 0, "the port has no transmit queue");
      Output output = lab.engine().worker().output(lab.port());
      lab.engine()
          .worker()
          .input(new PacketSource(lab.engine().drivers().pools(), frames), output::sendAll);
      lab.engine().start();
      assertThat(lab.engine().awaitEnd(PortLab.TIMEOUT_MS)).as("worker ends").isTrue();
      RunSummary summary = lab.engine().summary();
      long sent = summary.packets().sent();
      assertThat(summary.packets().received()).isEqualTo(frames.size());
      assertThat(summary.packets().isConserved()).isTrue();
      assertThat(summary.packets().dropped()).containsOnlyKeys("tx_full");
      assertThat(lab.port().statistics().txPackets()).isEqualTo(sent);
      awaitCollected(lab, sent);
      lab.closeEngine();
      if (collectsSentFrames()) {
        assertThat(lab.sent()).hasSize((int) sent);
      }
    }
  }

  /** As when the capture file that they lie in becomes shorter while it is sent. */
  @Test
  void shouldEndEveryPacketOnceWhenSomeCannotBeRead() throws Exception {
    try (VanishedPackets vanished = new VanishedPackets();
        PortLab lab = sending()) {
      lab.begin();
      PacketMaker maker = new PacketMaker("maker", lab.engine().drivers().pools(), 8);
      OwnedBurst burst = new OwnedBurst(new MbufArray(16));
      Frames.numbered(8, 64)
          .forEach(frame -> assertThat(maker.append(burst.array(), frame)).as("buffer").isTrue());
      vanished.append(lab.engine().drivers().pools(), burst.array(), 8);
      int taken = sendUntilItThrows(lab.port().txQueue(0), burst);
      lab.engine()
          .drivers()
          .pools()
          .free(Handles.address(burst.array().address(), taken), burst.size() - taken);
      burst.clear();
      lab.port().detachThread();
      lab.closeEngine(); // Throws if a buffer is missing, or was freed twice.
    }
  }

  /** Packets taken until then. */
  private static int sendUntilItThrows(TxQueue queue, OwnedBurst burst) {
    int taken = 0;
    for (int tries = 0; taken < burst.size() && tries < 100; tries++) {
      try {
        taken += queue.send(burst.array(), taken);
      } catch (PortException | InternalError e) {
        return taken;
      }
    }
    return taken;
  }

  @Test
  void shouldMakeSentPacketsUnreadable() throws Exception {
    try (PortLab lab = sending()) {
      Output output = lab.engine().worker().output(lab.port());
      List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
      lab.engine()
          .worker()
          .input(
              new PacketSource(lab.engine().drivers().pools(), Frames.numbered(100, 64)),
              burst -> {
                for (Packet packet : burst) {
                  output.send(packet);
                  try {
                    packet.u8(0);
                  } catch (IllegalStateException e) {
                    thrown.add(e);
                  }
                }
              });
      lab.engine().start();
      lab.pumpUntil(() -> lab.engine().awaitEnd(0));
      assertThat(thrown).hasSize(100);
      assertGoodRun(lab.engine().summary(), 100, 100);
    }
  }

  // --- start, stop, close ---

  @Test
  void shouldBringNothingWhenNothingArrives() throws Exception {
    assumeTrue(receivesGivenFrames(), "what the port receives cannot be chosen");
    try (PortLab lab = receiving(List.of())) {
      lab.begin();
      OwnedBurst burst = new OwnedBurst(new MbufArray(32));
      for (int i = 0; i < 100; i++) {
        assertThat(lab.port().rxQueue(0).receive(burst.array())).isZero();
      }
      assertThat(burst.isEmpty()).isTrue();
      assertThat(lab.port().statistics().rxPackets()).isZero();
      lab.port().detachThread();
    }
  }

  @Test
  void shouldSendHomeWhatWasNotReceivedWhenItIsClosed() throws Exception {
    try (PortLab lab = receiving(Frames.numbered(500, 64))) {
      lab.begin();
      OwnedBurst burst = new OwnedBurst(new MbufArray(10));
      lab.fill(burst);
      lab.pump();
      lab.free(burst);
      lab.port().detachThread();
      lab.closeEngine(); // Throws if a buffer is missing.
    }
  }

  @Test
  void shouldSendHomeWhatItTookWhenItIsClosed() throws Exception {
    try (PortLab lab = sending()) {
      lab.begin();
      lab.send(
          new PacketMaker("maker", lab.engine().drivers().pools(), 64), Frames.numbered(10, 64));
      lab.port().detachThread();
      lab.closeEngine(); // Throws if a buffer is missing.
    }
  }

  @Test
  void shouldCloseWhileItsWorkerIsBusy() throws Exception {
    try (PortLab lab = receiving(Frames.numbered(MANY, 64))) {
      AtomicInteger count = new AtomicInteger();
      lab.engine()
          .worker()
          .input(
              lab.port(),
              burst -> {
                count.addAndGet(burst.size());
                burst.dropAll(DropReason.CONSUMED);
              });
      lab.engine().start();
      lab.pumpUntil(() -> count.get() > 1_000);
      lab.closeEngine(); // Throws if a buffer is missing.
    }
  }

  @Test
  void shouldRefuseUseAfterClose() throws Exception {
    try (PortLab lab = new PortLab(open(config(), List.of()));
        Packets packets = new Packets()) {
      DriverPort port = lab.port();
      List<RxQueue> rx = port.rxQueues() == 0 ? List.of() : List.of(port.rxQueue(0));
      List<TxQueue> tx = port.txQueues() == 0 ? List.of() : List.of(port.txQueue(0));
      lab.begin();
      port.detachThread();
      lab.closeEngine();
      packets.of(new byte[64]);
      for (RxQueue queue : rx) {
        assertThatThrownBy(() -> queue.receive(new MbufArray(4)))
            .isInstanceOfAny(IllegalStateException.class, PortException.class);
      }
      for (TxQueue queue : tx) {
        assertThatThrownBy(() -> queue.send(packets.owned().array(), 0))
            .isInstanceOfAny(IllegalStateException.class, PortException.class);
      }
    }
  }

  // --- allocation ---

  @Test
  void shouldReceiveWithoutAllocation() throws Exception {
    assumeTrue(allocatesNothing(), "the port makes objects for its packets");
    AllocationMeter meter = new AllocationMeter(ROUND);
    while (!meter.isDone()) {
      receive(ROUNDS * ROUND, meter);
    }
    meter.assertQuiet();
  }

  private void receive(int packets, AllocationMeter meter) throws Exception {
    try (PortLab lab = receiving(Collections.nCopies(packets, new byte[64]))) {
      AtomicInteger count = new AtomicInteger();
      lab.engine()
          .worker()
          .input(
              lab.port(),
              burst -> {
                int size = burst.size();
                burst.dropAll(DropReason.CONSUMED);
                meter.add(size);
                count.setRelease(count.getPlain() + size);
              });
      lab.engine().start();
      lab.pumpUntil(() -> count.getAcquire() >= packets || meter.isDone());
      lab.stopWorker();
    }
  }

  @Test
  void shouldSendWithoutAllocation() throws Exception {
    assumeTrue(allocatesNothing(), "the port makes objects for its packets");
    AllocationMeter meter = new AllocationMeter(ROUND);
    while (!meter.isDone()) {
      send(ROUNDS * ROUND, meter);
    }
    meter.assertQuiet();
  }

  private void send(int packets, AllocationMeter meter) throws Exception {
    try (PortLab lab = sending()) {
      Output output = lab.engine().worker().output(lab.port());
      List<byte[]> frames = Collections.nCopies(packets, new byte[64]);
      lab.engine()
          .worker()
          .input(
              new PacketSource(lab.engine().drivers().pools(), frames),
              burst -> {
                int size = burst.size();
                output.sendAll(burst);
                meter.add(size);
                if (meter.isDone()) {
                  lab.engine().stop();
                }
              });
      lab.engine().start();
      lab.pumpUntil(() -> lab.engine().awaitEnd(0));
    }
  }

  // --- shared steps ---

  private static EngineConfig config() {
    return EngineConfig.DEFAULT.withMtu(9_000).withBuffers(8_192).withTxRetryUs(1_000_000);
  }

  private PortLab receiving(List<byte[]> arriving) throws Exception {
    return receiving(config(), arriving);
  }

  private PortLab receiving(EngineConfig config, List<byte[]> arriving) throws Exception {
    PortLab lab = new PortLab(open(config, arriving));
    if (lab.port().rxQueues() == 0) {
      lab.close();
      assumeTrue(false, "the port has no receive queue");
    }
    return lab;
  }

  private PortLab sending() throws Exception {
    PortLab lab = new PortLab(open(config(), List.of()));
    if (lab.port().txQueues() == 0) {
      lab.close();
      assumeTrue(false, "the port has no transmit queue");
    }
    return lab;
  }

  private void awaitCollected(PortLab lab, long frames) {
    if (collectsSentFrames()) {
      lab.pumpFor(frames);
    }
  }

  private void assertCollected(PortLab lab, List<byte[]> frames) {
    if (collectsSentFrames()) {
      assertSameFrames(lab.sent(), frames);
    }
  }

  private static void assertGoodRun(RunSummary summary, long received, long sent) {
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.packets().received()).isEqualTo(received);
    assertThat(summary.packets().sent()).isEqualTo(sent);
    assertThat(summary.packets().inFlight()).isZero();
    assertThat(summary.packets().isConserved()).isTrue();
  }

  /** The direction not under test may count too: a loopback feeds itself. */
  private void assertCounted(PortStatistics counted, List<byte[]> rx, List<byte[]> tx) {
    assertThat(rx.isEmpty() ? 0 : counted.rxPackets()).isEqualTo(rx.size());
    assertThat(tx.isEmpty() ? 0 : counted.txPackets()).isEqualTo(tx.size());
    assertThat(counted.missed()).isZero();
    assertThat(counted.errors()).isZero();
    if (countsBytes()) {
      assertThat(rx.isEmpty() ? 0 : counted.rxBytes()).isEqualTo(bytes(rx));
      assertThat(tx.isEmpty() ? 0 : counted.txBytes()).isEqualTo(bytes(tx));
    }
  }

  private static long bytes(List<byte[]> frames) {
    return frames.stream().mapToLong(frame -> frame.length).sum();
  }

  private static void assertSameFrames(List<byte[]> actual, List<byte[]> expected) {
    int common = Math.min(actual.size(), expected.size());
    for (int i = 0; i < common; i++) {
      if (!Arrays.equals(actual.get(i), expected.get(i))) {
        assertThat(actual.get(i)).as("frame %d", i).isEqualTo(expected.get(i));
      }
    }
    assertThat(actual).hasSameSizeAs(expected);
  }
}
