package io.linerate.stream;

import io.linerate.graph.Wiring;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Windows of time, which are the same for all keys. */
final class TimedWindows<T, A> extends ClockedWindows<T, A> {
  private final long sizeNs;
  private final long slideNs;
  private final @Nullable Object restKey;

  /** In the order of their start. */
  private final List<Open> open = new ArrayList<>();

  /** Whose memory the next one gets. */
  private final Deque<Open> ended = new ArrayDeque<>();

  /** A window that has not ended. */
  private final class Open {
    private final Pane pane = new Pane();
    private long startNs;

    /** What is known of tokens for whose keys there was no room; null: nothing. */
    private @Nullable A rest;

    void add(T token) {
      if (pane.add(token) == Keys.NONE && restKey != null) {
        Aggregate<T, A, ?> aggregate = actor.aggregate();
        rest = aggregate.add(rest == null ? aggregate.create() : rest, token);
      }
    }
  }

  TimedWindows(WindowActor<T, A> actor, Wiring wiring) {
    super(actor, wiring);
    sizeNs = actor.window().sizeNs();
    slideNs = actor.window().slideNs();
    restKey = actor.window().keys().rest().orElse(null);
  }

  @Override
  boolean add(T token, long atNs, long watermarkNs) {
    boolean isAdded = false;
    long newestNs = Math.floorDiv(atNs, slideNs) * slideNs;
    for (long startNs = newestNs; startNs > atNs - sizeNs; startNs -= slideNs) {
      if (startNs + sizeNs > watermarkNs) {
        find(startNs).add(token);
        isAdded = true;
      }
    }
    return isAdded;
  }

  private Open find(long startNs) {
    int at = open.size();
    while (at > 0 && open.get(at - 1).startNs > startNs) {
      at--;
    }
    if (at > 0 && open.get(at - 1).startNs == startNs) {
      return open.get(at - 1);
    }
    Open next = ended.isEmpty() ? new Open() : ended.pop();
    next.startNs = startNs;
    open.add(at, next);
    return next;
  }

  @Override
  void endUntil(long untilNs, boolean isNextStep) {
    while (nextEndNs() <= untilNs) {
      close(open.removeFirst());
    }
  }

  private void close(Open window) {
    Pane pane = window.pane;
    for (int number = 0; number < pane.keys.end(); number++) {
      emit(pane.keys.key(number), window.startNs, window.startNs + sizeNs, pane.known(number));
    }
    if (restKey != null && window.rest != null) {
      emit(restKey, window.startNs, window.startNs + sizeNs, window.rest);
      window.rest = null;
    }
    pane.clear();
    ended.push(window);
  }

  @Override
  void closeAll() {
    while (!open.isEmpty()) {
      close(open.removeFirst());
    }
  }

  @Override
  void idle() {} // Its windows end when tokens come that are later.

  @Override
  void forget() {
    open.clear();
  }

  @Override
  long keys() {
    return open.stream().mapToLong(window -> window.pane.keys.size()).sum();
  }

  @Override
  long nextEndNs() {
    return open.isEmpty() ? Long.MAX_VALUE : open.getFirst().startNs + sizeNs;
  }
}
