package io.linerate.apps.generate;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Udp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What comes back of the packets that were sent: counts them by their stamps, and how long each was
 * under way.
 *
 * <p>Workers share the memory of sequence numbers, because a device may spread what one queue sent
 * over several; each has a histogram of its own.
 */
final class Reception {
  /** The longest delay that is told from longer ones. */
  private static final long MAX_DELAY_NS = 60_000_000_000L;

  private static final int DIGITS = 3;

  private final List<Handler> handlers = new ArrayList<>();
  private final SequenceTracker[][] trackers;
  private int firstStream;

  /** For the lanes of so many streams and workers. */
  Reception(int streams, int workers) {
    trackers = new SequenceTracker[streams][workers];
    expect(0);
  }

  /** Starts over, with streams of these numbers; any others are foreign from now on. */
  synchronized void expect(int newFirstStream) {
    firstStream = newFirstStream;
    for (SequenceTracker[] stream : trackers) {
      Arrays.setAll(stream, worker -> new SequenceTracker());
    }
    handlers.forEach(Handler::forget);
  }

  /** For one worker. */
  BurstHandler handler() {
    Handler handler = new Handler();
    handlers.add(handler);
    return handler;
  }

  /** Different packets that came back. Any thread. */
  synchronized long unique() {
    long unique = 0;
    for (SequenceTracker[] stream : trackers) {
      for (SequenceTracker tracker : stream) {
        unique += tracker.unique();
      }
    }
    return unique;
  }

  /**
   * What came.
   *
   * @param sent packets that left with a stamp
   */
  synchronized ReceptionResult result(long sent) {
    long duplicates = 0;
    long reordered = 0;
    long extent = 0;
    for (SequenceTracker[] stream : trackers) {
      for (SequenceTracker tracker : stream) {
        duplicates += tracker.duplicates();
        reordered += tracker.reordered();
        extent = Math.max(extent, tracker.largestExtent());
      }
    }
    Histogram delays = new Histogram(MAX_DELAY_NS, DIGITS);
    long foreign = 0;
    for (Handler handler : handlers) {
      delays.add(handler.delays);
      foreign += handler.foreign;
    }
    return new ReceptionResult(sent, unique(), duplicates, reordered, extent, foreign, delays);
  }

  private final class Handler implements BurstHandler {
    private final HeaderScanner scanner = new HeaderScanner();
    private Histogram delays = new Histogram(MAX_DELAY_NS, DIGITS);
    private long foreign;

    /** Where the last stamp was: that of the next one is most likely there too. */
    private int lastOffset = -1;

    void forget() {
      delays = new Histogram(MAX_DELAY_NS, DIGITS);
      foreign = 0;
    }

    @Override
    public void onBurst(Burst burst) {
      long nowNs = System.nanoTime();
      synchronized (Reception.this) {
        for (Packet packet : burst) {
          add(packet, nowNs);
        }
      }
      burst.dropAll(DropReason.CONSUMED);
    }

    private void add(Packet packet, long nowNs) {
      int at = Stamp.fits(packet, lastOffset) ? lastOffset : find(packet);
      int lane = at < 0 ? -1 : Stamp.lane(packet, at);
      int stream = Stamp.stream(lane) - firstStream;
      int worker = Stamp.worker(lane);
      if (lane < 0
          || stream < 0
          || stream >= trackers.length
          || worker >= trackers[stream].length) {
        foreign++;
        return;
      }
      lastOffset = at;
      trackers[stream][worker].add(Stamp.sequence(packet, at));
      long sentNs = Stamp.timestampNs(packet, at);
      if (sentNs != 0) {
        delays.recordValue(Math.clamp(nowNs - sentNs, 0, MAX_DELAY_NS));
      }
    }

    private int find(Packet packet) {
      if (!scanner.scan(packet) || !scanner.l4Fits()) {
        return -1;
      }
      int header =
          switch (scanner.ipProtocol()) {
            case IpProtocol.UDP -> Udp.HEADER_BYTES;
            case IpProtocol.TCP -> 4 * (packet.u8(scanner.l4Offset() + 12) >>> 4);
            default -> Icmp.HEADER_BYTES;
          };
      int at = scanner.l4Offset() + header;
      return Stamp.fits(packet, at) ? at : -1;
    }
  }
}
