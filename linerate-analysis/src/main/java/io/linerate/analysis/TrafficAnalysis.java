package io.linerate.analysis;

import io.linerate.graph.element.HashSwitch;
import io.linerate.stream.FlatMapper;
import io.linerate.stream.PacketFlow;
import io.linerate.stream.Silence;
import io.linerate.stream.Tokens;
import io.linerate.stream.Window;
import java.util.function.Consumer;

/**
 * Makes a report of the traffic in each window of time, as tokens of a stream: to be printed,
 * stored, handed to subscribers, or to be filtered and led on.
 *
 * <pre>{@code
 * TokenPublisher<WindowReport> reports = new TokenPublisher<>(64, Overflow.HOLD_BACK);
 * Graph graph = Streams.graph(s ->
 *     TrafficAnalysis.reports(s.packets("in", "eth0"), AnalysisSettings.DEFAULT)
 *         .publish("reports", reports));
 * reports.subscribe(subscriber);
 * GraphRunner.install(graph, engine);
 * }</pre>
 *
 * Its actors are {@code seen}, {@code names}, {@code windows}, {@code together} and {@code report};
 * the last two are on worker 0. Each worker counts what it receives, and what they have counted of
 * a window is put together when all are behind its end, so that the reports are those of one
 * worker: as long as both directions of a flow come to the same one, for the flow table is each
 * worker's own ({@link #spread}). What is late, or of more flows and names than there is room for,
 * is dropped by {@code windows} and counted there, as {@code late} and {@code too_many_keys}. A
 * packet takes no object, a flow in a window some 200 bytes.
 */
public final class TrafficAnalysis {
  /** The actor that reads packets: what comes to it and makes no token is not IP, or malformed. */
  public static final String SEEN = "seen";

  /** The actor that counts, and what it drops: see the class. */
  public static final String WINDOWS = "windows";

  /** Why it drops packets and names that are older than others by more than is allowed. */
  public static final String LATE = "late";

  /** Why it drops those of flows and names that it has no room for. */
  public static final String TOO_MANY_KEYS = "too_many_keys";

  /** Flows and names of windows on their way from each worker. */
  private static final int ON_THEIR_WAY = 16_384;

  /** Packets on their way to each worker, where they are spread. */
  private static final int SPREAD_PACKETS = 4_096;

  private TrafficAnalysis() {}

  /** The report of each window in which packets came, in the order of the windows. */
  public static Tokens<WindowReport> reports(PacketFlow packets, AnalysisSettings settings) {
    Window<Seen> window =
        Window.<Seen>tumbling(settings.window())
            .at(Seen::timeNs, settings.delay())
            .withMostKeys(settings.mostKeys())
            .whenSilent(settings.isRecorded() ? Silence.WAIT : Silence.FOLLOW_CLOCK);
    return packets
        .mapBy(SEEN, SeenPacket.class, () -> new PacketReader(settings))
        .flatMap("names", Seen.class, () -> names())
        .keyBy(Object.class, Seen::key, Seen::kept)
        .wholeWindowOfAll(WINDOWS, window, Tally.AGGREGATE, "together", 0, ON_THEIR_WAY)
        .map("report", WindowReport.class, new ReportMaker(settings));
  }

  /**
   * The same packets on so many workers, each flow on one of them: for a port that has fewer
   * queues.
   */
  public static PacketFlow spread(PacketFlow packets, int workers) {
    return packets.spread("spread", new HashSwitch(workers).byOwnHeaders(), SPREAD_PACKETS);
  }

  /** A packet, and behind it the name that it asks for. */
  private static FlatMapper<SeenPacket, Consumer<Seen>> names() {
    return (packet, out) -> {
      out.accept(packet);
      String name = packet.name();
      if (name != null) {
        out.accept(new SeenName(name, packet.timeNs()));
      }
    };
  }
}
