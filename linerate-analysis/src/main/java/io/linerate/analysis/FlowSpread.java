package io.linerate.analysis;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.NumberedOutputs;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;

/**
 * Sends all packets of a flow to the same one of its outputs, both directions to the same, by their
 * own headers. When a packet ends a window, all outputs are told by a {@link TimeMark}: what is
 * behind each of them ends it at the same packet, and is kept waiting by no other that gets none.
 *
 * <pre>
 * inputs      in
 * outputs     out1, out2, ...; what is not IP goes to out1
 * drops       none
 * </pre>
 *
 * @param seed that nobody knows, so that nobody can choose flows that all go one way
 */
record FlowSpread(int outputs, AnalysisSettings settings, TimeMark mark, long seed)
    implements NumberedOutputs {
  @Override
  public Shape shape() {
    return NumberedOutputs.super.shape().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Spreading(this, NumberedOutputs.of(wiring, "out", outputs)));
  }

  /** On one worker. */
  private static final class Spreading implements BurstHandler {
    /** Times beyond are taken for it, so that none overflows. */
    private static final long MOST_NS = Long.MAX_VALUE / 2;

    private final HeaderScanner scanner = new HeaderScanner();
    private final TimeMark mark;
    private final FlowKey key;
    private final Outlet[] outlets;
    private final long windowNs;
    private final long delayNs;

    /** The time from which on a packet ends a window. */
    private long nextNs = Long.MIN_VALUE;

    /** What packets have said that ended one last, and the outputs that were not told. */
    private long endedNs;

    private long untold;

    Spreading(FlowSpread spread, Outlet[] outlets) {
      this.outlets = outlets;
      mark = spread.mark;
      key = new FlowKey(spread.seed);
      windowNs = spread.settings.window().toNanos();
      delayNs = spread.settings.delay().toNanos();
    }

    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        boolean isFlow = scanner.scanAny(packet) && key.readConnection(packet, scanner);
        if (isFlow) {
          pass(packet.timestampNs());
        }
        // The upper half of the hash, scaled to the number of outputs: no division.
        long scaled = isFlow ? (key.symmetricHash() >>> 32) * outlets.length : 0;
        outlets[(int) (scaled >>> 32)].send(packet);
      }
    }

    private void pass(long timeNs) {
      long atNs = Math.clamp(timeNs, -MOST_NS, MOST_NS);
      if (atNs >= nextNs) {
        nextNs = (Math.floorDiv(atNs - delayNs, windowNs) + 1) * windowNs + delayNs;
        endedNs = timeNs;
        untold = -1L >>> (Long.SIZE - outlets.length);
      }
      for (long rest = untold; rest != 0; rest &= rest - 1) {
        int number = Long.numberOfTrailingZeros(rest);
        if (mark.send(outlets[number], endedNs)) { // Or with the next packet.
          untold &= ~(1L << number);
        }
      }
    }
  }
}
