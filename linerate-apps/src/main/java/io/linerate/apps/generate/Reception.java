package io.linerate.apps.generate;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.Transport;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * What comes back of the packets that were sent: counts them by their stamps, and how long each was
 * under way.
 *
 * <p>Workers share the memory of sequence numbers, because a device may spread what one queue sent
 * over several; each has a histogram of its own. Who reads it while they work holds them up for no
 * longer than it takes to copy some numbers.
 */
final class Reception implements SampleSource {
  /** So long after the last packet came back, those that are missing are lost. */
  private static final long RESIDUAL_NS = Ending.RESIDUAL_NS;

  /** Parts of the packets, as Prometheus writes them; all of them are the largest delay. */
  private static final Map<String, Double> PERCENT =
      new TreeMap<>(Map.of("0.5", 50.0, "0.9", 90.0, "0.99", 99.0, "0.999", 99.9, "1", 100.0));

  private final List<Handler> handlers = new CopyOnWriteArrayList<>();
  private final SequenceTracker[][] trackers;
  private final LongSupplier sent;
  private FlowOrder order = new FlowOrder();
  private int firstStream;

  /** Whether a stream has several flows, so that each packet has to be asked for its own. */
  private boolean hasManyFlows;

  /** What came before it started over, the last time. Guarded by this. */
  private ReturnCounts before = ReturnCounts.NONE;

  /** What was lost before it started over. Guarded by this. */
  private long lostBefore;

  /** When a packet came back last, or it started over. Guarded by this. */
  private long lastNs = System.nanoTime();

  /** Taken before this one's own lock, by those who read. */
  private final Object reading = new Object();

  /** Delays of all handlers, as far as they were gathered. Guarded by {@link #reading}. */
  private final Histogram delays = Delays.histogram();

  /**
   * For the substreams of so many streams and workers.
   *
   * @param hasManyFlows whether addresses or ports of a stream vary
   * @param sent says how many packets have left with a stamp since it started over. Any thread
   */
  Reception(int streams, int workers, boolean hasManyFlows, LongSupplier sent) {
    this.sent = sent;
    this.hasManyFlows = hasManyFlows;
    trackers = new SequenceTracker[streams][workers];
    forgetSequences();
  }

  /**
   * Starts over, with streams of these numbers; any others are foreign from now on.
   *
   * @param lost packets that will not come back any more of what was sent before
   */
  void expect(int newFirstStream, boolean haveManyFlows, long lost) {
    synchronized (reading) {
      synchronized (this) {
        before = before.plus(counts());
        lostBefore += lost;
        lastNs = System.nanoTime();
        firstStream = newFirstStream;
        hasManyFlows = haveManyFlows;
        forgetSequences();
        handlers.forEach(handler -> handler.foreign = 0);
        gather();
      }
      delays.reset();
    }
  }

  private void forgetSequences() {
    for (SequenceTracker[] stream : trackers) {
      Arrays.setAll(stream, worker -> new SequenceTracker());
    }
    order = new FlowOrder();
  }

  /** Takes what handlers have recorded. By who holds {@link #reading}. */
  private void gather() {
    for (Handler handler : handlers) {
      Histogram fresh;
      synchronized (this) {
        fresh = handler.delays.exchange();
      }
      if (fresh.getTotalCount() > 0) {
        delays.add(fresh);
        fresh.reset();
      }
    }
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

  /** Since it started over. */
  private synchronized ReturnCounts counts() {
    ReturnCounts counts = ReturnCounts.NONE;
    for (SequenceTracker[] stream : trackers) {
      for (SequenceTracker tracker : stream) {
        counts = counts.plus(new ReturnCounts(tracker.unique(), tracker.duplicates(), 0, 0));
      }
    }
    long foreign = handlers.stream().mapToLong(handler -> handler.foreign).sum();
    return counts.plus(new ReturnCounts(0, 0, order.reordered(), foreign));
  }

  /**
   * Packets that do not come back: others that left later have, or none has for so long that it is
   * late.
   */
  private long lost() {
    long overtaken = 0;
    for (SequenceTracker[] stream : trackers) {
      for (SequenceTracker tracker : stream) {
        overtaken += tracker.missing();
      }
    }
    boolean isSilent = System.nanoTime() - lastNs > RESIDUAL_NS;
    return lostBefore + (isSilent ? Math.max(0, sent.getAsLong() - unique()) : overtaken);
  }

  private synchronized long largestExtent() {
    return order.largestExtent();
  }

  /**
   * What came.
   *
   * @param sent packets that left with a stamp
   */
  ReceptionResult result(long sent) {
    synchronized (reading) {
      gather();
      ReturnCounts counts = counts();
      return new ReceptionResult(
          sent,
          counts.received(),
          counts.duplicates(),
          counts.reordered(),
          largestExtent(),
          counts.foreign(),
          delays.copy());
    }
  }

  /** What came back since the program's start, and the delays since it started over. */
  @Override
  public void collect(SampleSink sink) {
    ReturnCounts all;
    long lost;
    synchronized (this) {
      all = before.plus(counts());
      lost = lost();
    }
    all.collect(sink);
    sink.gauge("linerate_return_lost_packets", SampleUnit.PACKETS, lost);
    synchronized (reading) {
      gather();
      if (delays.getTotalCount() > 0) {
        PERCENT.forEach((quantile, percent) ->
            sink.gauge(
                "linerate_latency_seconds",
                SampleUnit.NANOSECONDS,
                delays.getValueAtPercentile(percent),
                "quantile",
                quantile));
        sink.gauge("linerate_latency_packets", SampleUnit.PACKETS, delays.getTotalCount());
      }
    }
  }

  private final class Handler implements BurstHandler {
    private final HeaderScanner scanner = new HeaderScanner();
    private final Transport transport = new Transport();
    private final FlowKey key = new FlowKey();
    private final Delays delays = new Delays();
    private long foreign;

    /** Where the last stamp was: that of the next one is most likely there too. */
    private int lastOffset = -1;

    @Override
    public void onBurst(Burst burst) {
      long nowNs = System.nanoTime();
      synchronized (Reception.this) {
        lastNs = nowNs;
        for (Packet packet : burst) {
          add(packet, nowNs);
        }
      }
      burst.dropAll(DropReason.CONSUMED);
    }

    private void add(Packet packet, long nowNs) {
      int at = Stamp.fits(packet, lastOffset) ? lastOffset : find(packet);
      int substream = at < 0 ? -1 : Stamp.substream(packet, at);
      int stream = Stamp.stream(substream) - firstStream;
      int worker = Stamp.worker(substream);
      if (substream < 0
          || stream < 0
          || stream >= trackers.length
          || worker >= trackers[stream].length) {
        foreign++;
        return;
      }
      lastOffset = at;
      long sequence = Stamp.sequence(packet, at);
      if (trackers[stream][worker].add(sequence)) {
        order.add(flow(packet) + substream, sequence);
      }
      long sentNs = Stamp.timestampNs(packet, at);
      if (sentNs != 0) {
        delays.record(nowNs - sentNs);
      }
    }

    /** A hash of what tells its flow from others, if its stream has others. */
    private long flow(Packet packet) {
      return hasManyFlows && scanner.scan(packet) && key.read(packet, scanner) ? key.hash() : 0;
    }

    private int find(Packet packet) {
      if (!scanner.scan(packet) || !scanner.l4Fits()) {
        return -1;
      }
      int at =
          Transport.fits(scanner)
              ? transport.wrap(packet, scanner).payloadOffset()
              : scanner.l4Offset() + Icmp.HEADER_BYTES;
      return Stamp.fits(packet, at) ? at : -1;
    }
  }
}
