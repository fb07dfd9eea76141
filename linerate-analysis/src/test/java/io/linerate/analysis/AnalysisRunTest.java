package io.linerate.analysis;

import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Outlet;
import io.linerate.graph.Overflow;
import io.linerate.graph.Wiring;
import io.linerate.stream.Streams;
import io.linerate.stream.TokenPublisher;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Tcp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The analysis on workers. */
class AnalysisRunTest {
  private static final long START_NS = 1_700_000_000_000_000_000L;
  private static final int PACKETS = 20_000;
  private static final long GAP_NS = 250_000;
  private static final AnalysisSettings SETTINGS =
      AnalysisSettings.DEFAULT.ofRecorded(true).withScans(30, 30).withFloodSyns(3);

  @TempDir Path folder;

  /**
   * A frame, by which of two queues it comes, both directions of a flow by the same, and how much
   * earlier it is than its turn.
   */
  private record Sent(FrameBuilder frame, int queue, long earlierNs) {}

  /** What an analysis has said, and how many packets were late. */
  private record Said(List<WindowReport> reports, long late) {}

  private static List<Sent> traffic() {
    SplittableRandom random = new SplittableRandom(Soak.seed(20));
    List<Sent> all = new ArrayList<>();
    for (int i = 0; i < PACKETS; i++) {
      int client = random.nextInt(300);
      String from = "10.0.0." + client % 250;
      String to = "192.0.2." + random.nextInt(20);
      int port = 1_000 + client;
      int toPort = 80 + random.nextInt(60);
      boolean isBack = random.nextInt(3) == 0;
      boolean isTcp = random.nextBoolean();
      FrameBuilder frame = isTcp ? tcp4() : udp4();
      frame =
          isBack
              ? frame.between(to, from).ports(toPort, port)
              : frame.between(from, to).ports(port, toPort);
      if (isTcp) {
        int flags = random.nextInt(4) == 0 ? Tcp.SYN : Tcp.ACK;
        frame = frame.tcp(tcp -> tcp.flags(isBack ? flags | Tcp.ACK : flags));
      }
      all.add(new Sent(frame.payload(random.nextInt(200)), (port + toPort) & 1, 0));
    }
    return all;
  }

  /** Gets all reports, one by one. */
  private static final class Collecting implements Flow.Subscriber<WindowReport> {
    private final List<WindowReport> reports = new ArrayList<>();
    private final CompletableFuture<List<WindowReport>> all = new CompletableFuture<>();
    private final CompletableFuture<WindowReport> third = new CompletableFuture<>();
    private Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
      subscription = newSubscription;
      subscription.request(1);
    }

    @Override
    public void onNext(WindowReport report) {
      reports.add(report);
      if (reports.size() == 3) {
        third.complete(report);
      }
      subscription.request(1);
    }

