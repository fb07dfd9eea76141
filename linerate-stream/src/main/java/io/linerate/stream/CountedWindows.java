package io.linerate.stream;

import io.linerate.graph.Wiring;
import java.util.Arrays;

/** Windows of so many tokens of each key. */
final class CountedWindows<T, A> extends WindowStore<T, A> {
  private final Pane pane = new Pane();
  private int[] counts = new int[16];
  private long[] startNs = new long[16];

  CountedWindows(WindowActor<T, A> actor, Wiring wiring) {
    super(actor, wiring);
  }

  @Override
  boolean add(T token) {
    int number = pane.add(token);
    if (number == Keys.NONE) {
      return true;
    }
    if (number >= counts.length) {
      counts = Arrays.copyOf(counts, 2 * number);
      startNs = Arrays.copyOf(startNs, counts.length);
    }
    if (counts[number]++ == 0) {
      startNs[number] = wiring.epochNs();
    }
    if (counts[number] == actor.window().tokens()) {
      close(number);
    }
    return true;
  }

  private void close(int number) {
    Object key = pane.keys.key(number);
    A known = pane.known(number);
    counts[number] = 0;
    pane.remove(number);
    emit(key, startNs[number], wiring.epochNs(), known);
  }

  /** What is not a whole window is one all the same. */
  @Override
  void closeAll() {
    for (int number = 0; number < pane.keys.end(); number++) {
      if (pane.has(number)) {
        close(number);
      }
    }
  }

  @Override
  void forget() {
    Arrays.fill(counts, 0);
    pane.clear();
  }

  @Override
  long keys() {
    return pane.keys.size();
  }

  @Override
  public int run() {
    return 0;
  }

  @Override
  public long restNs(Runnable wake) {
    return Long.MAX_VALUE;
  }
}
