package io.linerate.bench.access;

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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code access}: the thesis's section 5.3. Its bars are times a packet, divided by the time of the
 * fastest technique, "direct"; so is the chart here.
 */
public final class AccessSuite implements Benchmark {
  private static final String LIBRARY = "access.so";

  /** A million packets take the slowest technique six seconds: it gets a part of them. */
  private static final int SLOWER = 10;

  private static final int QUICK_PACKETS = 19_200;
  private static final int CHECKED_PACKETS = 9_600;

  @Override
  public String name() {
    return "access";
  }

  @Override
  public String summary() {
    return "a native struct read, changed and written back by Java";
  }

  @Override
  public void run(Session session) throws IOException {
    String library = session.twin(LIBRARY).toString();
    System.setProperty(AccessLibrary.PROPERTY, library);
    List<Contender> wanted =
        Stream.of(Contender.values()).filter(one -> session.wants(one.title())).toList();
    requireSameWork(CHECKED_PACKETS);
    Map<Contender, Timing> timings = new EnumMap<>(Contender.class);
    for (boolean slow : new boolean[] {false, true}) {
      List<String> names =
          wanted.stream().filter(one -> one.isSlow() == slow).map(Contender::name).toList();
      if (!names.isEmpty()) {
        measure(session, library, names, slow)
            .forEach(timing ->
                timings.put(
                    Contender.valueOf(timing.parameters().getOrDefault("contender", "")), timing));
      }
    }
    report(session, timings);
  }

  /** All techniques must leave the same bytes behind. */
  static void requireSameWork(int packets) {
    long expected = Contender.C.technique().run(packets);
    for (Contender one : Contender.values()) {
      long found = one.technique().run(packets);
      long wanted = one.isBurst() ? Contender.C_BURST.technique().run(packets) : expected;
      if (found != wanted) {
        throw new IllegalStateException(
            "contenders disagree: technique="
                + one.title()
                + ", packets="
                + packets
                + ", checksum="
                + found
                + ", C's="
                + wanted);
      }
    }
  }

  private static List<Timing> measure(
      Session session, String library, List<String> names, boolean slow) throws IOException {
    int packets = session.quick() ? QUICK_PACKETS : AccessBenchmark.PACKETS / (slow ? SLOWER : 1);
    JmhEffort effort = JmhEffort.of(session, names.size() + 1);
    return new JmhRun(session, AccessBenchmark.class, slow ? effort.shortened() : effort)
        .property(AccessLibrary.PROPERTY, library)
        .parameter("contender", names)
        .parameter("packets", List.of(Integer.toString(packets)))
        .operations(packets)
        .run();
  }

  private void report(Session session, Map<Contender, Timing> timings) {
    timings.forEach((one, timing) -> session.add(result(one, timing, timings)));
    List<String> titles = new ArrayList<>();
    List<Double> medians = new ArrayList<>();
    timings.forEach((one, timing) -> {
      titles.add(one.title());
      medians.add(timing.ns().median());
    });
    session.add(
        Chart.bars(
            "access",
            "A native struct read, changed and written back",
            "ns a packet",
            titles,
            List.of(new Chart.Series("here", List.of(), medians, false))));
  }

  private Result result(Contender one, Timing timing, Map<Contender, Timing> timings) {
    Result.Builder result =
        Result.of(name(), one.title(), "ns")
            .contestant(one.isC() ? "c" : "java", timing.ns())
            .heapBytesPerPacket(timing.heapBytes());
    Timing c = timings.get(one.isBurst() ? Contender.C_BURST : Contender.C);
    if (!one.isC() && c != null) {
      result.contestant("c", c.ns()).figure("times C", timing.ns().median() / c.ns().median());
    }
    Timing direct = timings.get(Contender.UNSAFE);
    if (direct != null) {
      result.figure("times Unsafe in place", timing.ns().median() / direct.ns().median());
    }
    one.addTheirs(result);
    return result.build();
  }
}
