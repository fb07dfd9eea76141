package io.linerate.bench.firewall;

import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.LoopDuel;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Session;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.classify.FlowBatch;
import io.linerate.wire.classify.FlowClassifier;
import io.linerate.wire.classify.FlowRule;
import io.linerate.wire.classify.PortRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** {@code flows}: which rule about addresses, protocol and ports is the first, and nothing else. */
public final class FlowsBenchmark implements Benchmark {
  private static final List<Integer> RULES = List.of(1_000, 10_000);
  private static final int FLOWS = 1 << 16;
  private static final int FLOW_BYTES = 16;
  private static final int BURST = 32;

  @Override
  public String name() {
    return "flows";
  }

  @Override
  public String summary() {
    return "the first of many rules about five fields, without packets: beside rte_acl";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  private record Case(FlowRules kind, int rules, Sources sources) {
    String title() {
      return "%s, %d rules, flows %s".formatted(kind.name(), rules, sources.title());
    }
  }

  @Override
  public void run(Session session) {
    List<Case> cases = new ArrayList<>();
    for (FlowRules kind : FlowRules.ALL) {
      for (int rules : session.quick() ? RULES.subList(0, 1) : RULES) {
        for (Sources sources :
            session.quick() ? List.of(Sources.ANY_RULE) : List.of(Sources.values())) {
          Case each = new Case(kind, rules, sources);
          if (session.wants(each.title())) {
            cases.add(each);
          }
        }
      }
    }
    for (int i = 0; i < cases.size(); i++) {
      fight(session, cases.get(i), (int) (session.left().toMillis() / (cases.size() - i)));
    }
    for (FlowRules kind : session.quick() ? List.<FlowRules>of() : FlowRules.ALL) {
      RULES.forEach(rules -> build(session, kind, rules));
    }
  }

  private static void fight(Session session, Case one, int budgetMs) {
    List<FlowRule> rules = one.kind.rules(one.rules);
    Path file = session.folder().resolve("rules");
    TextFiles.write(file, rules.stream().map(FlowRules::line).toList());
    Path flows = session.folder().resolve("flows");
    write(flows, rules, one.sources);
    // The twin of the first JVM writes it for those of the others.
    Path limit = session.folder().resolve(one.title());
    Match match =
        new Match(
            one.title(),
            "flows",
            Feed.nothing(64),
            BURST,
            List.of(file),
            Map.of(Match.C, List.of("flows=" + flows, "limit=" + limit)),
            List.of(
                FlowLoop.class.getName(),
                one.kind.name(),
                String.valueOf(one.rules),
                flows.toString()));
    LoopDuel.fight(session, "flows", match, "Mflows/s", budgetMs);
  }

  private static void write(Path file, List<FlowRule> rules, Sources sources) {
    Random random = new Random(rules.size());
    List<FlowRule> shuffled = new ArrayList<>(rules);
    Collections.shuffle(shuffled, random);
    FlowClassifier classifier = new FlowClassifier(rules, rules.size());
    FlowBatch one = new FlowBatch(1);
    ByteBuffer flows = ByteBuffer.allocate(FLOWS * FLOW_BYTES);
    while (flows.hasRemaining()) {
      FlowRule rule = shuffled.get(sources.rule(rules.size(), random));
      FlowRule other = shuffled.get(sources.rule(rules.size(), random));
      long source = address((Ipv4Prefix) rule.source(), random);
      // Between what rules name, but not together.
      boolean isNear = sources == Sources.NO_RULE;
      long destination = address((Ipv4Prefix) (isNear ? other : rule).destination(), random);
      int protocol =
          rule.protocol() < 0
              ? (random.nextBoolean() ? IpProtocol.TCP : IpProtocol.UDP)
              : rule.protocol();
      int ports =
          port(rule.sourcePorts(), random) << Character.SIZE
              | port((isNear ? other : rule).destinationPorts(), random);
      one.clear();
      one.add(source << Integer.SIZE | destination, protocol, ports);
      classifier.match(one);
      if (!isNear || one.number(0) == rules.size()) {
        flows.putInt((int) source).putInt((int) destination).putInt(protocol).putInt(ports);
      }
    }
    try {
      Files.write(file, flows.array());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write flows: file=" + file, e);
    }
  }

  private static long address(Ipv4Prefix prefix, Random random) {
    long behind = 0xFFFF_FFFFL >>> prefix.bits();
    return Integer.toUnsignedLong(prefix.address()) | (random.nextInt() & behind);
  }

  private static int port(PortRange range, Random random) {
    return random.nextInt(range.first(), range.last() + 1);
  }

  private static void build(Session session, FlowRules kind, int count) {
    List<FlowRule> rules = kind.rules(count);
    long bytes = 0;
    double leastMs = Double.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long start = System.nanoTime();
      bytes = new FlowClassifier(rules, count).bytes();
      leastMs = Math.min(leastMs, (System.nanoTime() - start) / 1e6);
    }
    session.conclude(
        "%s, %,d rules: tables of %,d KiB, made in %.0f ms; every change makes them anew"
            .formatted(kind.name(), count, bytes / 1_024, leastMs));
  }
}
