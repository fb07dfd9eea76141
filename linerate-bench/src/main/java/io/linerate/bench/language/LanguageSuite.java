package io.linerate.bench.language;

import io.linerate.bench.jmh.JmhEffort;
import io.linerate.bench.jmh.JmhRun;
import io.linerate.bench.jmh.Timing;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code language}: the thesis's section 4. */
public final class LanguageSuite implements Benchmark {
  private static final String LIBRARY = "language.so";

  @Override
  public String name() {
    return "language";
  }

  @Override
  public String summary() {
    return "packets of five random numbers made and multiplied: C, Java, and half and half";
  }

  @Override
  public void run(Session session) throws IOException {
    String library = session.twin(LIBRARY).toString();
    System.setProperty(LanguageLibrary.PROPERTY, library);
    requireSameWork(LanguageBenchmark.PACKETS);
    List<String> wanted =
        Stream.of(Language.values())
            .filter(one -> session.wants(one.title()))
            .map(Language::name)
            .toList();
    if (!wanted.isEmpty()) {
      report(
          session,
          new JmhRun(session, LanguageBenchmark.class, JmhEffort.of(session, wanted.size()))
              .property(LanguageLibrary.PROPERTY, library)
              .parameter("language", wanted)
              .run());
    }
  }

  /** All programs must come to the same results. */
  static void requireSameWork(int packets) {
    int expected = Language.C.program().run(packets);
    for (Language one : Language.values()) {
      int found = one.program().run(packets);
      if (found != expected) {
        throw new IllegalStateException(
            "programs disagree: program="
                + one.title()
                + ", packets="
                + packets
                + ", sum="
                + found
                + ", C's="
                + expected);
      }
    }
  }

  private void report(Session session, List<Timing> all) {
    Map<Language, Timing> timings = new EnumMap<>(Language.class);
    all.forEach(timing ->
        timings.put(Language.valueOf(timing.parameters().getOrDefault("language", "")), timing));
    timings.forEach((one, timing) -> session.add(result(one, timing, timings.get(Language.C))));
    session.add(
        Chart.bars(
            "language",
            "Five random numbers made and multiplied",
            "ns a packet",
            timings.keySet().stream().map(Language::title).toList(),
            List.of(
                new Chart.Series(
                    "here",
                    List.of(),
                    timings.values().stream().map(timing -> timing.ns().median()).toList(),
                    false))));
    session.conclude(
        "Theirs: the thesis has no figures in its section 4.2; it found C considerably quicker than"
            + " Java, and Java through JNI extremely slow.");
  }

  private Result result(Language one, Timing timing, @Nullable Timing c) {
    Result.Builder result =
        Result.of(name(), one.title(), "ns")
            .contestant(one.isC() ? "c" : "java", timing.ns())
            .heapBytesPerPacket(timing.heapBytes());
    if (c != null && !one.isC()) {
      result.contestant("c", c.ns()).ratio("java", "c");
    }
    return result.build();
  }
}
