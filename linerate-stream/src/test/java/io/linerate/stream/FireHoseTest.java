package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.testkit.firehose.Datum;
import io.linerate.testkit.firehose.FireHose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The three detectors of the FireHose streaming benchmark, as graphs. The answers are those that
 * its authors publish, of all datums of so many packets.
 */
@Timeout(600)
class FireHoseTest {
  /** How often a key has been there when it is judged, and ones that it has at most if biased. */
  private static final int JUDGED = 24;

  private static final int MOST_ONES = 4;

  /** Twice the keys that are active at a time. */
  private static final int KEYS = 2 * 131_072;

  private static final int PARTS = 4;

  /** What is known of a key. */
  private static final class Seen {
    private int times;
    private int ones;
  }

  /** Judges keys by their values. */
  private static final class Judge implements KeyedProcess<Long, Seen, Datum, Consumer<String>> {
    private long keys;
    private int most;

    @Override
    public Seen create(Long key) {
      keys++;
      return new Seen();
    }

    @Override
    public void process(Seen seen, Datum datum, Consumer<String> out) {
      seen.times++;
      most = Math.max(most, seen.times);
      seen.ones += datum.value();
      if (seen.times == JUDGED) {
        boolean isBiased = seen.ones <= MOST_ONES;
        boolean isTrue = isBiased == (datum.flag() == 1);
        String verdict =
            (isTrue ? "true " : "false ")
                + (isBiased ? (isTrue ? "anomaly" : "positive") : "negative");
        out.accept(verdict + " = " + Long.toUnsignedString(datum.key()));
      }
    }
  }

  /** What is known of a key of the outer level. */
  private static final class Parts {
    private long inner;
    private int times;
  }

  /** Makes a datum of the inner level of five of the outer. */
  private static final class Joining implements KeyedProcess<Long, Parts, Datum, Consumer<Datum>> {
    private long keys;

    @Override
    public Parts create(Long key) {
      return new Parts();
    }

    @Override
    public void process(Parts parts, Datum datum, Consumer<Datum> out) {
      if (datum.flag() != parts.times + 1) {
        parts.times = PARTS + 1; // One was lost.
        return;
      }
      keys += datum.flag() == 1 ? 1 : 0;
      if (parts.times < PARTS) {
        parts.inner |= (long) datum.value() << (Short.SIZE * parts.times);
      } else {
        out.accept(new Datum(parts.inner, datum.value() % 10, datum.value() / 10));
      }
      parts.times++;
    }

    @Override
    public boolean isOver(Parts parts) {
      return parts.times > PARTS;
    }
  }

  private final List<String> found = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final Judge judge = new Judge();
  private final Joining joining = new Joining();

  private static Supplier<Source<Consumer<Datum>>> datums(FireHose hose, long packets) {
    long[] left = {packets * hose.perPacket()};
    return () ->
        (to, max) -> {
          int count = (int) Math.min(left[0], max);
          for (int i = 0; i < count; i++) {
            to.accept(hose.next());
          }
          left[0] -= count;
          return count == 0 ? Source.END : count;
        };
  }

