package io.linerate.bench.stream;

import io.linerate.bench.duel.Curve;
import io.linerate.bench.duel.Duel;
import io.linerate.bench.duel.LoopDuel;
import io.linerate.bench.duel.Match;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/**
 * {@code stream}: messages that are encrypted or compressed into datagrams, and back, beside C; and
 * on two engines beside one, and beside two programs of one engine each: "A high-level programming
 * framework …", figure 4.
 */
public final class StreamBenchmark implements Benchmark {
  private static final String IN_BURSTS = "c-bursts";
  private static final String ONE = "one";
  private static final String TWO = "two";
  private static final String PROGRAMS = "programs";
  private static final List<Integer> SIZES = List.of(64, 256, 1_024, 4_096, 9_000);
  private static final List<Integer> QUICK_SIZES = List.of(1_024);

  /** What becomes of messages, and the paper's amount of them. */
  private enum Work {
    SEAL("encrypt", 2.56),
    COMPRESS("compress", 1.28);

    private final String title;
    private final double gigabytes;

    Work(String title, double gigabytes) {
      this.title = title;
      this.gigabytes = gigabytes;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Which end. */
  private enum Side {
    SOURCE("source"),
    SINK("sink"),
    BOTH("source and sink");

    private final String title;

    Side(String title) {
      this.title = title;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A row. */
  private record Case(Work work, Side side, int bytes, boolean isBesideC) {
    String name() {
      return "%s, %s, %d B%s"
          .formatted(work.title, side.title, bytes, isBesideC ? "" : ", two engines");
    }
  }

  @Override
  public String name() {
    return "stream";
  }

  @Override
  public String summary() {
    return "messages encrypted or compressed into datagrams and back: beside C, on two engines";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) {
    List<Case> cases = new ArrayList<>();
    for (Work work : Work.values()) {
      for (Side side : Side.values()) {
        for (int bytes : session.quick() ? QUICK_SIZES : SIZES) {
          for (boolean isBesideC : new boolean[] {true, false}) {
            Case one = new Case(work, side, bytes, isBesideC);
            boolean isThere = !isBesideC || side != Side.BOTH;
            if (isThere && session.wants(one.name())) {
              cases.add(one);
            }
          }
        }
      }
    }
    StreamFiles files = new StreamFiles(session);
    Map<String, Curve> curves = new LinkedHashMap<>();
    for (int i = 0; i < cases.size(); i++) {
      Case one = cases.get(i);
      if (one.side == Side.SINK) {
        files.record(one.work.word(), one.bytes);
      }
      int budgetMs = (int) (session.left().toMillis() / (cases.size() - i));
      Result result = measure(session, files, one, budgetMs);
      session.add(result);
      String title = one.work.title + ", " + one.side.title + (one.isBesideC ? "" : ", engines");
      curves.computeIfAbsent(title, _ -> new Curve()).add(one.bytes, result);
    }
    curves.forEach((title, curve) -> session.add(chart(title, curve)));
    for (int bytes : session.quick() ? QUICK_SIZES : SIZES) {
      String title = "encrypt packets, %d B: in place, and in a copy".formatted(bytes);
      if (session.wants(title)) {
        copy(session, files, title, bytes);
      }
    }
  }

  /** What it costs to copy payloads before they are changed, and back. */
  private void copy(Session session, StreamFiles files, String title, int bytes) {
    SequencedMap<String, List<String>> commands = new LinkedHashMap<>();
    for (String way : List.of("place", "copy")) {
      commands.put(way, files.java("plain", way, bytes, List.of(session.cpu())));
    }
    int budgetMs = (int) session.budget().toMillis() / 50;
    Duel duel = LoopDuel.fight(session, commands, Set.of(), budgetMs);
    session.add(
        Result.of(name(), title, "Mpps")
            .contestant("place", duel.rates("place"))
            .contestant("copy", duel.rates("copy"))
            .ratio("copy", "place", session.jvms())
            .build());
  }

  private Result measure(Session session, StreamFiles files, Case one, int budgetMs) {
    String work = one.work.word();
    String side = one.side.word();
    List<Integer> cpus = List.of(session.cpu(), session.otherCpu());
    SequencedMap<String, List<String>> commands = new LinkedHashMap<>();
    if (one.isBesideC) {
      commands.put(Match.JAVA, files.java(work, side, one.bytes, cpus.subList(0, 1)));
      commands.put(Match.C, files.c(work, side, one.bytes));
      commands.put(Match.USUAL_C, files.c(work, side, one.bytes, "usual=1"));
      if (one.side == Side.SINK) {
        commands.put(IN_BURSTS, files.c(work, side, one.bytes, "bursts=1"));
      }
    } else {
      commands.put(TWO, files.java(work, side, one.bytes, cpus));
      commands.put(PROGRAMS, files.javaTwice(work, side, one.bytes, cpus));
      commands.put(ONE, files.java(work, side, one.bytes, cpus.subList(0, 1)));
    }
    Duel duel = LoopDuel.fight(session, commands, Set.of(), budgetMs);
    Result.Builder result = Result.of(name(), one.name(), "Gbit/s");
    List<String> names = List.copyOf(commands.sequencedKeySet());
    double gigabits = one.bytes * Byte.SIZE / 1e3;
    for (String each : names) {
      Spread rates =
          new Spread(
              Arrays.stream(duel.rates(each).samples()).map(mpps -> mpps * gigabits).toArray());
      result.contestant(each, rates);
      result.figure(each + " s", one.work.gigabytes * Byte.SIZE / rates.median());
    }
    result.ratio(names.get(0), names.get(1), session.jvms());
    result.heapBytesPerPacket(duel.heapBytesPerPacket(names.getFirst()));
    if (one.isBesideC) {
      for (String other : names.subList(2, names.size())) {
        Spread pairs = duel.rates(Match.JAVA).dividedBy(duel.rates(other));
        result.figure(Match.JAVA + "/" + other, pairs.medians(session.jvms()).median());
      }
    } else {
      Spread speedUp = duel.rates(TWO).dividedBy(duel.rates(ONE));
      result.figure(TWO + "/" + ONE, speedUp.medians(session.jvms()).median());
    }
    return result.note("s: of %.2f GB at this rate".formatted(one.work.gigabytes)).build();
  }

  /** Gbit/s of messages over their length. */
  private static Chart chart(String title, Curve curve) {
    return Chart.lines(
            "stream-" + title.replaceAll("[ ,]+", "-"),
            title,
            "bytes of a message",
            "Gbit/s",
            curve.series(""))
        .withLogX();
  }
}
