package io.linerate.apps.generate;

import io.linerate.apps.generate.TrafficPlan.Phase;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;

/** What one worker sends in one phase of a plan. Its worker's own, until that has ended. */
final class Substream {
  /** How long after its end a phase may send what it still owes. */
  static final long GRACE_NS = 200_000_000;

  private final Phase phase;
  private final FrameSource source;
  private final Pacer pacer = new Pacer();
  private final int worker;
  private final int workers;
  private final double meanCostNs;
  private final boolean isRecorded;
  private final long packetsAtMost;
  private long endNs = Long.MAX_VALUE;
  private boolean done;
  private long packets;
  private long frameBytes;
  private long firstNs;
  private long lastNs;
  private int lastBurst;

  Substream(Phase phase, FrameSource source, int worker, int workers) {
    this.phase = phase;
    this.source = source;
    this.worker = worker;
    this.workers = workers;
    meanCostNs = workers * phase.rate().costNs(source.meanBytes());
    isRecorded = phase.speed() > 0;
    long all = phase.packets();
    packetsAtMost = all == Long.MAX_VALUE ? all : all / workers + (worker < all % workers ? 1 : 0);
    done = packetsAtMost == 0;
  }

  /** Sets its clock. */
  void start(long zeroNs) {
    long start = zeroNs + phase.startNs();
    endNs = phase.endNs() == Long.MAX_VALUE ? Long.MAX_VALUE : zeroNs + phase.endNs();
    double firstNs = isRecorded ? source.firstNs() / phase.speed() : meanCostNs * worker / workers;
    pacer.start(start + (long) firstNs);
  }

  /** Appends what is due. */
  int fill(OwnedBurst burst, PacketPool pool, long nowNs) {
    if (done || !pacer.isReady(nowNs)) {
      done = done || isOver(nowNs);
      return 0;
    }
    int before = burst.size();
    int count = isRecorded ? fillRecorded(burst, pool, nowNs) : fillPaced(burst, pool, nowNs);
    pacer.burstEnded(nowNs);
    if (count > 0) {
      firstNs = packets == 0 ? nowNs : firstNs;
      lastNs = nowNs;
      lastBurst = burst.size() - before;
      packets += count;
    }
    done = packets >= packetsAtMost || isOver(nowNs);
    return count;
  }

  /** Whether its time is over, or all is sent that falls into it. */
  boolean isOver(long nowNs) {
    if (endNs == Long.MAX_VALUE) {
      return false;
    }
    long graceNs = phase.rate().isMax() && !isRecorded ? 0 : GRACE_NS;
    boolean isAllSent = pacer.dueNs() - endNs >= 0;
    return isAllSent || nowNs - endNs >= graceNs;
  }

  private int fillPaced(OwnedBurst burst, PacketPool pool, long nowNs) {
    int most = (int) Math.min(burst.room(), packetsAtMost - packets);
    if (endNs != Long.MAX_VALUE && meanCostNs > 0) {
      most = (int) Math.min(most, Math.ceil((endNs - pacer.dueNs()) / meanCostNs));
    }
    int count = pacer.due(nowNs, meanCostNs, Math.max(1, most));
    int from = burst.size();
    if (!pool.allocate(burst.array(), count)) {
      return 0;
    }
    long bytes = source.write(burst.burst(), from, nowNs);
    frameBytes += bytes;
    // Of bits, so many packets of different sizes cost as much as if each were of their mean.
    pacer.sent(nowNs, workers * phase.rate().costNs((double) bytes / count), count);
    return count;
  }

  /** One by one: each has its own time. */
  private int fillRecorded(OwnedBurst burst, PacketPool pool, long nowNs) {
    int count = 0;
    while (burst.room() > 0
        && packets + count < packetsAtMost
        && nowNs - pacer.dueNs() >= 0
        && pool.allocate(burst.array(), 1)) {
      Packet packet = burst.packet(burst.size() - 1);
      frameBytes += source.write(packet, nowNs);
      pacer.sent(nowNs, source.gapNs() / phase.speed(), 1);
      count++;
    }
    return count;
  }

  boolean isDone() {
    return done;
  }

  /** When there may be something to do. */
  long nextNs() {
    return pacer.nextNs();
  }

  Phase phase() {
    return phase;
  }

  Pacer pacer() {
    return pacer;
  }

  long packets() {
    return packets;
  }

  /** Bytes of all frames, check sequences included. */
  long frameBytes() {
    return frameBytes;
  }

  /** Packets in a second, from the first burst to the last; 0 when there was one only. */
  double packetsPerSecond() {
    return lastNs == firstNs ? 0 : (packets - lastBurst) * Rate.NS_PER_S / (lastNs - firstNs);
  }

  long nextSequence() {
    return source.nextSequence();
  }
}
