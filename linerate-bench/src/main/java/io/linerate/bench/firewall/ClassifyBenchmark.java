package io.linerate.bench.firewall;

import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.LoopDuel;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.suite.Benchmark;
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

/** {@code classify}: which rule is the first for a source and a protocol, and nothing else. */
public final class ClassifyBenchmark implements Benchmark {
  private static final List<Integer> RULES = List.of(1_000, 10_000);
  private static final int KEYS = 1 << 16;
  private static final int BURST = 32;
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
      return rules + " prefixes, sources " + sources.title();
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
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("match=acl", "keys=" + keys));
    twins.put(TRIE, List.of("match=trie", "keys=" + keys));
    Match match =
        new Match(
            one.title(),
            "classify",
            Feed.nothing(64),
            BURST,
            List.of(file),
            twins,
            List.of(KeyLoop.class.getName(), String.valueOf(one.rules), keys.toString()));
    LoopDuel.fight(session, "classify", match, "Mkeys/s", budgetMs);
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
