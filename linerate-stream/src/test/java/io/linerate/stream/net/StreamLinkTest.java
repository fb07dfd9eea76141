package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.stream.Bytes;
import io.linerate.stream.Sources;
import io.linerate.stream.Streams;
import io.linerate.testkit.AllocationMeter;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both ends of a link in one graph, with a wire between. */
@Timeout(240)
class StreamLinkTest {
  private static final int PORT = 4_242;
  private static final LinkKey KEY =
      LinkKey.of(
          "0123456789abcdef0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

  private static final StreamHost LEFT =
      StreamHost.of("left", "02:00:00:00:00:01", "10.0.0.1/24", "fd00::1/64");
  private static final StreamHost RIGHT =
      StreamHost.of("right", "02:00:00:00:00:02", "10.0.0.2/24", "fd00::2/64");

  private long lost;

  private static Graph graph(LinkSettings settings, long messages, Numbered.Check check) {
    return graph(settings, "10.0.0.2:" + PORT, messages, check);
  }

  private static Graph graph(
      LinkSettings settings, String peer, long messages, Numbered.Check check) {
    return Streams.graph(s -> {
      Node out = s.graph().add("left", LEFT.sender(settings, peer, 1));
      Node in = s.graph().add("right", RIGHT.receiver(settings, PORT, false));
      s.objects("source", Bytes.class, () -> new Numbered(messages)).to(out);
      s.objects(in, Message.class).sink("check", message -> check.take(message.bytes()));
    });
  }

  private void run(Graph graph, String left, Numbered.Check check, long messages) {
    EngineConfig config = EngineConfig.DEFAULT.withIdle(Idle.YIELD).withMtu(9_000);
    try (Engine engine = new Engine(config)) {
      engine.port("left", left);
      engine.port("right", "ring:wire,size=1024");
      GraphRunner runner = GraphRunner.install(graph, engine);
      long startNs = System.nanoTime();
      engine.start();
      while (check.count < messages
          && check.wrong.isEmpty()
          && engine.summary().failures().isEmpty()) {
        LockSupport.parkNanos(1_000_000);
        if (System.nanoTime() - startNs > 60_000_000_000L) {
          break;
        }
      }
      engine.stop();
      assertThat(engine.awaitEnd(10_000)).isTrue();
      assertThat(engine.summary().failures()).isEmpty();
      assertThat(check.wrong).isEmpty();
      assertThat(check.count).isEqualTo(messages);
      lost = runner.read("left/out.lost").sum();
    }
  }

  @Test
  void shouldBringAllMessages() {
    Numbered.Check check = new Numbered.Check();
    run(graph(LinkSettings.DEFAULT, 60_000, check), "ring:wire,size=1024", check, 60_000);
  }

  @Test
  void shouldBringAllMessagesEncrypted() {
    Numbered.Check check = new Numbered.Check();
    run(
        graph(LinkSettings.DEFAULT.withKey(KEY), 60_000, check),
        "ring:wire,size=1024",
        check,
        60_000);
  }

  @Test
  void shouldBringAllMessagesInLongDatagrams() {
    Numbered.Check check = new Numbered.Check();
    run(
        graph(LinkSettings.DEFAULT.withMtu(9_000), 60_000, check),
        "ring:wire,size=1024",
        check,
        60_000);
  }

  @Test
  void shouldBringAllMessagesThroughABadNetwork() {
    Numbered.Check check = new Numbered.Check();
    run(
        graph(LinkSettings.DEFAULT.withKey(KEY), 20_000, check),
        "fault:direction=both,drop=0.01,duplicate=0.01,reorder=0.01,corrupt=0.001,port=ring:wire,size=1024",
        check,
        20_000);
    assertThat(lost).as("datagrams that were sent again").isPositive();
  }

  /** Two of them fill the buffer: what brings them is asked to wait after each. */
  @Test
  void shouldLoseNoLongMessageThatComesByAQueue() {
    LinkSettings settings = LinkSettings.DEFAULT.withBuffer(1 << 16);
    int bytes = 25_000;
    Numbered.Check check = new Numbered.Check();
    AtomicLong arrived = new AtomicLong();
    Bytes message = Bytes.of(Arena.ofAuto().allocate(bytes));
    Graph graph =
        Streams.graph(s -> {
          Node out = s.graph().add("left", LEFT.sender(settings, "10.0.0.2:" + PORT, 1));
          Node in = s.graph().add("right", RIGHT.receiver(settings, PORT, false));
          s.longs("numbers", Sources.range(0, 500))
              .queue("queue", 256)
              .mapToObject("long", Bytes.class, _ -> message)
              .to(out);
          s.objects(in, Message.class).sink("count", _ -> check.count = arrived.incrementAndGet());
        });
    run(graph, "ring:wire,size=1024", check, 500);
  }

  @Test
  void shouldBringAllMessagesByIpv6() {
    Numbered.Check check = new Numbered.Check();
    run(
        graph(LinkSettings.DEFAULT, "[fd00::2]:" + PORT, 10_000, check),
        "ring:wire,size=1024",
        check,
        10_000);
  }

  /**
   * Both ends, encrypted, from the messages to the wire and back: once in a while a key is made.
   */
  @Test
  void shouldMakeNoObjects() {
    AllocationMeter meter = new AllocationMeter(20_000);
    Graph graph =
        Streams.graph(s -> {
          Node out =
              s.graph()
                  .add("left", LEFT.sender(LinkSettings.DEFAULT.withKey(KEY), "10.0.0.2:4242", 1));
          Node in =
              s.graph()
                  .add("right", RIGHT.receiver(LinkSettings.DEFAULT.withKey(KEY), PORT, false));
          s.objects("source", Bytes.class, () -> new Numbered(Long.MAX_VALUE)).to(out);
          s.objects(in, Message.class).sink("check", _ -> meter.add(1));
        });
    try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
      engine.port("left", "ring:wire,size=1024");
      engine.port("right", "ring:wire,size=1024");
      GraphRunner _ = GraphRunner.install(graph, engine);
      engine.start();
      while (!meter.isDone() && engine.summary().failures().isEmpty()) {
        LockSupport.parkNanos(1_000_000);
      }
      engine.stop();
      assertThat(engine.awaitEnd(10_000)).isTrue();
    }
    meter.assertQuiet();
  }
}
