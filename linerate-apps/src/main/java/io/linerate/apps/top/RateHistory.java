package io.linerate.apps.top;

import java.util.ArrayDeque;
import java.util.Deque;

/** Rates of the last minute, oldest first. */
final class RateHistory {
  private static final long SPAN_MS = 60_000;
  private static final int MOST = 600;

  private final Deque<Entry> entries = new ArrayDeque<>();

  /** A rate until a time. */
  private record Entry(long timeMs, double perSecond) {}

  void add(long timeMs, double perSecond) {
    entries.addLast(new Entry(timeMs, perSecond));
    while (entries.size() > MOST || timeMs - entries.getFirst().timeMs >= SPAN_MS) {
      entries.removeFirst();
    }
  }

  /** The newest ones, so many at most. */
  double[] newest(int most) {
    return entries.stream()
        .skip(Math.max(0, entries.size() - most))
        .mapToDouble(Entry::perSecond)
        .toArray();
  }
}
