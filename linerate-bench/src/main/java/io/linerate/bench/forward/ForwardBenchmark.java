package io.linerate.bench.forward;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.Duel;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.core.config.EngineConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** {@code forward}: a graph of two elements that do nothing but forward, beside dpdk-testpmd. */
public final class ForwardBenchmark implements Benchmark {
  private static final String JAVA = "java";
  private static final String TESTPMD = "testpmd";

  /** What {@code dpdk-testpmd} has when nothing is said. */
  private static final int TESTPMD_BURST = 32;

  private static final List<Bursts> CASES =
      List.of(
          Bursts.of(TESTPMD_BURST),
          new Bursts("as both come", EngineConfig.DEFAULT.rxBurst(), TESTPMD_BURST),
          Bursts.of(64),
          Bursts.of(8));

  private static final String DEVICE = "net_null0,size=64";
  private static final int WARM_UP_MS = 4_000;
  private static final int QUICK_WARM_UP_MS = 1_500;
  private static final int START_MS = 3_000;

  /**
   * Packets in a burst of each program.
   *
   * @param title of the case
   */
  private record Bursts(String title, int java, int testpmd) {
    static Bursts of(int both) {
      return new Bursts("burst " + both, both, both);
    }

    String caseName() {
      return "net_null 64 B " + title;
    }
  }

  @Override
  public String name() {
    return "forward";
  }

  @Override
  public String summary() {
    return "from a port back to it, unseen: beside dpdk-testpmd";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) {
    List<Bursts> wanted =
        CASES.stream()
            .limit(session.quick() ? 2 : CASES.size())
            .filter(bursts -> session.wants(bursts.caseName()))
            .toList();
    for (int i = 0; i < wanted.size(); i++) {
      measure(session, wanted.get(i), (int) (session.left().toMillis() / (wanted.size() - i)));
    }
  }

  private void measure(Session session, Bursts bursts, int budgetMs) {
    int jvms = session.jvms();
    int warmUpMs = session.quick() ? QUICK_WARM_UP_MS : WARM_UP_MS;
    int sliceMs =
        Math.clamp((budgetMs / jvms - START_MS - warmUpMs) / (2L * session.pairs()) - 20, 30, 400);
    List<Duel> duels = new ArrayList<>();
    for (int i = 0; i < jvms; i++) {
      try (Contestant java = Contestant.start(java(session, bursts.java));
          Contestant testpmd = Contestant.start(testpmd(session, bursts.testpmd))) {
        SequencedMap<String, Contestant> both = new LinkedHashMap<>();
        both.put(JAVA, java);
        both.put(TESTPMD, testpmd);
        duels.add(
            Duel.fight(i % 2 == 0 ? both : both.reversed(), session.pairs(), sliceMs, warmUpMs));
      }
    }
    Duel all = Duel.together(duels);
    session.add(
        Result.of(name(), bursts.caseName(), "Mpps")
            .contestant(JAVA, all.rates(JAVA))
            .contestant(TESTPMD, all.rates(TESTPMD))
            .ratio(JAVA, TESTPMD, jvms)
            .heapBytesPerPacket(all.heapBytesPerPacket(JAVA))
            .build());
  }

  private static List<String> java(Session session, int burst) {
    List<String> words = new ArrayList<>(session.javaCommand(PortForwarder.class.getName()));
    words.add("bench:frame=64,port=dpdk:" + DEVICE);
    words.addAll(List.of(String.valueOf(burst), String.valueOf(session.cpu())));
    return words;
  }

  /** All threads of the adapter are on the other CPU. */
  private static List<String> testpmd(Session session, int burst) {
    Path folder = TextFiles.folder(session.folder().resolve(TESTPMD));
    List<String> words = new ArrayList<>(session.javaCommand(Testpmd.class.getName()));
    words.addAll(List.of(DEVICE, String.valueOf(burst)));
    words.addAll(List.of(String.valueOf(session.cpu()), String.valueOf(session.otherCpu())));
    words.add(folder.toString());
    return words;
  }
}
