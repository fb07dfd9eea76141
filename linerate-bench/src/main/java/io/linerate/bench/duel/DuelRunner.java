package io.linerate.bench.duel;

import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Fights the matches of a benchmark one after the other, each within its share of the budget. */
public final class DuelRunner {
  private static final int QUICK_WARM_UP_MS = 1_500;
  private static final int FULL_WARM_UP_MS = 4_000;
  private static final int LEAST_SLICE_MS = 30;
  private static final int MOST_SLICE_MS = 400;

  /** Starting and ending the contestants, once to check them and once to measure. */
  private static final int OVERHEAD_MS = 2_500;

  /**
   * By how much the share of forwarded packets may differ: counters are not read at one instant.
   */
  private static final double SHARE_TOLERANCE = 0.05;

  private final Session session;
  private final String name;

  public DuelRunner(Session session, String name) {
    this.session = session;
    this.name = name;
  }

  /**
   * Checks that contestants do the same with these frames.
   *
   * @throws IllegalStateException if not
   */
  public void check(Match match, List<byte[]> frames) {
    session.say(match.caseName() + ": the same packets: " + Check.run(match, session, frames));
  }

  /**
   * Measures a match and hands in its result. What one JVM's compiler made of the program may be
   * luck: where packets are free, several fresh JVMs, each with fresh twins, give a ratio each.
   *
   * @param budgetMs how long it may take, start and end of all JVMs included
   * @param more adds to the result
   */
  public Optional<Result> fight(Match match, int budgetMs, Consumer<Result.Builder> more) {
    int jvms = match.feed().isFree() ? session.jvms() : 1;
    List<Duel> duels = new ArrayList<>();
    SortedMap<String, Integer> lost = new TreeMap<>();
    try {
      for (int i = 0; i < jvms; i++) {
        duels.add(fight(match, budgetMs / jvms, i % 2 == 0));
        if (match.feed().isFree()) {
          CompilerLog.lostCalls(Ring.compilerLog(session))
              .forEach(call -> lost.merge(call, 1, Integer::sum));
        }
      }
    } catch (SkipException e) {
      session.skip(match.caseName(), e.reason());
      return Optional.empty();
    }
    Result result =
        result(
            match,
            Duel.together(duels),
            jvms,
            builder -> {
              more.accept(builder);
              lost.forEach((call, times) ->
                  builder.note("not inlined in %d of %d JVMs: %s".formatted(times, jvms, call)));
            });
    session.add(result);
    return Optional.of(result);
  }

  private Duel fight(Match match, int budgetMs, boolean isJavaFirst) {
    try (Ring ring = Ring.open(match, session)) {
      int warmUpMs = session.quick() ? QUICK_WARM_UP_MS : FULL_WARM_UP_MS;
      int contestants = ring.contestants().size();
      int sliceMs =
          Math.clamp(
              (budgetMs - OVERHEAD_MS - warmUpMs / 2) / (contestants * (long) session.pairs()),
              LEAST_SLICE_MS,
              MOST_SLICE_MS);
      SequencedMap<String, Contestant> all = ring.contestants();
      return Duel.fight(isJavaFirst ? all : all.reversed(), session.pairs(), sliceMs, warmUpMs);
    }
  }

  private Result result(Match match, Duel duel, int jvms, Consumer<Result.Builder> more) {
    Result.Builder builder = Result.of(name, match.caseName(), "Mpps");
    for (String contestant : match.contestants()) {
      builder.contestant(contestant, duel.rates(contestant));
      requireSameShare(match, duel, contestant);
    }
    builder
        .ratio(Match.JAVA, Match.C, jvms)
        .heapBytesPerPacket(duel.heapBytesPerPacket(Match.JAVA));
    for (String twin : match.contestants()) {
      if (!twin.equals(Match.JAVA) && !twin.equals(Match.C)) {
        Spread pairs = duel.rates(Match.JAVA).dividedBy(duel.rates(twin));
        builder.figure(Match.JAVA + "/" + twin, pairs.medians(jvms).median());
      }
    }
    more.accept(builder);
    return builder.build();
  }

  private static void requireSameShare(Match match, Duel duel, String contestant) {
    double share = duel.sentShare(contestant);
    double javaShare = duel.sentShare(Match.JAVA);
    if (Math.abs(share - javaShare) > SHARE_TOLERANCE) {
      throw new IllegalStateException(
          "contestants did not forward the same share: case=%s, java=%.3f, %s=%.3f"
              .formatted(match.caseName(), javaShare, contestant, share));
    }
  }
}