    @Override
    public void onError(Throwable failure) {
      all.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      all.complete(reports);
    }
  }

  private static List<WindowReport> reports(List<Sent> traffic, int workers, int queues)
      throws Exception {
    Said said = analyse(traffic, workers, queues);
    assertThat(said.late).isZero();
    return said.reports;
  }

  private static Said analyse(List<Sent> traffic, int workers, int queues) throws Exception {
    TokenPublisher<WindowReport> published = new TokenPublisher<>(4, Overflow.HOLD_BACK);
    // Where two queues meet, one is ahead of the other by as much as it is faster.
    AnalysisSettings settings =
        queues > 1 && queues < workers ? SETTINGS.withDelay(Duration.ofMinutes(1)) : SETTINGS;
    Collecting subscriber = new Collecting();
    published.subscribe(subscriber);
    Graph graph = graph(settings, queues < workers ? workers : 1, published);
    long late = 0;
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(workers).withQueues(queues);
    try (Engine engine = new Engine(config)) {
      engine.port("in", "ring:in,size=1024");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      feed(engine, feed, traffic, queues);
      while (runner.counts("in").packetsIn() < traffic.size()) {
        LockSupport.parkNanos(100_000);
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().failures()).isEmpty();
      runner
          .counts()
          .forEach((name, counts) ->
              assertThat(counts.tokens().dropped().keySet()).as(name).isSubsetOf("late"));
      late =
          runner
              .counts(TrafficAnalysis.WINDOWS)
              .tokens()
              .dropped()
              .getOrDefault(TrafficAnalysis.LATE, 0L);
    }
    return new Said(subscriber.all.get(60, TimeUnit.SECONDS), late);
  }

  private static Graph graph(
      AnalysisSettings settings, int spread, TokenPublisher<WindowReport> published) {
    return Streams.graph(s ->
        TrafficAnalysis.reports(s.packets("in", "in"), settings, spread)
            .publish("reports", published));
  }

  private static void feed(Engine engine, DriverPort feed, List<Sent> traffic, int queues) {
    PacketMaker maker = new PacketMaker("feed", engine.drivers().pools(), 8_192);
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    long timeNs = START_NS;
    for (Sent sent : traffic) {
      while (!maker.append(one.array(), sent.frame.toBytes())) {
        LockSupport.parkNanos(20_000);
      }
      Mbuf.timestampNs(one.handle(0), (timeNs += GAP_NS) - sent.earlierNs);
      while (feed.txQueue(sent.queue % queues).send(one.array(), 0) == 0) {
        LockSupport.parkNanos(20_000);
      }
      one.clear();
    }
  }

  /** By two queues, or by one whose packets are spread. */
  @Test
  @Timeout(120)
  void shouldReportTheSameOnOneWorkerAndOnTwo() throws Exception {
    List<Sent> traffic = traffic();
    List<WindowReport> one = reports(traffic, 1, 1);
    assertThat(one).hasSize(6); // 5 s that begin within a window.
    assertThat(one.stream().mapToLong(WindowReport::packets).sum()).isEqualTo(PACKETS);
    assertThat(one.get(1).hostScans()).isNotEmpty();
    assertThat(one.get(1).synFloods()).isNotEmpty();
    assertThat(one.get(1).tcpConnections()).isPositive();
    assertThat(reports(traffic, 2, 2)).isEqualTo(one);
    assertThat(reports(traffic, 2, 1)).isEqualTo(one);
    assertThat(reports(traffic, 3, 2)).isEqualTo(one);
  }

  /** A packet is late by all that came before it, on whichever worker. */
  @Test
  @Timeout(120)
  void shouldLackTheSamePacketsOnTwoWorkersWhereSomeAreLate() throws Exception {
    SplittableRandom random = new SplittableRandom(Soak.seed(21));
    List<Sent> traffic = new ArrayList<>();
    for (Sent sent : traffic()) {
      long earlierNs = random.nextInt(50) == 0 ? random.nextLong(1_500_000_000) : 0;
      traffic.add(new Sent(sent.frame, sent.queue, earlierNs));
    }
    Said one = analyse(traffic, 1, 1);
    assertThat(one.late).isBetween(20L, 400L);
    assertThat(one.reports.stream().mapToLong(WindowReport::packets).sum() + one.late)
        .isEqualTo(PACKETS);
    assertThat(analyse(traffic, 2, 1)).isEqualTo(one);
    assertThat(analyse(traffic, 3, 1)).isEqualTo(one);
  }

  /** All packets are of one flow, so that other workers get none. */
  @Test
  @Timeout(120)
  void shouldReportWhileTheyRunThoughAWorkerGetsNothing() throws Exception {
    TokenPublisher<WindowReport> published = new TokenPublisher<>(4, Overflow.HOLD_BACK);
    Collecting subscriber = new Collecting();
    published.subscribe(subscriber);
    List<Sent> traffic = Collections.nCopies(PACKETS, new Sent(udp4(), 0, 0));
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(3).withQueues(1))) {
      engine.port("in", "ring:in,size=1024");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      GraphRunner runner = GraphRunner.install(graph(SETTINGS, 3, published), engine);
      engine.start();
      feed(engine, feed, traffic, 1);
      subscriber.third.get(60, TimeUnit.SECONDS); // Of 5 s.
      assertThat(runner.read("together.windows").text()).isIn("0", "1");
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().failures()).isEmpty();
    }
  }

  /** Measures what the worker allocates between bursts. */
  private record Meter(AllocationMeter meter, Runnable done) implements Element {
    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            meter.add(burst.live());
            out.push(burst);
            if (meter.isDone()) {
              done.run();
            }
          });
    }
  }

  /** In a window whose flows are known. */
  @Test
  @Timeout(240)
  void shouldAllocateNothingForAPacket() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (Sent sent : traffic().subList(0, 4_000)) {
        FrameBuilder frame =
            sent.queue == 0 ? sent.frame : TrafficAnalysisTest.question(7, "a.example");
        Packet packet = packets.of(frame.toBytes());
        Mbuf.timestampNs(packets.owned().handle(packet.index()), START_NS);
        writer.write(packet);
      }
    }
    AllocationMeter meter = new AllocationMeter(100_000);
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      engine.port("in", "pcap:rx=" + file + ",loop=forever");
      GraphRunner.install(
          Streams.graph(s ->
              TrafficAnalysis.reports(
                      s.packets("in", "in").through("meter", new Meter(meter, engine::stop)),
                      SETTINGS)
                  .sink("end", _ -> {})),
          engine);
      engine.run();
    }
    meter.assertQuiet();
  }
}
