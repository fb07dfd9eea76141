package io.linerate.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which tokens belong together: by their number, by the time when they come, or by a time that they
 * say.
 *
 * <p>Windows of time begin at multiples of their slide since 1970, sessions with the first token of
 * their key. Those of tokens that say a time end when a token has come that is later than their end
 * by the delay that is allowed: what belongs to one that has ended is late. When the worker ends,
 * all do.
 *
 * @param <T> class of the tokens
 * @param tokens of each key that are a window; 0 for others
 * @param gapNs how long no token of a key comes when its session ends; 0 for others
 * @param sizeNs how long a window of time is; 0 for others
 * @param slideNs how long after one the next begins
 * @param timeNs what time a token says, in ns since 1970; null: when it comes
 * @param delayNs how much earlier a token's time may be than the latest that was seen
 * @param keys for how many there is room in one window
 * @param silence what becomes of time where no token says it
 * @param isMark which tokens only tell the time, and belong to no window; null: none
 */
public record Window<T>(
    int tokens,
    long gapNs,
    long sizeNs,
    long slideNs,
    @Nullable ToLongFunction<? super T> timeNs,
    long delayNs,
    WindowKeys keys,
    Silence silence,
    @Nullable Predicate<? super T> isMark) {
  private static final WindowKeys KEYS = WindowKeys.of(1 << 20);
  private static final int MOST_OVERLAPPING = 1_000;

  /** So many tokens of each key. */
  public static <T> Window<T> count(int tokens) {
    return new Window<>(tokens, 0, 0, 0, null, 0, KEYS, Silence.LEAVE_OUT, null);
  }

  /**
   * Tokens of a key between which there is less than a gap: a session. It ends so long after its
   * last token.
   */
  public static <T> Window<T> session(Duration gap) {
    return new Window<>(0, gap.toNanos(), 0, 0, null, 0, KEYS, Silence.LEAVE_OUT, null);
  }

  /** One window after the other. */
  public static <T> Window<T> tumbling(Duration size) {
    return sliding(size, size);
  }

  /** Windows of which the next begins before the one before has ended. */
  public static <T> Window<T> sliding(Duration size, Duration slide) {
    return new Window<>(
        0, 0, size.toNanos(), slide.toNanos(), null, 0, KEYS, Silence.LEAVE_OUT, null);
  }

  /**
   * The same by the time that a token says.
   *
   * @param time in ns since 1970
   * @param delay how much earlier it may be than the latest that was seen
   */
  public Window<T> at(ToLongFunction<? super T> time, Duration delay) {
    return new Window<>(
        tokens, gapNs, sizeNs, slideNs, time, delay.toNanos(), keys, silence, isMark);
  }

  /** The same with another limit. */
  public Window<T> withMostKeys(int most) {
    return withKeys(WindowKeys.of(most));
  }

  /** The same with room for other keys. */
  public Window<T> withKeys(WindowKeys next) {
    return new Window<>(tokens, gapNs, sizeNs, slideNs, timeNs, delayNs, next, silence, isMark);
  }

  /** The same where something else becomes of time while no token says it. */
  public Window<T> whenSilent(Silence next) {
    return new Window<>(tokens, gapNs, sizeNs, slideNs, timeNs, delayNs, keys, next, isMark);
  }

  /**
   * The same where some tokens only tell the time, as {@link #at} reads it: windows end by them on
   * workers to which no others come.
   */
  public Window<T> withMarks(Predicate<? super T> next) {
    return new Window<>(tokens, gapNs, sizeNs, slideNs, timeNs, delayNs, keys, silence, next);
  }

  /** How often others are told how far a worker is. */
  long stepNs() {
    return isSession() ? gapNs : slideNs;
  }

  /**
   * The latest time that a token may say, and, negative, the earliest: so far from what a {@code
   * long} has that neither a delay nor the ends of its windows overflow.
   */
  long mostNs() {
    double marginNs = (double) delayNs + 2 * ((double) sizeNs + gapNs);
    return Long.MAX_VALUE - (long) Math.min(marginNs + 1, Long.MAX_VALUE / 2.0);
  }

  boolean isSession() {
    return gapNs != 0;
  }

  List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (isSession()) {
      addSessionProblems(problems);
    } else if (sizeNs == 0 && slideNs == 0) {
      addCountProblems(problems);
    } else {
      addTimeProblems(problems);
    }
    if (delayNs < 0) {
      problems.add("bad delay: delayNs=" + delayNs + "; write 0 or more");
    }
    if (isMark != null && timeNs == null) {
      problems.add("marks tell no time: add at(…), or leave out withMarks(…)");
    }
    if (keys.least() < 1) {
      problems.add("bad limit: keys=" + keys + "; write 1 or more");
    }
    return problems;
  }

  private void addSessionProblems(List<String> problems) {
    refuseKeys(problems);
    if (gapNs < 0) {
      problems.add("bad session: gapNs=" + gapNs + "; write 1 or more");
    } else if (delayNs / gapNs > MOST_OVERLAPPING) {
      problems.add(
          "too many sessions of a key at a time: gapNs=%d, delayNs=%d; allow a delay of %d gaps, or less"
              .formatted(gapNs, delayNs, MOST_OVERLAPPING));
    }
  }

  private void refuseKeys(List<String> problems) {
    if (!keys.equals(WindowKeys.of(keys.most()))) {
      problems.add(
          "keys with room of their own, or a rest: keys=%s; only windows of time have those"
              .formatted(keys));
    }
  }

  private void addCountProblems(List<String> problems) {
    refuseKeys(problems);
    if (tokens < 1) {
      problems.add(
          "window of nothing: tokens=%d, gapNs=0; write 1 or more of either".formatted(tokens));
    }
    if (timeNs != null) {
      problems.add(
          "window of tokens has a time: tokens=" + tokens + "; leave out at(…), or give it a size");
    }
  }

  private void addTimeProblems(List<String> problems) {
    if (sizeNs < 1 || slideNs < 1 || slideNs > sizeNs) {
      problems.add(
          "bad window: sizeNs=%d, slideNs=%d; a slide is as long as the size, or shorter"
              .formatted(sizeNs, slideNs));
    } else if (sizeNs / slideNs > MOST_OVERLAPPING) {
      problems.add(
          "too many windows at a time: sizeNs=%d, slideNs=%d; slide by a %dth of the size or more"
              .formatted(sizeNs, slideNs, MOST_OVERLAPPING));
    }
  }
}
