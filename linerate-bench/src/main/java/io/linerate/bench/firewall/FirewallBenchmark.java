package io.linerate.bench.firewall;

import io.linerate.bench.duel.Curve;
import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.InternetMix;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.GeometricMean;
import io.linerate.bench.suite.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Source address and protocol against rules, forward or drop: as in figures 27 and 28 of the
 * DPDK-Java thesis; and exact rules through a hash.
 */
public final class FirewallBenchmark implements Benchmark {
  private static final int BURST = 32;
  private static final int USUAL_RULES = 20;
  private static final List<Integer> RULES = List.of(1, 20, 100, 1_000);
  private static final List<Integer> FRAME_BYTES = List.of(128, 256, 512, 1_024, 1_518, 9_000);
  private static final List<Integer> ADDRESSES = List.of(10, 100, 1_000, 10_000, 100_000);
  private static final List<Integer> PREFIXES = List.of(1_000, 10_000);
  private static final int FLOWS = 4_096;
  private static final int CHECK_FRAMES = 3_000;
  private static final int UDP = 17;

  /**
   * One match, where it stands in the curves, and whether its rules were not checked before.
   *
   * @param addresses that its rules name, for the check
   */
  private record Plan(Match match, int x, Curve curve, boolean isNew, List<Integer> addresses) {}

  private final Curve forwarded = new Curve();
  private final Curve dropped = new Curve();
  private final Curve sizes = new Curve();
  private final Curve exact = new Curve();
  private final Curve prefixes = new Curve();
  private final Curve mix = new Curve();

  @Override
  public String name() {
    return "firewall";
  }

  @Override
  public String summary() {
    return "match source and protocol, forward or drop: linear rules, exact rules, prefixes, frame"
        + " sizes";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) {
    DuelRunner runner = new DuelRunner(session, name());
    List<Plan> plans =
        plans(session).stream().filter(plan -> session.wants(plan.match.caseName())).toList();
    for (int i = 0; i < plans.size(); i++) {
      Plan plan = plans.get(i);
      int budgetMs = (int) (session.left().toMillis() / (plans.size() - i));
      if (plan.isNew) {
        long before = session.left().toMillis();
        runner.check(plan.match, checkFrames(plan.addresses));
        budgetMs -= (int) (before - session.left().toMillis());
      }
      runner
          .fight(plan.match, budgetMs, _ -> {})
          .ifPresent(result -> plan.curve.add(plan.x, result));
    }
    conclude(session);
  }

  private List<Plan> plans(Session session) {
    List<Plan> plans = new ArrayList<>();
    for (int rules : session.quick() ? List.of(20, 100) : RULES) {
      plans.add(linear(session, rules, 64, true, forwarded));
    }
    for (int rules : session.quick() ? List.<Integer>of() : RULES) {
      plans.add(linear(session, rules, 64, false, dropped));
    }
    for (int addresses : session.quick() ? List.of(1_000) : ADDRESSES) {
      plans.add(exact(session, addresses));
    }
    for (int count : session.quick() ? List.of(1_000) : PREFIXES) {
      for (Sources sources :
          session.quick() ? List.of(Sources.ANY_RULE) : List.of(Sources.values())) {
        plans.add(prefixes(session, count, sources));
      }
    }
    for (int bytes : session.quick() ? List.<Integer>of() : FRAME_BYTES) {
      plans.add(linear(session, USUAL_RULES, bytes, true, sizes));
    }
    if (!session.quick()) {
      plans.add(mixed(session));
    }
    return plans;
  }

