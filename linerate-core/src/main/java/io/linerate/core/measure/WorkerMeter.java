package io.linerate.core.measure;

import io.linerate.core.memory.DropCounts;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.PacketLedger;
import io.linerate.core.statistics.WorkerLoad;

/**
 * Measures what a worker does with packets and with its time. The worker's thread writes; {@link
 * #counts}, {@link #load}, {@link #polls} and what never changes are for any thread.
 */
public final class WorkerMeter {
  private final int worker;
  private final int cpu;
  private final WorkerCounters counters = new WorkerCounters();
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
    counters.publish(received, sent, inFlight, ledger, drops);
  }

  public PacketCounts counts() {
    return counters.read();
  }

  public WorkerLoad load() {
    return load.read();
  }

  PollCounts polls() {
    return polls;
  }
}
