package io.linerate.apps.generate;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.RxQueue;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Output;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker gets the packets from that it sends: makes those that are due, and none while the
 * port has not taken those before.
 *
 * <p>Another thread hands it substreams, which it works off. The clock of substreams begins when
 * the port has taken the first packet: a peer may come late.
 */
final class TrafficQueue implements RxQueue {
  /** A longer wait than this is slept through, but for the last part. */
  private static final long SLEEP_NS = 300_000;

  private static final long MAX_SLEEP_NS = 1_000_000;

  private final BurstOwner owner = new BurstOwner();
  private @Nullable OwnedBurst burst;
  private final PacketPool pool;
  private final Output output;
  private final boolean maySleep;
  private final Runnable whenIdle;
  private volatile Substream @Nullable [] substreams;
  private volatile boolean isUsedUp;
  private Substream @Nullable [] started;
  private boolean hasBegun;
  private long generated;
  private volatile long finishedNs;

  /** When the clock of the substreams began; 0: it has not. */
  private volatile long startedNs;

  private long lastPollNs;
  private long roundNs;
  private long blocked;
  private volatile long blockedNs;
  private volatile long longestPauseNs;

  /**
   * @param output that keeps what its port refuses
   * @param maySleep whether nothing else waits for this worker
   * @param whenIdle called when there are no substreams
   */
  TrafficQueue(PacketPool pool, Output output, boolean maySleep, Runnable whenIdle) {
    this.pool = pool;
    this.output = output;
    this.maySleep = maySleep;
    this.whenIdle = whenIdle;
  }

  /** What the worker does with the packets: sends them at once. */
  BurstHandler handler() {
    return burst -> {
      output.sendAll(burst);
      output.flush();
    };
  }

  /** Starts substreams. Any thread, when there are none or they are finished. */
  void run(Substream[] newSubstreams) {
    longestPauseNs = 0;
    blockedNs = 0;
    startedNs = 0;
    substreams = newSubstreams;
  }

  /** Whether all substreams are done and the port has taken their packets. */
  boolean isFinished() {
    return substreams == null;
  }

  /** How long the clock of the substreams has run. Any thread. */
  long sinceStartNs() {
    long since = startedNs;
    return since == 0 ? 0 : System.nanoTime() - since;
  }

  /** When it finished. */
  long finishedNs() {
    return finishedNs;
  }

  /** The longest time for which the worker did not come by while substreams ran. */
  long longestPauseNs() {
    return longestPauseNs;
  }

  /** Time in which packets were due, but the port had not taken those before. */
  long blockedNs() {
    return blockedNs;
  }

  /** Lets the worker go once the substreams are done. */
  void useUp() {
    isUsedUp = true;
  }

  @Override
  public boolean bringsSuperPackets() {
    return false;
  }

  @Override
  public int receive(MbufArray packets) {
    Substream[] current = substreams;
    if (current == null) {
      whenIdle.run();
      return 0;
    }
    long nowNs = System.nanoTime();
    boolean wasBlocked = output.pending() > 0;
    begin(current, nowNs);
    if (wasBlocked && isDue(current, nowNs)) {
      blocked += roundNs;
      blockedNs = blocked;
    }
    boolean isFree = !wasBlocked || drain();
    int count = isFree ? fill(current, burst(packets), nowNs) : 0;
    if (count == 0) {
      idle(current, nowNs, isFree);
    }
    return count;
  }

  @SuppressWarnings("ReferenceEquality")
  private void begin(Substream[] current, long nowNs) {
    if (started != current) {
      started = current;
      blocked = 0;
      roundNs = 0;
      hasBegun = false;
      generated = 0;
      start(current, nowNs);
    } else {
      roundNs = nowNs - lastPollNs;
      longestPauseNs = Math.max(longestPauseNs, roundNs);
    }
    lastPollNs = nowNs;
    if (!hasBegun && generated > 0) {
      hasBegun = output.pending() < generated;
      if (!hasBegun) {
        start(current, nowNs);
      }
    }
  }

  private static boolean isDue(Substream[] substreams, long nowNs) {
    for (Substream substream : substreams) {
      if (!substream.isDone() && substream.nextNs() - nowNs <= 0) {
        return true;
      }
    }
    return false;
  }

  private void start(Substream[] substreams, long nowNs) {
    startedNs = nowNs;
    for (Substream substream : substreams) {
      substream.start(nowNs);
    }
  }

  private boolean drain() {
    output.flush();
    return output.pending() == 0;
  }

  /** The worker's array, which is always the same, as packets to be written. */
  private OwnedBurst burst(MbufArray packets) {
    owner.bind();
    OwnedBurst known = burst;
    if (known == null || !known.array().equals(packets)) {
      known = new OwnedBurst(packets, new DropCounts(), EpochClock.SYSTEM, owner);
      burst = known;
    }
    return known;
  }

  private int fill(Substream[] current, OwnedBurst burst, long nowNs) {
    int before = burst.size();
    for (Substream substream : current) {
      if (burst.room() > 0) {
        substream.fill(burst, pool, nowNs);
      }
    }
    int count = burst.size() - before;
    generated += count;
    return count;
  }

  private void idle(Substream[] current, long nowNs, boolean isFree) {
    // What the port has not taken when the time is over ends with the worker.
    boolean isDone = true;
    boolean isOver = true;
    long nextNs = nowNs + MAX_SLEEP_NS;
    for (Substream substream : current) {
      isOver &= substream.isOver(nowNs);
      if (!substream.isDone() && !substream.isOver(nowNs)) {
        isDone = false;
        nextNs = Math.min(nextNs, substream.nextNs());
      }
    }
    if (isDone && (isFree || isOver)) {
      finishedNs = nowNs;
      substreams = null;
    } else if (maySleep && isFree && nextNs - nowNs > SLEEP_NS) {
      LockSupport.parkNanos(Math.min(nextNs - nowNs - SLEEP_NS / 2, MAX_SLEEP_NS));
    }
  }

  @Override
  public boolean makesPackets() {
    return true;
  }

  @Override
  public boolean exhausted() {
    return isUsedUp && substreams == null;
  }
}