  private Plan mixed(Session session) {
    Path file = session.folder().resolve("rules-mix");
    TextFiles.write(file, RuleLines.linear(USUAL_RULES, true));
    Path frames =
        PcapFrames.write(session.folder().resolve("mix.pcap"), InternetMix.frames(2 * FLOWS));
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("match=linear"));
    twins.put("c-trie", List.of("match=trie"));
    twins.put(Match.USUAL_C, List.of("match=plain", "free=usual"));
    Feed feed = Feed.replay(InternetMix.TITLE + ", net_pcap", frames);
    Match match =
        new Match(
            "%d linear rules, forward, %s burst %d".formatted(USUAL_RULES, feed.title(), BURST),
            "firewall",
            feed,
            BURST,
            List.of(file),
            twins);
    return new Plan(match, 0, mix, true, InternetMix.addresses());
  }

  private static Plan linear(
      Session session, int rules, int frameBytes, boolean isForwarded, Curve curve) {
    Feed feed = Feed.nothing(frameBytes);
    String verdict = isForwarded ? "forward" : "drop";
    Path file = session.folder().resolve("rules-" + rules + "-" + verdict);
    TextFiles.write(file, RuleLines.linear(rules, isForwarded));
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("match=linear"));
    if (frameBytes == 64) {
      twins.put("c-trie", List.of("match=trie"));
      twins.put(Match.USUAL_C, List.of("match=plain", "free=usual"));
    }
    List<Integer> addresses = new ArrayList<>();
    for (int i = 0; i < rules; i++) {
      addresses.add(RuleLines.linearAddress(i));
      addresses.add(RuleLines.linearAddress(i) + 1);
      addresses.add(RuleLines.exactAddress(i));
    }
    Match match =
        new Match(
            "%d linear rules, %s, %s burst %d".formatted(rules, verdict, feed.title(), BURST),
            "firewall",
            feed,
            BURST,
            List.of(file),
            twins);
    int x = frameBytes == 64 ? rules : frameBytes;
    return new Plan(match, x, curve, frameBytes == 64, addresses);
  }

  private Plan exact(Session session, int count) {
    Path file = session.folder().resolve("addresses-" + count);
    TextFiles.write(file, RuleLines.exact(count));
    Random random = new Random(count);
    List<byte[]> frames = new ArrayList<>();
    List<Integer> addresses = new ArrayList<>();
    for (int i = 0; i < FLOWS; i++) {
      int address = RuleLines.exactAddress(random.nextInt(count));
      frames.add(PcapFrames.frame(address, UDP, 64));
      addresses.add(address);
      addresses.add(address + 1);
    }
    Path flows = PcapFrames.write(session.folder().resolve("flows-" + count + ".pcap"), frames);
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("match=rte_hash"));
    twins.put("c-trie", List.of("match=trie"));
    Match match =
        new Match(
            "%d exact rules, forward, net_pcap 64 B burst %d".formatted(count, BURST),
            "firewall",
            Feed.replay("net_pcap 64 B", flows),
            BURST,
            List.of(file),
            twins);
    return new Plan(match, count, exact, true, addresses);
  }

  private Plan prefixes(Session session, int count, Sources sources) {
    List<RuleLines.Prefix> rules = RuleLines.prefixes(count);
    Path file = session.folder().resolve("prefixes-" + count);
    TextFiles.write(file, rules.stream().map(RuleLines.Prefix::line).toList());
    Random random = new Random(count);
    List<RuleLines.Prefix> shuffled = Sources.shuffled(rules, random);
    List<byte[]> frames = new ArrayList<>();
    List<Integer> addresses = new ArrayList<>();
    for (int i = 0; i < 2 * FLOWS; i++) {
      int address = sources.address(shuffled, random);
      frames.add(PcapFrames.frame(address, PcapFrames.anyProtocol(random), 64));
      addresses.add(address);
    }
    Path flows =
        PcapFrames.write(session.folder().resolve("flows-" + count + sources + ".pcap"), frames);
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("match=acl"));
    twins.put("c-trie", List.of("match=trie"));
    Match match =
        new Match(
            "%d prefixes, sources %s, net_pcap 64 B burst %d"
                .formatted(count, sources.title(), BURST),
            "firewall",
            Feed.replay("net_pcap 64 B", flows),
            BURST,
            List.of(file),
            twins);
    return new Plan(match, count, prefixes, true, addresses);
  }

  /** Frames of many sizes from these addresses and their neighbours, and some that are not IP. */
  private static List<byte[]> checkFrames(List<Integer> addresses) {
    Random random = new Random(1);
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < CHECK_FRAMES; i++) {
      int address = addresses.get(random.nextInt(addresses.size()));
      int bytes = 64 + random.nextInt(1_455);
      frames.add(
          random.nextInt(50) == 0
              ? PcapFrames.arp()
              : PcapFrames.frame(address, PcapFrames.anyProtocol(random), bytes));
    }
    frames.addAll(InternetMix.frames(CHECK_FRAMES / 2));
    return frames;
  }

  private void conclude(Session session) {
    forwarded.results().stream()
        .filter(result -> result.caseName().startsWith(USUAL_RULES + " "))
        .findFirst()
        .filter(_ -> !sizes.x().isEmpty())
        .ifPresent(result -> sizes.addInOrder(64, result));
    List<Chart.Series> lines = new ArrayList<>(forwarded.series("forward, "));
    lines.addAll(dropped.series("drop, "));
    chart(session, "firewall-linear", "firewall, linear rules, 64-byte frames", "rules", lines);
    chart(
        session,
        "firewall-exact",
        "firewall, exact rules, 64-byte frames",
        "rules",
        exact.series(""));
    chart(
        session, "firewall-sizes", "firewall, 20 linear rules", "frame (bytes)", sizes.series(""));
    sentence(session, "20 linear rules over frame sizes", sizes);
    sentence(session, "exact rules, against rte_hash", exact);
    sentence(session, "prefixes, against rte_acl", prefixes);
  }

  private static void chart(
      Session session, String file, String title, String x, List<Chart.Series> lines) {
    if (!lines.isEmpty() && lines.getFirst().x().size() > 1) {
      session.add(Chart.lines(file, title, x, "Mpps", lines).withLogX());
    }
  }

  private static void sentence(Session session, String what, Curve curve) {
    if (!curve.x().isEmpty()) {
      session.conclude(GeometricMean.sentence(what, curve.results()));
    }
  }
}
