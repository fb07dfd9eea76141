package io.linerate.core.measure;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.PacketLedger;
import io.linerate.core.statistics.WorkerLoad;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what a worker does with packets and with its time. The worker's thread writes; {@link
 * #counts}, {@link #load}, {@link #polls} and what never changes are for any thread.
 */
public final class WorkerMeter {
  private static final int RECEIVED = 0;
  private static final int SENT = 1;
  private static final int IN_FLIGHT = 2;
  private static final int MADE = 3;
  private static final int TAKEN_OVER = 4;
  private static final int HANDED_OVER = 5;
  private static final int DROPS = 6;

  private final int worker;
  private final int cpu;
  private final CounterBlock block = new CounterBlock(DROPS + DropCounts.MAX_REASONS);
  private volatile List<DropReason> reasons = List.of();
  private final LoadMeter load = new LoadMeter();
  private final PollCounts polls = new PollCounts();
  private final SlowBursts slowBursts;
  private long received;
  private boolean isBusy;

  /**
   * @param worker its number
   * @param cpu that it is pinned to, or -1
   * @param slowNs how long rounds may take
   */
  public WorkerMeter(int worker, int cpu, long slowNs) {
    this.worker = worker;
    this.cpu = cpu;
    slowBursts = new SlowBursts(worker, slowNs);
  }

  int worker() {
    return worker;
  }

  /** The CPU that the worker is pinned to, or -1. */
  public int cpu() {
    return cpu;
  }

  /** The worker begins, without packets. */
  public void begin() {
    load.start(System.nanoTime());
  }

  /** Whether there may be something to transmit or free. */
  public boolean isBusy() {
    return isBusy;
  }

  /** There is something to do, if there was not before. */
  public void busy() {
    if (!isBusy) {
      becomeBusy();
    }
  }

  private void becomeBusy() {
    isBusy = true;
    long now = System.nanoTime();
    load.busy(now);
    slowBursts.begin(now, received);
  }

  /** A poll brought nothing. */
  public void emptyPoll() {
    polls.addEmpty();
  }

  /** A poll brought packets. */
  public void poll(int packets) {
    received += packets;
    polls.add(packets);
  }

  /** Packets came from a driver that failed then. */
  public void received(int packets) {
    received += packets;
  }

  /** Some rounds are done, and others follow. */
  public void lap(long nowNs) {
    slowBursts.lap(nowNs, received);
  }

  /**
   * A round brought nothing, and what was stored was transmitted.
   *
   * @param isWaiting whether something is stored still, and the next round tries again
   */
  public void drained(boolean isWaiting) {
    isBusy = isWaiting;
    if (isWaiting) {
      slowBursts.pause();
    } else {
      long now = System.nanoTime();
      load.idle(now);
      slowBursts.lap(now, received);
    }
  }

  /** Shows other threads where packets went until now. */
  public void publish(long sent, long inFlight, PacketLedger ledger, DropCounts drops) {
    int size = drops.size();
    if (size != reasons.size()) {
      reasons = drops.reasons();
    }
    block.begin();
    block.set(RECEIVED, received);
    block.set(SENT, sent);
    block.set(IN_FLIGHT, inFlight + ledger.held());
    block.set(MADE, ledger.made());
    block.set(TAKEN_OVER, ledger.takenOver());
    block.set(HANDED_OVER, ledger.handedOver());
    for (int i = 0; i < size; i++) {
      block.set(DROPS + i, drops.count(i));
    }
    block.publish();
  }

  public PacketCounts counts() {
    long[] values = block.read();
    List<DropReason> names = reasons;
    Map<String, Long> dropped = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      dropped.merge(names.get(i).name(), values[DROPS + i], Long::sum);
    }
    return new PacketCounts(
        values[RECEIVED],
        values[MADE],
        values[TAKEN_OVER],
        values[SENT],
        dropped,
        values[HANDED_OVER],
        values[IN_FLIGHT]);
  }

  public WorkerLoad load() {
    return load.read();
  }

  PollCounts polls() {
    return polls;
  }
}
