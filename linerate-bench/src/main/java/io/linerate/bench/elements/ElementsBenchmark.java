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
import java.util.SequencedMap;

/**
 * {@code elements}: ten elements in a row that do nothing, against one; and a firewall as a graph,
 * against the same handler by hand.
 */
public final class ElementsBenchmark implements Benchmark {
  private static final String PORT = "bench:frame=64,port=dpdk:net_null0,size=64";
  private static final String TEN = "ten";
  private static final String ONE = "one";
  private static final int MANY = 10;
  private static final List<Integer> BURSTS = List.of(32, 4);
  private static final int WARM_UP_SHARE = 4;
  private static final String FIREWALL = "firewall, bursts of 32";
  private static final int FIREWALL_BURST = 32;

  @Override
  public String name() {
    return "elements";
  }

  @Override
  public String summary() {
    return "ten elements of a graph that do nothing, against one; a firewall as a graph and by hand";
  }

  @Override
  public void run(Session session) {
    List<Integer> wanted = BURSTS.stream().filter(burst -> session.wants(title(burst))).toList();
    int left = wanted.size() + (session.wants(FIREWALL) ? 1 : 0);
    for (int burst : wanted) {
      measure(session, burst, (int) (session.left().toMillis() / left--));
    }
    if (left > 0) {
      compareFirewalls(session, (int) session.left().toMillis());
    }
  }

  private static void compareFirewalls(Session session, int budgetMs) {
    try (Contestant graph = Contestant.start(firewall(session, SmallFirewall.GRAPH));
        Contestant hand = Contestant.start(firewall(session, SmallFirewall.HAND))) {
      SequencedMap<String, Contestant> both = new LinkedHashMap<>();
      both.put(SmallFirewall.GRAPH, graph);
      both.put(SmallFirewall.HAND, hand);
      Duel duel = Duel.fight(both, session.pairs(), sliceMs(session, budgetMs), warmUpMs(budgetMs));
      session.add(
          Result.of("elements", FIREWALL, "Mpps")
              .contestant(SmallFirewall.GRAPH, duel.rates(SmallFirewall.GRAPH))
              .contestant(SmallFirewall.HAND, duel.rates(SmallFirewall.HAND))
              .ratio(SmallFirewall.GRAPH, SmallFirewall.HAND)
              .heapBytesPerPacket(duel.heapBytesPerPacket(SmallFirewall.GRAPH))
              .build());
    }
  }

  private static int warmUpMs(int budgetMs) {
    return Math.min(4_000, budgetMs / WARM_UP_SHARE);
  }

  private static int sliceMs(Session session, int budgetMs) {
    return Math.clamp((budgetMs - 2L * warmUpMs(budgetMs)) / (2L * session.pairs()) - 20, 20, 500);
  }

  private static List<String> firewall(Session session, String way) {
    List<String> words = new ArrayList<>(session.javaCommand(SmallFirewall.class.getName()));
    words.addAll(List.of(way, Integer.toString(FIREWALL_BURST), Integer.toString(session.cpu())));
    return words;
  }

  private static String title(int burst) {
    return "bursts of " + burst;
  }

  private void measure(Session session, int burst, int budgetMs) {
    try (Contestant ten = Contestant.start(command(session, MANY, burst));
        Contestant one = Contestant.start(command(session, 1, burst))) {
      SequencedMap<String, Contestant> both = new LinkedHashMap<>();
      both.put(TEN, ten);
      both.put(ONE, one);
      Duel duel = Duel.fight(both, session.pairs(), sliceMs(session, budgetMs), warmUpMs(budgetMs));
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
    words.addAll(List.of(ElementRow.NOTHING, String.valueOf(elements), PORT));
    words.addAll(List.of(String.valueOf(burst), String.valueOf(session.cpu())));
    return words;
  }

  /** Time for a packet. */
  private static Spread ns(Spread mpps) {
    return new Spread(Arrays.stream(mpps.samples()).map(rate -> 1_000 / rate).toArray());
  }
}
