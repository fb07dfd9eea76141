package io.linerate.analysis;

import io.linerate.stream.FlatMapper;
import io.linerate.stream.PacketFlow;
import io.linerate.stream.Silence;
import io.linerate.stream.Tokens;
import io.linerate.stream.Window;
import java.security.SecureRandom;
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
 * worker's own. What is late, or of more flows and names than there is room for, is dropped by
 * {@code windows} and counted there, as {@code late} and {@code too_many_keys}. Of a recording the
 * element {@code times} drops a packet as {@code time_jump} that is more than a day after those
 * before it and behind it, and would make all others late. A packet takes no object.
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

  /** Why packets of a recording are dropped whose time no other confirms. */
  public static final String TIME_JUMP = "time_jump";

  /** Flows and names of windows on their way from each worker. */
  private static final int ON_THEIR_WAY = 16_384;

  /** Packets on their way to each worker, where they are spread. */
  private static final int SPREAD_PACKETS = 4_096;

  private TrafficAnalysis() {}

  /** The report of each window in which packets came, in the order of the windows. */
  public static Tokens<WindowReport> reports(PacketFlow packets, AnalysisSettings settings) {
    return reports(packets, settings, 1);
  }

  /**
   * As the other, of packets that are spread over so many workers first, each flow to one of them:
   * for a port that has fewer queues. Where one worker receives, windows end at the same packets on
   * all, so that the reports are those of one worker whatever comes late.
   */
  public static Tokens<WindowReport> reports(
      PacketFlow packets, AnalysisSettings settings, int workers) {
    SecureRandom random = new SecureRandom();
    TimeMark mark = new TimeMark(random.nextLong());
    PacketFlow steady =
        settings.isRecorded() ? packets.through("times", new SteadyTime()) : packets;
    PacketFlow spread =
        workers == 1
            ? steady
            : steady.spread(
                "spread",
                new FlowSpread(workers, settings, mark, random.nextLong()),
                SPREAD_PACKETS);
    Window<Seen> window =
        Window.<Seen>tumbling(settings.window())
            .at(Seen::timeNs, settings.delay())
            .withKeys(settings.keys())
            .withMarks(seen -> seen instanceof SeenTime)
            .whenSilent(settings.isRecorded() ? Silence.WAIT : Silence.FOLLOW_CLOCK);
    return spread
        .mapBy(SEEN, Seen.class, () -> new PacketReader(settings, mark))
        .flatMap("names", Seen.class, () -> names())
        .keyBy(Object.class, Seen::key, Seen::kept)
        .wholeWindowOfAll(WINDOWS, window, Tally.AGGREGATE, "together", 0, ON_THEIR_WAY)
        .map("report", WindowReport.class, new ReportMaker(settings));
  }

  /** A packet, and behind it the question that it is. */
  private static FlatMapper<Seen, Consumer<Seen>> names() {
    return (seen, out) -> {
      out.accept(seen);
      SeenName question = seen instanceof SeenPacket packet ? packet.question() : null;
      if (question != null) {
        out.accept(question);
      }
    };
  }
}
