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
  /** A worker is idle to which nothing has come for so long, and in so many rounds. */
  private static final long IDLE_NS = 1_000_000_000;

  private static final int IDLE_ROUNDS = 100;
  private static final long LOOK_NS = 10_000_000;

  private final long sizeNs;
  private final long slideNs;
  private final @Nullable ToLongFunction<? super T> timeNs;

  /** In the order of their start. */
  private final List<Open> open = new ArrayList<>();

  /** Whose memory the next one gets. */
  private final Deque<Open> ended = new ArrayDeque<>();

  /** Nothing is earlier, but what is late. */
  private long watermarkNs = Long.MIN_VALUE;

  /** When the last token came, and rounds since then. */
  private long lastNs;

  private int emptyRounds;
  private boolean isIdle;

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
    lastNs = wiring.nowNs();
    emptyRounds = 0;
    if (isIdle) {
      isIdle = false;
      output().passed(watermarkNs);
    }
    long atNs = timeNs == null ? wiring.epochNs() : timeNs.applyAsLong(token);
    passed(timeNs == null ? atNs : atNs - actor.window().delayNs());
    boolean isAdded = false;
    long newestNs = Math.floorDiv(atNs, slideNs) * slideNs;
    for (long startNs = newestNs; startNs > atNs - sizeNs; startNs -= slideNs) {
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
    boolean isNextSlide =
        watermarkNs == Long.MIN_VALUE
            || Math.floorDiv(untilNs, slideNs) > Math.floorDiv(watermarkNs, slideNs);
    watermarkNs = untilNs;
    while (!open.isEmpty() && open.getFirst().startNs + sizeNs <= watermarkNs) {
      close(open.removeFirst());
    }
    if (isNextSlide) {
      output().passed(watermarkNs);
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
    if (timeNs != null) {
      return lookIdle();
    }
    long before = watermarkNs;
    if (!open.isEmpty() || actor.isPartial()) {
      passed(wiring.epochNs());
    }
    return watermarkNs > before ? 1 : 0;
  }

  /** A worker that gets no tokens does not keep others waiting that get some. */
  private int lookIdle() {
    if (isIdle || !actor.isPartial()) {
      return 0;
    }
    if (emptyRounds++ == 0 && watermarkNs == Long.MIN_VALUE) {
      lastNs = wiring.nowNs();
    }
    if (emptyRounds < IDLE_ROUNDS || wiring.nowNs() - lastNs < IDLE_NS) {
      return 0;
    }
    isIdle = true;
    output().passed(WindowPart.IDLE);
    return 1;
  }

  @Override
  public long restNs(Runnable wake) {
    if (timeNs != null) {
      return isIdle || !actor.isPartial() ? Long.MAX_VALUE : LOOK_NS;
    }
    if (actor.isPartial()) {
      return Math.max(0, slideNs - Math.floorMod(wiring.epochNs(), slideNs));
    }
    return open.isEmpty()
        ? Long.MAX_VALUE
        : Math.max(0, open.getFirst().startNs + sizeNs - wiring.epochNs());
  }
}
