package io.linerate.bench.duel;

import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Fights loops over what lies in memory, without ports: a program of the bench, which is given its
 * arguments and the burst, beside its twins. In the end each prints {@code "digest"}, made of all
 * answers.
 */
public final class LoopDuel {
  private static final int WARM_UP_MS = 1_500;
  private static final int START_MS = 2_500;

  private LoopDuel() {}

  /**
   * Measures a match over the session's JVMs and hands in its result.
   *
   * @param budgetMs how long it may take, start and end of all JVMs included
   * @throws IllegalStateException if contestants have other answers than the first
   */
  public static void fight(
      Session session, String benchmark, Match match, String unit, int budgetMs) {
    int jvms = session.jvms();
    int sliceMs =
        Math.clamp(
            (budgetMs / jvms - START_MS - WARM_UP_MS)
                    / ((1L + match.twins().size()) * session.pairs())
                - 10,
            20,
            400);
    List<Duel> duels = new ArrayList<>();
    for (int i = 0; i < jvms; i++) {
      duels.add(fight(session, match, sliceMs, i % 2 == 0));
    }
    Duel all = Duel.together(duels);
    Result.Builder result = Result.of(benchmark, match.caseName(), unit);
    match.contestants().forEach(name -> result.contestant(name, all.rates(name)));
    result.ratio(Match.JAVA, Match.C, jvms).heapBytesPerPacket(all.heapBytesPerPacket(Match.JAVA));
    for (String twin : match.twins().keySet()) {
      if (!twin.equals(Match.C)) {
        Spread pairs = all.rates(Match.JAVA).dividedBy(all.rates(twin));
        result.figure(Match.JAVA + "/" + twin, pairs.medians(jvms).median());
      }
    }
    session.add(result.build());
  }

  private static Duel fight(Session session, Match match, int sliceMs, boolean isJavaFirst) {
    List<String> java = new ArrayList<>(List.of("taskset", "-c", String.valueOf(session.cpu())));
    java.addAll(session.javaCommand(match.main().getFirst()));
    java.addAll(match.main().subList(1, match.main().size()));
    java.add(String.valueOf(match.burst()));
    SequencedMap<String, Contestant> contestants = new LinkedHashMap<>();
    try {
      contestants.put(Match.JAVA, Contestant.start(java));
      for (String twin : match.twins().keySet()) {
        contestants.put(twin, Contestant.start(match.cCommand(twin, session)));
      }
      Duel duel =
          Duel.fight(
              isJavaFirst ? contestants : contestants.reversed(),
              session.pairs(),
              sliceMs,
              WARM_UP_MS);
      requireSameAnswers(contestants);
      return duel;
    } finally {
      contestants.values().forEach(Contestant::close);
    }
  }

  private static void requireSameAnswers(Map<String, Contestant> contestants) {
    String first = null;
    for (Map.Entry<String, Contestant> each : contestants.entrySet()) {
      String digest = each.getValue().finish().replaceAll("(?s).*\"digest\":\"([^\"]*)\".*", "$1");
      if (first != null && !digest.equals(first)) {
        throw new IllegalStateException(
            "contestants do not have the same answers: first=%s, %s=%s"
                .formatted(first, each.getKey(), digest));
      }
      first = digest;
    }
  }
}
