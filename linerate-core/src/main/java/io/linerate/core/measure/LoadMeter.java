package io.linerate.core.measure;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.statistics.WorkerLoad;

/**
 * Measures how long a worker is idle. It reads the clock only when a worker begins or ends to be
 * so, which a worker with much to do does not.
 */
final class LoadMeter {
  private static final int START_NS = 0;
  private static final int IDLE_NS = 1;
  private static final int IDLE_SINCE_NS = 2;

  /** 0 before the worker runs. */
  private static final int STATE = 3;

  private static final int BUSY = 1;
  private static final int IDLE = 2;

  private final CounterBlock block = new CounterBlock(4);
  private long idleNs;
  private long idleSinceNs;

  /** The worker begins, without packets. */
  void start(long nowNs) {
    block.begin();
    block.set(START_NS, nowNs);
    block.publish();
    idle(nowNs);
  }

  void idle(long nowNs) {
    idleSinceNs = nowNs;
    publish(IDLE);
  }

  void busy(long nowNs) {
    idleNs += nowNs - idleSinceNs;
    publish(BUSY);
  }

  private void publish(int state) {
    block.begin();
    block.set(IDLE_NS, idleNs);
    block.set(IDLE_SINCE_NS, idleSinceNs);
    block.set(STATE, state);
    block.publish();
  }

  /** Any thread. */
  WorkerLoad read() {
    long[] values = block.read();
    if (values[STATE] == 0) {
      return WorkerLoad.NONE;
    }
    long nowNs = System.nanoTime();
    long idle =
        values[IDLE_NS] + (values[STATE] == IDLE ? Math.max(0, nowNs - values[IDLE_SINCE_NS]) : 0);
    return new WorkerLoad(Math.max(0, nowNs - values[START_NS] - idle), idle);
  }
}
