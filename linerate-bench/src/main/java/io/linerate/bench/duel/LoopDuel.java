package io.linerate.bench.duel;

import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.Collection;
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
    SequencedMap<String, List<String>> commands = new LinkedHashMap<>();
    commands.put(Match.JAVA, javaCommand(session, match.main(), match.burst()));
    match.twins().keySet().forEach(twin -> commands.put(twin, match.cCommand(twin, session)));
    Duel all = fight(session, commands, commands.sequencedKeySet(), budgetMs);
    int jvms = session.jvms();
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

  /**
   * Measures programs over the session's JVMs.
   *
   * @param commands of each contestant
   * @param alike those that have to have the same answers
   * @param budgetMs how long it may take, start and end of all JVMs included
   * @return the rounds of all JVMs, one's after the other's
   */
  public static Duel fight(
      Session session,
      SequencedMap<String, List<String>> commands,
      Collection<String> alike,
      int budgetMs) {
    int jvms = session.jvms();
    int sliceMs =
        Math.clamp(
            (budgetMs / jvms - START_MS - WARM_UP_MS) / ((long) commands.size() * session.pairs())
                - 10,
            20,
            400);
    List<Duel> duels = new ArrayList<>();
    for (int i = 0; i < jvms; i++) {
      duels.add(fight(session, commands, alike, sliceMs, i % 2 == 0));
    }
    return Duel.together(duels);
  }

  /**
   * The command of a program of the bench.
   *
   * @param main its class and first arguments
   */
  public static List<String> javaCommand(Session session, List<String> main, int burst) {
    List<String> java = new ArrayList<>(List.of("taskset", "-c", String.valueOf(session.cpu())));
    java.addAll(session.javaCommand(main.getFirst()));
    java.addAll(main.subList(1, main.size()));
    java.add(String.valueOf(burst));
    return java;
  }

  private static Duel fight(
      Session session,
      SequencedMap<String, List<String>> commands,
      Collection<String> alike,
      int sliceMs,
      boolean isInOrder) {
    SequencedMap<String, Contestant> contestants = new LinkedHashMap<>();
    try {
      commands.forEach((name, command) -> contestants.put(name, Contestant.start(command)));
      Duel duel =
          Duel.fight(
              isInOrder ? contestants : contestants.reversed(),
              session.pairs(),
              sliceMs,
              WARM_UP_MS);
      SequencedMap<String, Contestant> judged = new LinkedHashMap<>(contestants);
      judged.keySet().retainAll(alike);
      requireSameAnswers(judged);
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
