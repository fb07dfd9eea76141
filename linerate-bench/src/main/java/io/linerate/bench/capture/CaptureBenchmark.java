package io.linerate.bench.capture;

import io.linerate.bench.duel.Curve;
import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.InternetMix;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.GeometricMean;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Receive, count by size and protocol, free: over frame sizes as in figures 23 and 24 of the
 * DPDK-Java thesis, and over burst sizes as ixy does.
 */
public final class CaptureBenchmark implements Benchmark {
  private static final int USUAL_BURST = 32;
  private static final int JUMBO_BYTES = 9_000;
  private static final List<Integer> FRAME_BYTES =
      List.of(64, 128, 256, 512, 1_024, 1_518, JUMBO_BYTES);
  private static final List<Integer> QUICK_FRAME_BYTES = List.of(64);
  private static final List<Integer> BURSTS = List.of(1, 2, 4, 8, 16, 64, 128, 256, 512);
  private static final List<Integer> QUICK_BURSTS = List.of(256);
  private static final int CHECK_FRAMES = 3_000;
  private static final int[] PROTOCOLS = {1, 6, 17};
  private static final int MIXED_FRAMES = 8_192;
  private static final int LAST_CHECK_BYTES = 1_518;

  /** One match and where it stands in the curves. */
  private record Plan(Match match, int x, Curve curve) {}

  private final Curve nullSizes = new Curve();
  private final Curve memifSizes = new Curve();
  private final Curve bursts = new Curve();
  private final Curve mix = new Curve();

  @Override
  public String name() {
    return "capture";
  }

  @Override
  public String summary() {
    return "receive, count by size and protocol, free: frame sizes, burst sizes, net_null and"
        + " net_memif";
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
    if (plans.isEmpty()) {
      return;
    }
    runner.check(plans.getFirst().match, checkFrames());
    for (int i = 0; i < plans.size(); i++) {
      Plan plan = plans.get(i);
      int budgetMs = (int) (session.left().toMillis() / (plans.size() - i));
      runner
          .fight(plan.match, budgetMs, builder -> addTheirs(plan, builder))
          .ifPresent(result -> plan.curve.add(plan.x, result));
    }
    conclude(session);
  }

  private List<Plan> plans(Session session) {
    boolean quick = session.quick();
    List<Plan> plans = new ArrayList<>();
    for (int bytes : quick ? QUICK_FRAME_BYTES : FRAME_BYTES) {
      plans.add(new Plan(match(Feed.nothing(bytes), USUAL_BURST), bytes, nullSizes));
    }
    for (int burst : quick ? QUICK_BURSTS : BURSTS) {
      plans.add(new Plan(match(Feed.nothing(64), burst), burst, bursts));
    }
    for (int bytes : quick ? QUICK_FRAME_BYTES : FRAME_BYTES) {
      plans.add(new Plan(match(Feed.sharedMemory(bytes), USUAL_BURST), bytes, memifSizes));
    }
    if (!quick) {
      plans.add(new Plan(mixed(session), 0, mix));
    }
    return plans;
  }

  private static Match mixed(Session session) {
    Path file =
        PcapFrames.write(session.folder().resolve("mix.pcap"), InternetMix.frames(MIXED_FRAMES));
    return match(Feed.replay(InternetMix.TITLE + ", net_pcap", file), USUAL_BURST);
  }

  private static Match match(Feed feed, int burst) {
    return new Match(feed.title() + " burst " + burst, "capture", feed, burst, List.of(), twins());
  }

  private static Map<String, List<String>> twins() {
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of());
    twins.put(Match.USUAL_C, List.of("way=usual"));
    return twins;
  }

  /** Of every size and some protocols, ARP among them. */
  private static List<byte[]> checkFrames() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < CHECK_FRAMES; i++) {
      int bytes = 64 + i % (LAST_CHECK_BYTES - 63);
      frames.add(PcapFrames.frame(0x0A000000 + i, PROTOCOLS[i % PROTOCOLS.length], bytes));
    }
    frames.addAll(InternetMix.frames(CHECK_FRAMES));
    return frames;
  }

  private static void addTheirs(Plan plan, Result.Builder result) {
    if (plan.x == 64 && plan.match.burst() == USUAL_BURST) {
      result
          .theirs("DPDK-Java, thesis of 2015, section 7.3", "Java, packet objects", 2.4)
          .theirs(
              "DPDK-Java, thesis of 2015, section 7.3", "Java, tuned, behind a 10 Gbit/s card", 10);
    }
    if (plan.x == JUMBO_BYTES && plan.match.feed().fillBytes() > 0) {
      result.note(
          "net_null makes frames of one buffer only: here one of 9 KB; see net_memif for several");
    }
  }

  private void conclude(Session session) {
    if (!bursts.x().isEmpty() && !nullSizes.x().isEmpty() && nullSizes.x().getFirst() == 64) {
      bursts.addInOrder(USUAL_BURST, nullSizes.results().getFirst());
    }
    chart(
        session,
        "capture-net-null-sizes",
        "capture on net_null, bursts of 32",
        "frame (bytes)",
        nullSizes);
    chart(
        session,
        "capture-net-memif-sizes",
        "capture on net_memif, bursts of 32",
        "frame (bytes)",
        memifSizes);
    chart(
        session,
        "capture-bursts",
        "capture on net_null, 64-byte frames",
        "burst (packets)",
        bursts);
    sentence(session, "net_null over frame sizes", nullSizes);
    sentence(session, "net_memif over frame sizes", memifSizes);
    sentence(session, "net_null over burst sizes", bursts);
  }

  private static void chart(Session session, String file, String title, String x, Curve curve) {
    if (curve.x().size() > 1) {
      session.add(Chart.lines(file, title, x, "Mpps", curve.series("")).withLogX());
    }
  }

  private static void sentence(Session session, String what, Curve curve) {
    if (!curve.x().isEmpty()) {
      session.conclude(GeometricMean.sentence(what, curve.results()));
    }
  }
}
