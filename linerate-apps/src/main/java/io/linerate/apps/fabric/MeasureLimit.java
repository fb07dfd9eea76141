package io.linerate.apps.fabric;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * When a measurement ends at the latest.
 *
 * @param isStopped set by a signal
 * @param startNs as {@link System#nanoTime} tells it
 * @param longest after the start
 */
record MeasureLimit(AtomicBoolean isStopped, long startNs, Duration longest) {
  boolean isOver() {
    return isStopped.get() || leftNs() <= 0;
  }

  long leftNs() {
    return longest.toNanos() - (System.nanoTime() - startNs);
  }
}
