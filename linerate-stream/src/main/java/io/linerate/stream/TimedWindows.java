package io.linerate.stream;

import io.linerate.graph.Wiring;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Windows of time: by when tokens come, or by what time they say. */
final class TimedWindows<T, A> extends WindowStore<T, A> {
  private final long sizeNs;
  private final long slideNs;
  private final @Nullable ToLongFunction<? super T> timeNs;

  /** In the order of their start. */
  private final List<Open> open = new ArrayList<>();

  /** Whose memory the next one gets. */
  private final Deque<Open> ended = new ArrayDeque<>();

  /** Nothing is earlier, but what is late. */
  private long watermarkNs = Long.MIN_VALUE;

  /** A window that has not ended. */
  private final class Open {
    private final Pane pane = new Pane();
    private long startNs;
  }

  TimedWindows(WindowActor<T, A> actor, Wiring wiring) {
    super(actor, wiring);
    sizeNs = actor.window().sizeNs();
    slideNs = actor.window().slideNs();
    timeNs = actor.window().timeNs();
  }

  @Override
  boolean add(T token) {
    long atNs = timeNs == null ? wiring.epochNs() : timeNs.applyAsLong(token);
    passed(timeNs == null ? atNs : atNs - actor.window().delayNs());
    boolean isAdded = false;
    long lastNs = Math.floorDiv(atNs, slideNs) * slideNs;
    for (long startNs = lastNs; startNs > atNs - sizeNs; startNs -= slideNs) {
      if (startNs + sizeNs > watermarkNs) {
        int _ = find(startNs).pane.add(token);
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

  /** No token is earlier from now on, but what is late: what has ended is handed on. */
  private void passed(long untilNs) {
    if (untilNs <= watermarkNs) {
      return;
    }
    watermarkNs = untilNs;
    while (!open.isEmpty() && open.getFirst().startNs + sizeNs <= watermarkNs) {
      close(open.removeFirst());
    }
  }

  private void close(Open window) {
    Pane pane = window.pane;
    for (int number = 0; number < pane.keys.end(); number++) {
      emit(pane.keys.key(number), window.startNs, window.startNs + sizeNs, pane.known(number));
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
  void forget() {
    open.clear();
  }

  @Override
  long keys() {
    return open.stream().mapToLong(window -> window.pane.keys.size()).sum();
  }

  @Override
  public int run() {
    if (timeNs != null || open.isEmpty()) {
      return 0;
    }
    long before = closed();
    passed(wiring.epochNs());
    return closed() > before ? 1 : 0;
  }

  @Override
  public long restNs(Runnable wake) {
    return timeNs != null || open.isEmpty()
        ? Long.MAX_VALUE
        : Math.max(0, open.getFirst().startNs + sizeNs - wiring.epochNs());
  }
}
