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
import io.linerate.stream.PacketFlow;
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

  /** A frame, and by which of two queues it comes: both directions of a flow by the same. */
  private record Sent(FrameBuilder frame, int queue) {}

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
      all.add(new Sent(frame.payload(random.nextInt(200)), (port + toPort) & 1));
    }
    return all;
  }

  /** Gets all reports, one by one. */
  private static final class Collecting implements Flow.Subscriber<WindowReport> {
    private final List<WindowReport> reports = new ArrayList<>();
    private final CompletableFuture<List<WindowReport>> all = new CompletableFuture<>();
    private Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
      subscription = newSubscription;
      subscription.request(1);
    }

    @Override
    public void onNext(WindowReport report) {
      reports.add(report);
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
    TokenPublisher<WindowReport> published = new TokenPublisher<>(4, Overflow.HOLD_BACK);
    // Where two queues meet, one is ahead of the other by as much as it is faster.
    AnalysisSettings settings =
        queues > 1 && queues < workers ? SETTINGS.withDelay(Duration.ofMinutes(1)) : SETTINGS;
    Collecting subscriber = new Collecting();
    published.subscribe(subscriber);
    Graph graph =
        Streams.graph(s -> {
          PacketFlow packets = s.packets("in", "in");
          TrafficAnalysis.reports(
                  queues < workers ? TrafficAnalysis.spread(packets, workers) : packets, settings)
              .publish("reports", published);
        });
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(workers).withQueues(queues);
    try (Engine engine = new Engine(config)) {
      engine.port("in", "ring:in,size=1024");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      feed(engine, feed, traffic, queues);
      while (runner.counts(TrafficAnalysis.SEEN).packetsIn() < traffic.size()) {
        LockSupport.parkNanos(100_000);
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().failures()).isEmpty();
      runner
          .counts()
          .forEach((name, counts) -> assertThat(counts.tokens().dropped()).as(name).isEmpty());
    }
    return subscriber.all.get(60, TimeUnit.SECONDS);
  }

  private static void feed(Engine engine, DriverPort feed, List<Sent> traffic, int queues) {
    PacketMaker maker = new PacketMaker("feed", engine.drivers().pools(), 8_192);
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    long timeNs = START_NS;
    for (Sent sent : traffic) {
      while (!maker.append(one.array(), sent.frame.toBytes())) {
        LockSupport.parkNanos(20_000);
      }
      Mbuf.timestampNs(one.handle(0), timeNs += GAP_NS);
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
        Packet packet = packets.of(sent.frame.toBytes());
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
