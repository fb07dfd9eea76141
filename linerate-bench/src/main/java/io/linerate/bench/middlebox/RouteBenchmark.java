package io.linerate.bench.middlebox;

import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.InternetMix;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.firewall.Sources;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.GeometricMean;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** {@code route}: packets to the next hops of the longest prefixes of their destinations. */
public final class RouteBenchmark implements Benchmark {
  private static final int BURST = 32;
  private static final int FRAMES = 1 << 15;
  private static final int FRAME_BYTES = 64;
  private static final int CHECK_FRAMES = 3_000;
  private static final int UDP = 17;
  private static final int HOP_LIMIT = 21;
  private static final int DESTINATION6 = 38;
  private static final int QUICK_ROUTES = 1_000;

  /** A million take C a minute to add, and are not added unless somebody asks for such a case. */
  private static final List<Integer> ROUTES = List.of(1_000, 100_000);

  private static final int MOST_ROUTES = 1_000_000;

  @Override
  public String name() {
    return "route";
  }

  @Override
  public String summary() {
    return "packets to the hops of the longest prefixes: beside rte_lpm and rte_fib";
  }

  /** One row. */
  record Case(int ipVersion, int routes, Sources destinations) {
    String title() {
      return "IPv%d, %d routes, destinations %s, net_pcap %d B burst %d"
          .formatted(
              ipVersion,
              routes,
              destinations == Sources.ANY_RULE ? "of all alike" : "of few mostly",
              FRAME_BYTES,
              BURST);
    }
  }

  @Override
  public void run(Session session) {
    DuelRunner runner = new DuelRunner(session, name());
    List<Case> cases = cases(session);
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      int budgetMs = (int) (session.left().toMillis() / (cases.size() - i));
      long before = session.left().toMillis();
      Match match = match(session, cases.get(i));
      runner.check(match, checkFrames(cases.get(i)));
      int spentMs = (int) (before - session.left().toMillis());
      runner.fight(match, budgetMs - spentMs, _ -> {}).ifPresent(results::add);
    }
    if (!results.isEmpty()) {
      session.conclude(GeometricMean.sentence("all tables of routes", results));
    }
  }

  private static List<Case> cases(Session session) {
    List<Case> cases = new ArrayList<>();
    for (int ipVersion : List.of(4, 6)) {
      for (int routes : session.quick() ? List.of(QUICK_ROUTES) : ROUTES) {
        cases.add(new Case(ipVersion, routes, Sources.ANY_RULE));
        if (!session.quick()) {
          cases.add(new Case(ipVersion, routes, Sources.ZIPF));
        }
      }
    }
    cases.removeIf(one -> !session.wants(one.title()));
    if (cases.isEmpty()) {
      for (int ipVersion : List.of(4, 6)) {
        cases.add(new Case(ipVersion, MOST_ROUTES, Sources.ANY_RULE));
        cases.add(new Case(ipVersion, MOST_ROUTES, Sources.ZIPF));
      }
      cases.removeIf(one -> !session.wants(one.title()));
    }
    return cases;
  }

  static Match match(Session session, Case one) {
    return match(session, one, FRAMES);
  }

  static Match match(Session session, Case one, int count) {
    List<RouteTables.Line> lines = RouteTables.of(one.ipVersion, one.routes);
    Path file = session.folder().resolve("routes-%d-%d".formatted(one.ipVersion, one.routes));
    TextFiles.write(file, lines.stream().map(RouteTables.Line::text).toList());
    Path frames = session.folder().resolve("routed.pcap");
    PcapFrames.write(frames, frames(one, lines, count));
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("table=fib"));
    twins.put("c-lpm", List.of("table=lpm"));
    twins.put(Match.USUAL_C, List.of("table=usual", "free=usual"));
    return new Match(
        one.title(),
        "route",
        Feed.replay("net_pcap", frames, count),
        BURST,
        List.of(file),
        twins,
        List.of(RouteProgram.class.getName(), file.toString()));
  }

  private static List<byte[]> frames(Case one, List<RouteTables.Line> lines, int count) {
    Random random = new Random(one.routes);
    List<RouteTables.Line> shuffled = new ArrayList<>(lines);
    Collections.shuffle(shuffled, random);
    List<byte[]> frames = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      frames.add(frame(shuffled.get(one.destinations.rule(lines.size(), random)), random));
    }
    return frames;
  }

  private static byte[] frame(RouteTables.Line line, Random random) {
    return switch (line.prefix()) {
      case Ipv4Prefix(int address, int bits) ->
          ipv4(host(address | (random.nextInt() & (int) (0xFFFF_FFFFL >>> bits))), 64);
      case Ipv6Prefix(long high, long low, int bits) ->
          ipv6(
              high | (random.nextLong() & ~Ipv6Prefix.highMask(bits)),
              low | (random.nextLong() & ~Ipv6Prefix.lowMask(bits)),
              64);
    };
  }

  /** Not to this network or this host, which a router drops: RFC 1122, section 3.2.1.3. */
  private static int host(int address) {
    int first = address >>> 24;
    return first == 0 || first == 127 ? address ^ 1 << 24 : address;
  }

  private static byte[] ipv4(int destination, int ttl) {
    return PcapFrames.frame(0x0A00_0001, destination, UDP, ttl, FRAME_BYTES);
  }

  private static byte[] ipv6(long high, long low, int hopLimit) {
    byte[] frame = InternetMix.ipv6(1, low, UDP, FRAME_BYTES);
    ByteBuffer.wrap(frame).put(HOP_LIMIT, (byte) hopLimit).putLong(DESTINATION6, high);
    return frame;
  }

  /** To networks of the table and to others, some at their last hop, some that are not routed. */
  static List<byte[]> checkFrames(Case one) {
    Random random = new Random(1);
    List<RouteTables.Line> lines = RouteTables.of(one.ipVersion, one.routes);
    List<byte[]> frames = new ArrayList<>(frames(one, lines, CHECK_FRAMES));
    for (int i = 0; i < CHECK_FRAMES; i++) {
      int ttl = random.nextInt(4);
      if (one.ipVersion == 4) {
        frames.add(ipv4(random.nextInt(0x0100_0000, 0xC000_0000 >>> 1), ttl));
        frames.add(ipv4(0xE000_0000 | random.nextInt(1 << 29), 64));
      } else {
        frames.add(ipv6(0x2001_0000_0000_0000L | random.nextLong(1L << 45), 1, ttl));
        frames.add(ipv6((random.nextBoolean() ? 0xFE80L : 0xFF02L) << 48, 1, 64));
      }
      if (i % 50 == 0) {
        frames.add(PcapFrames.arp());
      }
    }
    Collections.shuffle(frames, random);
    return frames;
  }
}
