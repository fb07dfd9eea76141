package io.linerate.bench.fabric;

import io.linerate.bench.duel.Duel;
import io.linerate.bench.duel.LoopDuel;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * Loops over memory beside each other, each a program of its own: a row in ns.
 *
 * @param title of the case
 * @param variants main class and arguments of each contestant's program; the ratio is that of the
 *     first two
 * @param alike names of those that must come to the same digest
 * @param theirs what others measured, in ns
 */
record LoopCase(
    String title,
    SequencedMap<String, List<String>> variants,
    List<String> alike,
    List<Result.Theirs> theirs) {
  private static final int BATCH = 1_024;

  /** Measures them over the session's JVMs, and hands in the result. */
  Result fight(Session session, int budgetMs) {
    SequencedMap<String, List<String>> commands = new LinkedHashMap<>();
    variants.forEach(
        (name, main) -> commands.put(name, LoopDuel.javaCommand(session, main, BATCH)));
    Duel duel = LoopDuel.fight(session, commands, alike, budgetMs);
    Result.Builder row = Result.of("fabric", title, Part.CROSSING.unit());
    variants.sequencedKeySet().forEach(name -> row.contestant(name, ns(duel, name)));
    List<String> names = List.copyOf(variants.sequencedKeySet());
    if (names.size() > 1) {
      row.ratio(names.getFirst(), names.get(1), session.jvms());
    }
    row.heapBytesPerPacket(duel.heapBytesPerPacket(names.getFirst()));
    theirs.forEach(one -> row.theirs(one.source(), one.what(), one.value()));
    Result result = row.build();
    session.add(result);
    return result;
  }

  private static Spread ns(Duel duel, String name) {
    double[] millions = duel.rates(name).samples();
    return new Spread(Arrays.stream(millions).map(rate -> Part.CROSSING.inUnit(rate, 0)).toArray());
  }
}
