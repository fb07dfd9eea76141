package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Overflow;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Actors allocate nothing for a token, on each worker. */
@Timeout(600)
class StreamAllocationTest {
  private static final int ROUND_TOKENS = 100_000;
  private static final int FRAMES = 4_096;
  private static final int LAST_BYTES = 60;
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir Path folder;

  /** What is said of a packet: the same object for each. */
  static final class Seen implements Function<Packet, Seen> {
    private long host;
    private long bytes;
    private long atNs;

    @Override
    public Seen apply(Packet packet) {
      host = packet.u32(LAST_BYTES) & 0xFF;
      bytes = packet.length();
      atNs += 1_000;
      return this;
    }

    long host() {
      return host;
    }

    long bytes() {
      return bytes;
    }

    long atNs() {
      return atNs;
    }
  }

  /** Adds up what each host has sent. */
  private static final class Adding implements KeyedProcess<Long, LongValue, Seen, Consumer<Seen>> {
    @Override
    public LongValue create(Long host) {
      return new LongValue(0);
    }

    @Override
    public void process(LongValue sum, Seen seen, Consumer<Seen> out) {
      sum.set(sum.value() + seen.bytes());
      out.accept(seen);
    }
  }

  private String capture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (byte[] frame : Frames.numbered(FRAMES, 64)) {
        frame[63] = frame[21];
        writer.write(packets.of(frame));
      }
    }
    return "pcap:rx=" + file + ",loop=forever";
  }

  /** Where tokens end. */
  private record End(AllocationMeter meter, Engine engine) implements LongConsumer {
    @Override
    public void accept(long token) {
      meter.add(1);
      if (meter.isDone()) {
        engine.stop();
      }
    }
  }

  private static void run(EngineConfig config, String capture, Function<Engine, Graph> graph) {
    try (Engine engine = new Engine(config.withIdle(Idle.YIELD))) {
      if (!capture.isEmpty()) {
        engine.port("in", capture);
      }
      GraphRunner.install(graph.apply(engine), engine);
      RunSummary summary = engine.run();
      assertThat(summary.failures()).isEmpty();
      assertThat(summary.packets().isConserved()).isTrue();
    }
  }

  static Stream<Window<Seen>> windows() {
    return Stream.of(
        Window.tumbling(LONG),
        Window.sliding(LONG, LONG.dividedBy(4)),
        Window.<Seen>tumbling(LONG).at(Seen::atNs, Duration.ofSeconds(1)),
        Window.session(LONG),
        Window.<Seen>session(Duration.ofSeconds(1)).at(Seen::atNs, Duration.ofMillis(1)));
  }

  @ParameterizedTest
  @MethodSource("windows")
  void shouldAllocateNothingForATokenOfAKey(Window<Seen> window) {
    AllocationMeter meter = new AllocationMeter(ROUND_TOKENS);
    run(
        EngineConfig.DEFAULT,
        capture(),
        engine ->
            Streams.graph(s -> {
              Tokens<Seen> seen =
                  s.packets("in", "in")
                      .mapBy("seen", Seen.class, Seen::new)
                      .filter("long", token -> token.bytes() > 60)
                      .keyBy(Seen::host)
                      .process("sums", Seen.class, KeyedSettings.timingOutAfter(LONG), Adding::new);
              List<Tokens<Seen>> both = seen.copies("copies", 2);
              both.getFirst()
                  .keyBy(Seen::host)
                  .window("bytes", window, Aggregate.sum(Seen::bytes))
                  .results()
                  .sink("results", _ -> {});
              both.getLast().mapToLong("host", Seen::host).sink("end", new End(meter, engine));
            }));
    meter.assertQuiet();
  }

  @Test
  void shouldAllocateNothingForANumber() {
    AllocationMeter meter = new AllocationMeter(ROUND_TOKENS);
    run(
        EngineConfig.DEFAULT,
        capture(),
        engine ->
            Streams.graph(s -> {
              Split<DoubleTokens> parts =
                  s.packets("in", "in")
                      .mapToLong("length", Packet::length)
                      .map("bits", length -> 8L * length)
                      .filter("some", bits -> bits > 0)
                      .queue("longs", 1_024)
                      .mapToDouble("half", bits -> bits / 2.0)
                      .filter("more", half -> half > 0)
                      .queue("doubles", 1_024, Overflow.KEEP_NEWEST)
                      .split("few", half -> half < 1_000);
              parts
                  .matching()
                  .mapToLong("back", half -> (long) half)
                  .sink("end", new End(meter, engine));
              parts.rest().sink("rest", _ -> {});
            }));
    meter.assertQuiet();
  }

  /** Each of the workers is measured; in the smaller queue tokens wait for room. */
  @ParameterizedTest
  @ValueSource(ints = {8, 1_024})
  void shouldAllocateNothingBetweenWorkers(int capacity) {
    String[] names = {"even", "odd"};
    AllocationMeter first = new AllocationMeter(ROUND_TOKENS);
    AllocationMeter second = new AllocationMeter(ROUND_TOKENS);
    run(
        EngineConfig.DEFAULT.withWorkers(2),
        "",
        engine ->
            Streams.graph(s ->
                s.longs("numbers", Sources.range(0, Long.MAX_VALUE))
                    .on("longs", 1, capacity)
                    .mapToDouble("double", n -> n)
                    .on("doubles", 0, capacity)
                    .map(
                        "measured",
                        n -> {
                          first.add(1);
                          return n;
                        })
                    .mapToObject("name", String.class, n -> names[(int) n & 1])
                    .on("objects", 1, capacity)
                    .mapToLong("length", String::length)
                    .sink(
                        "end",
                        length -> {
                          second.add(1);
                          if (first.isDone() && second.isDone()) {
                            engine.stop();
                          }
                        })));
    first.assertQuiet();
    second.assertQuiet();
  }

  @Test
  void shouldAllocateNothingInStagesThatAreLeftToTheEngine() {
    AllocationMeter meter = new AllocationMeter(ROUND_TOKENS);
    run(
        EngineConfig.DEFAULT.withWorkers(2),
        "",
        engine ->
            Streams.graph(s ->
                s.longs("numbers", Sources.range(0, Long.MAX_VALUE))
                    .anywhere("first", 1_024)
                    .map("twice", n -> 2 * n)
                    .anywhere("second", 1_024)
                    .sink("end", new End(meter, engine))));
    meter.assertQuiet();
  }
}
