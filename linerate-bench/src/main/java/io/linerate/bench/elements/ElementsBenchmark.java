package io.linerate.bench.elements;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.Duel;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code elements}: ten elements in a row that do nothing, against one. */
public final class ElementsBenchmark implements Benchmark {
  private static final String TEN = "ten";
  private static final String ONE = "one";
  private static final int MANY = 10;
  private static final List<Integer> BURSTS = List.of(32, 4);
  private static final int WARM_UP_SHARE = 4;

  @Override
  public String name() {
    return "elements";
  }

  @Override
  public String summary() {
    return "ten elements of a graph that do nothing, against one";
  }

  @Override
  public void run(Session session) {
    List<Integer> wanted = BURSTS.stream().filter(burst -> session.wants(title(burst))).toList();
    for (int i = 0; i < wanted.size(); i++) {
      measure(session, wanted.get(i), (int) (session.left().toMillis() / (wanted.size() - i)));
    }
  }

  private static String title(int burst) {
    return "bursts of " + burst;
  }

  private void measure(Session session, int burst, int budgetMs) {
    int warmUpMs = Math.min(4_000, budgetMs / WARM_UP_SHARE);
    int sliceMs = Math.clamp((budgetMs - 2L * warmUpMs) / (2L * session.pairs()) - 20, 20, 500);
    try (Contestant ten = Contestant.start(command(session, MANY, burst));
        Contestant one = Contestant.start(command(session, 1, burst))) {
      Map<String, Contestant> both = new LinkedHashMap<>();
      both.put(TEN, ten);
      both.put(ONE, one);
      Duel duel = Duel.fight(both, session.pairs(), sliceMs, warmUpMs);
      Spread many = ns(duel.rates(TEN));
      Spread single = ns(duel.rates(ONE));
      session.add(
          Result.of(name(), title(burst), "ns")
              .contestant(TEN, many)
              .contestant(ONE, single)
              .ratio(TEN, ONE)
              .heapBytesPerPacket(duel.heapBytesPerPacket(TEN))
              .figure("ns an element", (many.median() - single.median()) / (MANY - 1))
              .build());
    }
  }

  private static List<String> command(Session session, int elements, int burst) {
    List<String> words = new ArrayList<>(session.javaCommand(ElementRow.class.getName()));
    for (int number : new int[] {elements, burst, session.cpu()}) {
      words.add(Integer.toString(number));
    }
    return words;
  }

  /** Time for a packet. */
  private static Spread ns(Spread mpps) {
    return new Spread(Arrays.stream(mpps.samples()).map(rate -> 1_000 / rate).toArray());
  }
}
