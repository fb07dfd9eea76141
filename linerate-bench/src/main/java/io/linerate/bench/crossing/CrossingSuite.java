package io.linerate.bench.crossing;

import io.linerate.bench.jmh.JmhEffort;
import io.linerate.bench.jmh.JmhRun;
import io.linerate.bench.jmh.Timing;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code crossing}: the tables of Javia, with today's ways beside JNI. */
public final class CrossingSuite implements Benchmark {
  private static final String LIBRARY = "crossing.so";
  private static final List<Class<?>> CLASSES =
      List.of(CallBenchmark.class, ArrayBenchmark.class, PinBenchmark.class);

  /** Benchmark methods in all of them, each size of the arrays counted. */
  private static final int METHODS = 52;

  private static final List<Way> CHARTED = List.of(Way.JNI, Way.FFM, Way.CRITICAL);

  @Override
  public String name() {
    return "crossing";
  }

  @Override
  public String summary() {
    return "the way from Java to native code and back: JNI, FFM, FFM critical";
  }

  @Override
  public void run(Session session) throws IOException {
    String library = session.twin(LIBRARY).toString();
    System.setProperty(CrossingLibrary.PROPERTY, library);
    new SameWork().require();
    List<Crossing> wanted =
        Crossing.ALL.stream().filter(one -> session.wants(one.title())).toList();
    Map<Crossing, Map<Way, Timing>> timings = new LinkedHashMap<>();
    wanted.forEach(one -> timings.put(one, new EnumMap<>(Way.class)));
    for (Class<?> type : CLASSES) {
      List<String> prefixes = wanted.stream().map(one -> one.method() + "_.*").distinct().toList();
      for (Timing timing :
          new JmhRun(session, type, JmhEffort.of(session, METHODS))
              .property(CrossingLibrary.PROPERTY, library)
              .methods(prefixes)
              .run()) {
        keep(timings, timing);
      }
    }
    timings.forEach((one, ways) -> session.add(result(one, ways)));
    chart(session, timings);
  }

  private static void keep(Map<Crossing, Map<Way, Timing>> timings, Timing timing) {
    String bytes = timing.parameters().getOrDefault("bytes", "");
    timings.forEach((one, ways) -> {
      if (timing.method().startsWith(one.method() + "_") && bytes.equals(one.bytes())) {
        ways.put(Way.of(timing.method()), timing);
      }
    });
  }

  private Result result(Crossing one, Map<Way, Timing> ways) {
    Result.Builder result = Result.of(name(), one.title(), "ns");
    ways.forEach((way, timing) -> result.contestant(way.title(), timing.ns()));
    if (ways.containsKey(Way.FFM) && ways.containsKey(Way.JNI)) {
      result.ratio(Way.FFM.title(), Way.JNI.title());
    } else if (ways.containsKey(Way.CRITICAL) && ways.containsKey(Way.JNI)) {
      result.ratio(Way.CRITICAL.title(), Way.JNI.title());
    }
    ways.values().stream()
        .mapToDouble(Timing::heapBytes)
        .max()
        .ifPresent(result::heapBytesPerPacket);
    one.addTheirs(result);
    return result.build();
  }

  private static void chart(Session session, Map<Crossing, Map<Way, Timing>> timings) {
    List<String> titles = new ArrayList<>();
    Map<Way, List<Double>> medians = new EnumMap<>(Way.class);
    timings.forEach((one, ways) -> {
      if (ways.containsKey(Way.JNI)) {
        titles.add(one.title());
        for (Way way : CHARTED) {
          Timing timing = ways.get(way);
          medians
              .computeIfAbsent(way, _ -> new ArrayList<>())
              .add(timing == null ? 0.0 : timing.ns().median());
        }
      }
    });
    List<Chart.Series> series = new ArrayList<>();
    medians.forEach((way, ns) -> series.add(new Chart.Series(way.title(), List.of(), ns, false)));
    if (!titles.isEmpty()) {
      session.add(Chart.bars("crossing", "Between Java and native code", "ns", titles, series));
    }
  }
}
