package io.linerate.bench.middlebox;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.middlebox.nat.Nat;
import io.linerate.middlebox.nat.NatSettings;
import io.linerate.track.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A program under measurement: fills the table of a {@link Nat} with sessions, one for each frame
 * of a file, and waits until they are over; again and again. Prints a {@link SetupRound} for each
 * time. Arguments: the file, how many sessions, how long they last in seconds, times, CPU.
 */
public final class SetupProgram {
  private static final String NAT = "nat";
  private static final long MOST_NS = 120_000_000_000L;

  /** How many sessions there were, and when. */
  private record Point(long ns, long sessions) {}

  private final int sessions;
  private final NatSettings settings;

  private SetupProgram(int sessions, Duration lasting) {
    this.sessions = sessions;
    NatSettings usual = NatSettings.of("203.0.113.1").withConnections(sessions);
    settings = usual.withTracking(usual.tracking().withTimeout(Phase.UDP_UNANSWERED, lasting));
  }

  public static void main(String[] arguments) throws InterruptedException {
    SetupProgram program =
        new SetupProgram(
            Integer.parseInt(arguments[1]), Duration.ofSeconds(Integer.parseInt(arguments[2])));
    for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
      System.out.println(program.round(arguments[0], Integer.parseInt(arguments[4])));
    }
  }

  private SetupRound round(String file, int cpu) throws InterruptedException {
    EngineConfig config =
        EngineConfig.DEFAULT.withIdle(Idle.BUSY_SPIN).withCpus(List.of(cpu)).withCounters(false);
    try (Engine engine = new Engine(config)) {
      engine.port("in", "pcap:rx=" + file);
      engine.port("idle", "ring:idle,loopback"); // It has no end, so that sessions can have theirs.
      GraphRunner runner = GraphRunner.install(Graph.of(this::build), engine);
      engine.start();
      List<Point> points = watch(runner);
      engine.stop();
      while (!engine.awaitEnd(1_000)) {
        // It drains.
      }
      return round(points);
    }
  }

  private void build(GraphBuilder g) {
    Node nat = g.add(NAT, new Nat(settings));
    Node end = g.add("end", new Discard());
    g.chain(g.add("in", new FromPort("in")), nat.in("inside"));
    g.chain(g.add("idle", new FromPort("idle")), nat.in("outside"));
    g.chain(nat.out("outside"), end);
    g.chain(nat.out("inside"), end);
  }

  /** Up to all sessions and down to none. */
  private List<Point> watch(GraphRunner runner) throws InterruptedException {
    long start = System.nanoTime();
    List<Point> points = new ArrayList<>();
    boolean wasFull = false;
    while (true) {
      long count = runner.read(NAT + ".connections").sum();
      points.add(new Point(System.nanoTime() - start, count));
      wasFull |= count == sessions;
      if (wasFull && count == 0) {
        return points;
      }
      if (points.getLast().ns > MOST_NS) {
        throw new IllegalStateException(
            "table is not filled and emptied: sessions=%d, most=%d, now=%d"
                .formatted(
                    sessions, points.stream().mapToLong(Point::sessions).max().orElse(0), count));
      }
      Thread.sleep(1);
    }
  }

  private SetupRound round(List<Point> points) {
    int full = 0;
    while (points.get(full).sessions < sessions) {
      full++;
    }
    return new SetupRound(
        steepest(points.subList(0, full + 1)),
        steepest(points.subList(full, points.size())),
        points.get(full).sessions);
  }

  /** Sessions a second, in the fastest fifth: time goes by before, and between two seconds. */
  private double steepest(List<Point> points) {
    double most = 0;
    int to = 0;
    for (int from = 0; from < points.size(); from++) {
      Point first = points.get(from);
      while (to < points.size()
          && Math.abs(points.get(to).sessions - first.sessions) < sessions / 5) {
        to++;
      }
      if (to == points.size()) {
        break;
      }
      Point last = points.get(to);
      most = Math.max(most, Math.abs(last.sessions - first.sessions) * 1e9 / (last.ns - first.ns));
    }
    return most;
  }
}
