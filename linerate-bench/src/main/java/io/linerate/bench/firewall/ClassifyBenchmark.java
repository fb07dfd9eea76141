package io.linerate.bench.firewall;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.Duel;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.wire.classify.SourceClassifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;

/** {@code classify}: which rule is the first for a source and a protocol, and nothing else. */
public final class ClassifyBenchmark implements Benchmark {
  private static final List<Integer> RULES = List.of(1_000, 10_000);
  private static final int KEYS = 1 << 16;
  private static final int BURST = 32;
  private static final int WARM_UP_MS = 2_000;
  private static final int START_MS = 2_000;
  private static final String TRIE = "c-trie";

  @Override
  public String name() {
    return "classify";
  }

  @Override
  public String summary() {
    return "the first of many source prefixes, without packets: beside rte_acl";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  private record Case(int rules, Sources sources) {
    String title() {
      return rules + " prefixes, " + sources.title();
    }
  }

  @Override
  public void run(Session session) {
    List<Case> cases = new ArrayList<>();
    for (int rules : session.quick() ? RULES.subList(0, 1) : RULES) {
      for (Sources sources :
          session.quick() ? List.of(Sources.ANY_RULE) : List.of(Sources.values())) {
        Case each = new Case(rules, sources);
        if (session.wants(each.title())) {
          cases.add(each);
        }
      }
    }
    for (int i = 0; i < cases.size(); i++) {
      fight(session, cases.get(i), (int) (session.left().toMillis() / (cases.size() - i)));
    }
    for (int rules : session.quick() ? List.<Integer>of() : RULES) {
      build(session, rules);
    }
  }

  private static void fight(Session session, Case one, int budgetMs) {
    Random random = new Random(one.rules);
    List<RuleLines.Prefix> rules = RuleLines.prefixes(one.rules);
    Path file = session.folder().resolve("prefixes");
    TextFiles.write(file, rules.stream().map(RuleLines.Prefix::line).toList());
    Path keys = session.folder().resolve("keys");
    ByteBuffer words = ByteBuffer.allocate(KEYS * Long.BYTES);
    List<RuleLines.Prefix> shuffled = Sources.shuffled(rules, random);
    for (int i = 0; i < KEYS; i++) {
      long protocol = PcapFrames.anyProtocol(random);
      int source = one.sources.address(shuffled, random);
      words.putLong(protocol << SourceClassifier.PROTOCOL_SHIFT | (source & 0xFFFF_FFFFL));
    }
    try {
      Files.write(keys, words.array());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write keys: file=" + keys, e);
    }
    int jvms = session.jvms();
    int sliceMs =
        Math.clamp(
            (budgetMs / jvms - START_MS - WARM_UP_MS) / (3L * session.pairs()) - 10, 20, 400);
    List<Duel> duels = new ArrayList<>();
    for (int i = 0; i < jvms; i++) {
      duels.add(fight(session, one, file, keys, sliceMs, i % 2 == 0));
    }
    Duel all = Duel.together(duels);
    session.add(
        Result.of("classify", one.title(), "Mkeys/s")
            .contestant(Match.JAVA, all.rates(Match.JAVA))
            .contestant(Match.C, all.rates(Match.C))
            .contestant(TRIE, all.rates(TRIE))
            .ratio(Match.JAVA, Match.C, jvms)
            .figure(
                Match.JAVA + "/" + TRIE,
                all.rates(Match.JAVA).dividedBy(all.rates(TRIE)).medians(jvms).median())
            .heapBytesPerPacket(all.heapBytesPerPacket(Match.JAVA))
            .build());
  }

  private static Duel fight(
      Session session, Case one, Path rules, Path keys, int sliceMs, boolean isJavaFirst) {
    List<String> java = new ArrayList<>(List.of("taskset", "-c", String.valueOf(session.cpu())));
    java.addAll(session.javaCommand(KeyLoop.class.getName()));
    java.addAll(List.of(String.valueOf(one.rules), keys.toString(), String.valueOf(BURST)));
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("match=acl", "keys=" + keys));
    twins.put(TRIE, List.of("match=trie", "keys=" + keys));
    Match match =
        new Match(one.title(), "classify", Feed.nothing(64), BURST, List.of(rules), twins);
    SequencedMap<String, Contestant> contestants = new LinkedHashMap<>();
    try {
      contestants.put(Match.JAVA, Contestant.start(java));
      for (String twin : twins.keySet()) {
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
            "contestants do not find the same rules: first=%s, %s=%s"
                .formatted(first, each.getKey(), digest));
      }
      first = digest;
    }
  }

  private static void build(Session session, int rules) {
    List<RuleLines.Prefix> prefixes = RuleLines.prefixes(rules);
    SourceClassifier classifier = KeyLoop.classifier(prefixes);
    double leastMs = Double.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long start = System.nanoTime();
      classifier = KeyLoop.classifier(prefixes);
      leastMs = Math.min(leastMs, (System.nanoTime() - start) / 1e6);
    }
    session.conclude(
        "%,d prefixes: tables of %,d KiB, made in %.1f ms; every change makes them anew"
            .formatted(rules, classifier.bytes() / 1_024, leastMs));
  }
}
