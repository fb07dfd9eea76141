package io.linerate.bench.elements;

import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.Match;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Session;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code chain}: elements that each read and write a byte of every packet, beside the same steps
 * fused by hand in C.
 */
public final class ChainBenchmark implements Benchmark {
  private static final int BURST = 32;
  private static final int FRAME_BYTES = 64;
  private static final List<Integer> ELEMENTS = List.of(1, 5, 10, 20);
  private static final List<Integer> QUICK_ELEMENTS = List.of(10);

  @Override
  public String name() {
    return "chain";
  }

  @Override
  public String summary() {
    return "1 to 20 elements that each change a byte: beside the same steps in one loop in C";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) {
    DuelRunner runner = new DuelRunner(session, name());
    List<Integer> wanted =
        (session.quick() ? QUICK_ELEMENTS : ELEMENTS)
            .stream().filter(elements -> session.wants(match(elements).caseName())).toList();
    for (int i = 0; i < wanted.size(); i++) {
      int elements = wanted.get(i);
      int budgetMs = (int) (session.left().toMillis() / (wanted.size() - i));
      var _ = runner.fight(match(elements), budgetMs, _ -> {});
    }
  }

  private static Match match(int elements) {
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("elements=" + elements));
    twins.put(Match.USUAL_C, List.of("elements=" + elements, "way=usual"));
    return new Match(
        elements + " elements, net_null %d B burst %d".formatted(FRAME_BYTES, BURST),
        "chain",
        Feed.nothing(FRAME_BYTES),
        BURST,
        List.of(),
        twins,
        List.of(ElementRow.class.getName(), ElementRow.INCREMENT, String.valueOf(elements)));
  }
}
