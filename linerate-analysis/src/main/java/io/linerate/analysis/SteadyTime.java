package io.linerate.analysis;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Passes recorded packets on, in their order, but for one whose time nobody else confirms: it is
 * more than a day after all before it, and more than a day after the next one. All others would be
 * late. A packet that may be one waits for the next, or for a second where none comes.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * drops       time_jump
 * </pre>
 */
record SteadyTime() implements Element {
  static final DropReason JUMP = DropReason.named(TrafficAnalysis.TIME_JUMP);

  private static final long DAY_NS = 86_400_000_000_000L;

  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    Passing passing = new Passing(wiring, out);
    wiring.input("in", passing);
    wiring.onRound(passing);
    wiring.onLeave(() -> {
      int _ = passing.passWaiting();
    });
  }

  /** Whether a time is more than a day after another. */
  private static boolean isDayAfter(long timeNs, long otherNs) {
    return otherNs < Long.MAX_VALUE - DAY_NS && timeNs > otherNs + DAY_NS;
  }

  /** On one worker. */
  private static final class Passing implements BurstHandler, Round {
    private static final long MOST_WAIT_NS = 1_000_000_000;

    private final Wiring wiring;
    private final Outlet out;
    private final PacketQueue waiting;

    /** The time of the packet that waits, and since when it does. */
    private long waitingNs;

    private long sinceNs;

    /** Of what was passed on. */
    private long latestNs = Long.MIN_VALUE;

    Passing(Wiring wiring, Outlet out) {
      this.wiring = wiring;
      this.out = out;
      waiting = wiring.queue(1);
    }

    @Override
    public void onBurst(Burst burst) {
      if (waiting.size() > 0 && !burst.isEmpty()) {
        settle(burst.iterator().next().timestampNs());
      }
      if (isSteady(burst)) {
        out.push(burst);
        return;
      }
      for (Packet packet : burst) {
        pass(packet, packet.timestampNs());
      }
    }

    /** Decides about the one that waits, by the time of the next. */
    private void settle(long timeNs) {
      if (isDayAfter(waitingNs, timeNs)) {
        int _ = waiting.drop(1, JUMP);
      } else {
        int _ = passWaiting();
      }
    }

    /** Whether none is to wait. */
    private boolean isSteady(Burst burst) {
      long latest = latestNs;
      for (Packet packet : burst) {
        long timeNs = packet.timestampNs();
        if (isDayAfter(timeNs, latest)) {
          return false;
        }
        latest = Math.max(latest, timeNs);
      }
      latestNs = latest;
      return true;
    }

    private void pass(Packet packet, long timeNs) {
      if (waiting.size() > 0) {
        settle(timeNs);
      }
      if (isDayAfter(timeNs, latestNs) && waiting.add(packet)) {
        waitingNs = timeNs;
        sinceNs = wiring.nowNs();
      } else {
        latestNs = Math.max(latestNs, timeNs);
        out.send(packet);
      }
    }

    int passWaiting() {
      latestNs = waiting.size() > 0 ? waitingNs : latestNs;
      return waiting.sendTo(out, 1);
    }

    @Override
    public int run() {
      return leftNs() <= 0 ? passWaiting() : 0;
    }

    @Override
    public long restNs(Runnable wake) {
      return Math.max(0, leftNs());
    }

    private long leftNs() {
      return waiting.size() == 0 ? Long.MAX_VALUE : sinceNs + MOST_WAIT_NS - wiring.nowNs();
    }
  }
}