  /** One of two workers makes datums, and the other one judges. */
  private void run(FireHose hose, long packets, int keys, boolean hasTwoLevels) {
    Graph graph =
        Streams.graph(s -> {
          Tokens<Datum> datums =
              s.objects("datums", Datum.class, datums(hose, packets)).on("judging", 1, 4_096);
          (hasTwoLevels
                  ? datums
                      .keyBy(Datum::key)
                      .process("joining", Datum.class, settings(keys), () -> joining)
                  : datums)
              .keyBy(Datum::key)
              .process("judge", String.class, settings(keys), () -> judge)
              .sink("sink", this::see);
        });
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      assertThat(engine.run().failures()).isEmpty();
      for (String actor : List.of("datums", "judging", "judge")) {
        assertThat(runner.counts(actor).tokens().dropped()).isEmpty();
      }
    }
  }

  private static <S> KeyedSettings<Long, S> settings(int keys) {
    return KeyedSettings.<Long, S>timingOutAfter(Duration.ofDays(1))
        .withMostKeys(keys)
        .forgettingOldest();
  }

  private void see(String verdict) {
    counts.merge(verdict.replaceAll(" = .*", ""), 1L, Long::sum);
    if (!verdict.startsWith("true negative")) {
      found.add(verdict);
    }
  }

  @Test
  void shouldFindAnomaliesInAFixedRangeOfKeys() {
    run(FireHose.powerLaw(), 100_000, 100_000, false);
    assertThat(found)
        .containsExactly(
            "true anomaly = 1000000065",
            "true anomaly = 1000000183",
            "true anomaly = 1000000333",
            "false positive = 1000000420",
            "false positive = 1000000818",
            "true anomaly = 1000000724",
            "false positive = 1000000700",
            "false positive = 1000001446");
    assertThat(counts).containsEntry("true negative", 2_100L);
    assertThat(judge.keys).isEqualTo(31_936);
    assertThat(judge.most).isEqualTo(1_669_504);
  }

  @Test
  void shouldFindAnomaliesInKeysWithoutEnd() {
    run(FireHose.activeSet(), 100_000, KEYS, false);
    assertThat(counts)
        .isEqualTo(Map.of("true anomaly", 35L, "false positive", 4L, "true negative", 8_614L));
    assertThat(found)
        .startsWith("true anomaly = 16583087457304165533", "true anomaly = 2098531965033411033")
        .contains(
            "false positive = 362821311596934237",
            "false positive = 17984155105257000523",
            "false positive = 10298098819531382990",
            "false positive = 3352753520326067176")
        .endsWith("true anomaly = 4865924738766465855", "true anomaly = 7417001511715935252");
    assertThat(judge.keys).isEqualTo(4_260_361);
  }

  /** In so few packets no key of the inner level comes often enough to be judged. */
  @Test
  void shouldKnowTheKeysOfTwoLevels() {
    run(FireHose.twoLevel(), 100_000, KEYS, true);
    assertThat(counts).isEmpty();
    assertThat(joining.keys).isEqualTo(2_446_835);
    assertThat(judge.keys).isEqualTo(135_041);
  }

  @Test
  @Tag("soak")
  void shouldFindAnomaliesOnTwoLevels() {
    run(FireHose.twoLevel(), 1_000_000, KEYS, true);
    assertThat(found)
        .containsExactly(
            "true anomaly = 5988228440328453002",
            "true anomaly = 421481297385686631",
            "true anomaly = 13818534487523274984",
            "true anomaly = 16834765661468674390",
            "true anomaly = 12359620867206941275",
            "false positive = 11727239042331584044",
            "true anomaly = 9978587122925016971",
            "true anomaly = 16936743250944644617",
            "false positive = 5406163141942597191",
            "true anomaly = 11883596058160811355",
            "true anomaly = 12340541115407201233",
            "true anomaly = 14057818086571344624",
            "true anomaly = 8250414880177571938",
            "true anomaly = 8253861475170350308",
            "true anomaly = 6201007142084677947",
            "true anomaly = 1263908320843374150",
            "true anomaly = 15283450439199529566");
    assertThat(counts).containsEntry("true negative", 5_204L);
    assertThat(joining.keys).isEqualTo(24_005_720);
    assertThat(judge.keys).isEqualTo(475_860);
  }

  @Test
  @Tag("soak")
  void shouldGiveThePublishedAnswersOfLongStreams() {
    run(FireHose.powerLaw(), 1_000_000, 100_000, false);
    assertThat(counts)
        .isEqualTo(Map.of("true anomaly", 34L, "false positive", 9L, "true negative", 9_645L));
    assertThat(judge.keys).isEqualTo(85_567);
    assertThat(judge.most).isEqualTo(16_713_641);
  }
}
