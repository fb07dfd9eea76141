package io.linerate.dashboard.state;

/**
 * How many series the histories of a server may have together: a part of the heap that there may
 * be. Any thread.
 */
public final class HistoryRoom {
  private static final long PART_OF_HEAP = 32;
  private static final int LEAST = 256;
  private static final int MOST = 8_192;

  private int free;

  HistoryRoom(int series) {
    free = series;
  }

  /** A 32nd of the heap, within reason. */
  public static HistoryRoom usual() {
    long series = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / History.SERIES_BYTES;
    return new HistoryRoom(Math.clamp(series, LEAST, MOST));
  }

  /** Takes room for a series, if there is some. */
  synchronized boolean take() {
    if (free == 0) {
      return false;
    }
    free--;
    return true;
  }

  synchronized void giveBack(int series) {
    free += series;
  }
}
