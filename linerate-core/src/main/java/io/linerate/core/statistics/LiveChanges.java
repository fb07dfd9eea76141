package io.linerate.core.statistics;

import io.linerate.core.flight.Flight;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What was changed in a program while packets flow: the last changes are kept for pages, and each
 * is told to Flight Recorder. Any thread.
 */
public final class LiveChanges {
  private static final int KEPT = 100;

  private final Deque<Change> latest = new ArrayDeque<>();

  /**
   * A change.
   *
   * @param timeMs when it was done, since 1970
   * @param what was changed, such as {@code rules}
   * @param text what it is now, in words
   */
  public record Change(long timeMs, String what, String text) {}

  /**
   * Something was changed.
   *
   * @param sinceNs when that began, by {@link System#nanoTime}
   */
  public void add(String what, String text, long sinceNs) {
    Flight.change(what, text, sinceNs);
    synchronized (latest) {
      if (latest.size() == KEPT) {
        latest.removeFirst();
      }
      latest.add(new Change(System.currentTimeMillis(), what, text));
    }
  }

  /** The last ones, the oldest first. */
  public List<Change> latest() {
    synchronized (latest) {
      return List.copyOf(latest);
    }
  }
}
