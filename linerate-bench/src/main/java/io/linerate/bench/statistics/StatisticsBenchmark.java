package io.linerate.bench.statistics;

import io.linerate.apps.Main;
import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.Duel;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * {@code statistics}: the fastest loop that there is, with its counters file and without: one
 * program that publishes in every other slice, and two programs, one of which never does.
 */
public final class StatisticsBenchmark implements Benchmark {
  private static final String ON = "published";
  private static final String OFF = "silent";
  private static final String ONE = "one program, by turns";
  private static final String TWO = "two programs";
  private static final String BURST = "32";
  private static final int LEAST_SLICE_MS = 250;
  private static final int MOST_SLICE_MS = 1_500;
  private static final int WARM_UP_MS = 4_000;
  private static final int QUICK_WARM_UP_MS = 1_000;

  @Override
  public String name() {
    return "statistics";
  }

  @Override
  public String summary() {
    return "the counters file of a program that receives and drops: with it, and without";
  }

  @Override
  public void run(Session session) {
    boolean isSecond = session.wants(TWO);
    if (session.wants(ONE)) {
      oneProgram(session, (int) session.left().toMillis() / (isSecond ? 2 : 1));
    }
    if (isSecond) {
      twoPrograms(session, (int) session.left().toMillis());
    }
  }

  private static int warmUpMs(Session session) {
    return session.quick() ? QUICK_WARM_UP_MS : WARM_UP_MS;
  }

  /** Publishing happens four times a second: a slice must be long enough to meet it. */
  private static int sliceMs(Session session, int budgetMs) {
    return Math.clamp(
        (budgetMs - 2L * warmUpMs(session)) / (2L * session.pairs()) - 100,
        LEAST_SLICE_MS,
        MOST_SLICE_MS);
  }

  private void oneProgram(Session session, int budgetMs) {
    List<String> command = new ArrayList<>(session.javaCommand(PublishingLoop.class.getName()));
    command.addAll(List.of(BURST, Integer.toString(session.cpu())));
    int sliceMs = sliceMs(session, budgetMs);
    int pairs = session.pairs();
    double[] on = new double[pairs];
    double[] off = new double[pairs];
    try (Contestant loop = Contestant.start(command)) {
      loop.measure(warmUpMs(session));
      loop.measure(warmUpMs(session)); // Both ways: the next slice is a published one.
      for (int i = 0; i < pairs; i++) {
        on[i] = loop.measure(sliceMs).mpps();
        off[i] = loop.measure(sliceMs).mpps();
      }
    }
    session.add(result(ONE, new Spread(on), new Spread(off)));
  }

  private void twoPrograms(Session session, int budgetMs) {
    try (Contestant on = Contestant.start(capture(session, true));
        Contestant off = Contestant.start(capture(session, false))) {
      SequencedMap<String, Contestant> both = new LinkedHashMap<>();
      both.put(ON, on);
      both.put(OFF, off);
      Duel duel = Duel.fight(both, session.pairs(), sliceMs(session, budgetMs), warmUpMs(session));
      session.add(result(TWO, duel.rates(ON), duel.rates(OFF)));
    }
  }

  private Result result(String caseName, Spread on, Spread off) {
    return Result.of(name(), caseName, "Mpps")
        .contestant(ON, on)
        .contestant(OFF, off)
        .ratio(ON, OFF)
        .build();
  }

  /** The command that users run. */
  private static List<String> capture(Session session, boolean counters) {
    List<String> words = new ArrayList<>(session.javaCommand(Main.class.getName()));
    words.addAll(List.of("capture", "--port", "bench:frame=64,port=dpdk:net_null0,size=64"));
    for (String setting :
        List.of("idle=busy-spin", "cpus=" + session.cpu(), "counters=" + counters)) {
      words.addAll(List.of("--set", setting));
    }
    words.add("--json");
    return words;
  }
}
