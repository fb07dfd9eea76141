package io.linerate.stream;

import io.linerate.graph.Wiring;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Windows that end by time: by when tokens come, or by what time they say. */
abstract class ClockedWindows<T, A> extends WindowStore<T, A> {
  /** A worker is silent to which nothing has come for so long, and in so many rounds. */
  private static final long SILENT_NS = 1_000_000_000;

  private static final int SILENT_ROUNDS = 100;

  /** Far longer than between two looks, and shorter than a silence. */
  private static final long AWAY_NS = SILENT_NS / 2;

  private static final long LOOK_NS = 10_000_000;

  private final long stepNs;
  private final @Nullable ToLongFunction<? super T> timeNs;
  private final @Nullable Predicate<? super T> isMark;

  /** What a token may say: what is beyond says this, so that no time overflows. */
  private final long mostNs;

  /** Nothing is earlier, but what is late. */
  private long watermarkNs = Long.MIN_VALUE;

  /** When the last token came, and rounds since then. */
  private long lastNs;

  private int emptyRounds;

  /** When it was looked last whether a token had come. */
  private long lookedNs;

  /** Others do not wait for this worker. */
  private boolean isLeftOut;

  ClockedWindows(WindowActor<T, A> actor, Wiring wiring) {
    super(actor, wiring);
    stepNs = actor.window().stepNs();
    timeNs = actor.window().timeNs();
    isMark = actor.window().isMark();
    mostNs = actor.window().mostNs();
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

  /** Others do not wait for this worker until further notice. */
  abstract void idle();

  /** When the next window ends, or earlier; {@link Long#MAX_VALUE} if there is none. */
  abstract long nextEndNs();

  @Override
  final boolean add(T token) {
    lastNs = wiring.nowNs();
    emptyRounds = 0;
    if (isLeftOut) {
      isLeftOut = false;
      output().passed(watermarkNs);
    }
    long atNs =
        timeNs == null ? wiring.epochNs() : Math.clamp(timeNs.applyAsLong(token), -mostNs, mostNs);
    boolean _ = passed(timeNs == null ? atNs : atNs - actor.window().delayNs());
    return (isMark != null && isMark.test(token)) || add(token, atNs, watermarkNs);
  }

  /**
   * No token is earlier from now on, but what is late: what has ended is handed on.
   *
   * @return whether others are told, too
   */
  private boolean passed(long untilNs) {
    if (untilNs <= watermarkNs) {
      return false;
    }
    boolean isNextStep =
        watermarkNs == Long.MIN_VALUE
            || Math.floorDiv(untilNs, stepNs) > Math.floorDiv(watermarkNs, stepNs);
    watermarkNs = untilNs;
    endUntil(watermarkNs, isNextStep);
    if (isNextStep) {
      output().passed(watermarkNs);
    }
    return isNextStep;
  }

  @Override
  public final int run() {
    if (timeNs != null) {
      return looksAtSilence() && isSilent() ? goOn() : 0;
    }
    long before = watermarkNs;
    if (nextEndNs() < Long.MAX_VALUE || actor.isPartial()) {
      boolean _ = passed(wiring.epochNs());
    }
    return watermarkNs > before ? 1 : 0;
  }

  /** Whether it makes a difference that no token comes. */
  private boolean looksAtSilence() {
    return switch (actor.window().silence()) {
      case LEAVE_OUT -> actor.isPartial() && !isLeftOut;
      case FOLLOW_CLOCK -> actor.isPartial() || nextEndNs() < Long.MAX_VALUE;
      case WAIT -> false;
    };
  }

  private boolean isSilent() {
    long nowNs = wiring.nowNs();
    if (nowNs - lookedNs > AWAY_NS) {
      emptyRounds = 0; // The worker was elsewhere: tokens may wait for it.
    }
    lookedNs = nowNs;
    if (emptyRounds == 0 && watermarkNs == Long.MIN_VALUE) {
      lastNs = nowNs;
    }
    if (emptyRounds < SILENT_ROUNDS) {
      emptyRounds++;
      return false;
    }
    return nowNs - lastNs >= SILENT_NS;
  }

  /** A worker that gets no tokens does not keep others waiting that get some. */
  private int goOn() {
    if (actor.window().silence() == Silence.FOLLOW_CLOCK) {
      return passed(wiring.epochNs() - SILENT_NS - actor.window().delayNs()) ? 1 : 0;
    }
    isLeftOut = true;
    idle();
    output().passed(WindowPart.IDLE);
    return 1;
  }

  @Override
  public final long restNs(Runnable wake) {
    if (timeNs != null) {
      return looksAtSilence() ? LOOK_NS : Long.MAX_VALUE;
    }
    if (actor.isPartial()) {
      return Math.max(0, stepNs - Math.floorMod(wiring.epochNs(), stepNs));
    }
    long endNs = nextEndNs();
    return endNs == Long.MAX_VALUE ? endNs : Math.max(0, endNs - wiring.epochNs());
  }
}
