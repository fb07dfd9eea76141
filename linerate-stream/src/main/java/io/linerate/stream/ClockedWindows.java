package io.linerate.stream;

import io.linerate.graph.Wiring;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Windows that end by time: by when tokens come, or by what time they say. */
abstract class ClockedWindows<T, A> extends WindowStore<T, A> {
  /** A worker is idle to which nothing has come for so long, and in so many rounds. */
  private static final long IDLE_NS = 1_000_000_000;

  private static final int IDLE_ROUNDS = 100;
  private static final long LOOK_NS = 10_000_000;

  private final long stepNs;
  private final @Nullable ToLongFunction<? super T> timeNs;

  /** Nothing is earlier, but what is late. */
  private long watermarkNs = Long.MIN_VALUE;

  /** When the last token came, and rounds since then. */
  private long lastNs;

  private int emptyRounds;
  private boolean isIdle;

  ClockedWindows(WindowActor<T, A> actor, Wiring wiring) {
    super(actor, wiring);
    stepNs = actor.window().stepNs();
    timeNs = actor.window().timeNs();
  }

  /**
   * Adds a token to its windows that have not ended until {@code watermarkNs}; false: there are
   * none.
   */
  abstract boolean add(T token, long atNs, long watermarkNs);

  /**
   * Hands on what has ended.
   *
   * @param isNextStep whether others are told afterwards that all has been handed on
   */
  abstract void endUntil(long untilNs, boolean isNextStep);

  /** No token comes until further notice. */
  abstract void idle();

  /** When the next window ends, or earlier; {@link Long#MAX_VALUE} if there is none. */
  abstract long nextEndNs();

  @Override
  final boolean add(T token) {
    lastNs = wiring.nowNs();
    emptyRounds = 0;
    if (isIdle) {
      isIdle = false;
      output().passed(watermarkNs);
    }
    long atNs = timeNs == null ? wiring.epochNs() : timeNs.applyAsLong(token);
    passed(timeNs == null ? atNs : atNs - actor.window().delayNs());
    return add(token, atNs, watermarkNs);
  }

  /** No token is earlier from now on, but what is late: what has ended is handed on. */
  private void passed(long untilNs) {
    if (untilNs <= watermarkNs) {
      return;
    }
    boolean isNextStep =
        watermarkNs == Long.MIN_VALUE
            || Math.floorDiv(untilNs, stepNs) > Math.floorDiv(watermarkNs, stepNs);
    watermarkNs = untilNs;
    endUntil(watermarkNs, isNextStep);
    if (isNextStep) {
      output().passed(watermarkNs);
    }
  }

  @Override
  public final int run() {
    if (timeNs != null) {
      return lookIdle();
    }
    long before = watermarkNs;
    if (nextEndNs() < Long.MAX_VALUE || actor.isPartial()) {
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
    idle();
    output().passed(WindowPart.IDLE);
    return 1;
  }

  @Override
  public final long restNs(Runnable wake) {
    if (timeNs != null) {
      return isIdle || !actor.isPartial() ? Long.MAX_VALUE : LOOK_NS;
    }
    if (actor.isPartial()) {
      return Math.max(0, stepNs - Math.floorMod(wiring.epochNs(), stepNs));
    }
    long endNs = nextEndNs();
    return endNs == Long.MAX_VALUE ? endNs : Math.max(0, endNs - wiring.epochNs());
  }
}
