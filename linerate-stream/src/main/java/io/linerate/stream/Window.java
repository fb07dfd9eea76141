package io.linerate.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * @param mostKeys in one window, on each worker; tokens of more are dropped as {@code
 *     too_many_keys}
 * @param silence what becomes of time where no token says it
 */
public record Window<T>(
    int tokens,
    long gapNs,
    long sizeNs,
    long slideNs,
    @Nullable ToLongFunction<? super T> timeNs,
    long delayNs,
    int mostKeys,
    Silence silence) {
  private static final int MOST_KEYS = 1 << 20;
  private static final int MOST_OVERLAPPING = 1_000;

  /** So many tokens of each key. */
  public static <T> Window<T> count(int tokens) {
    return new Window<>(tokens, 0, 0, 0, null, 0, MOST_KEYS, Silence.LEAVE_OUT);
  }

  /**
   * Tokens of a key between which there is less than a gap: a session. It ends so long after its
   * last token.
   */
  public static <T> Window<T> session(Duration gap) {
    return new Window<>(0, gap.toNanos(), 0, 0, null, 0, MOST_KEYS, Silence.LEAVE_OUT);
  }

  /** One window after the other. */
  public static <T> Window<T> tumbling(Duration size) {
    return sliding(size, size);
  }

  /** Windows of which the next begins before the one before has ended. */
  public static <T> Window<T> sliding(Duration size, Duration slide) {
    return new Window<>(
        0, 0, size.toNanos(), slide.toNanos(), null, 0, MOST_KEYS, Silence.LEAVE_OUT);
  }

  /**
   * The same by the time that a token says.
   *
   * @param time in ns since 1970
   * @param delay how much earlier it may be than the latest that was seen
   */
  public Window<T> at(ToLongFunction<? super T> time, Duration delay) {
    return new Window<>(tokens, gapNs, sizeNs, slideNs, time, delay.toNanos(), mostKeys, silence);
  }

  /** The same with another limit. */
  public Window<T> withMostKeys(int most) {
    return new Window<>(tokens, gapNs, sizeNs, slideNs, timeNs, delayNs, most, silence);
  }

  /** The same where something else becomes of time while no token says it. */
  public Window<T> whenSilent(Silence next) {
    return new Window<>(tokens, gapNs, sizeNs, slideNs, timeNs, delayNs, mostKeys, next);
  }

  /** How often others are told how far a worker is. */
  long stepNs() {
    return isSession() ? gapNs : slideNs;
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
    if (mostKeys < 1) {
      problems.add("bad limit: mostKeys=" + mostKeys + "; write 1 or more");
    }
    return problems;
  }

  private void addSessionProblems(List<String> problems) {
    if (gapNs < 0) {
      problems.add("bad session: gapNs=" + gapNs + "; write 1 or more");
    } else if (delayNs / gapNs > MOST_OVERLAPPING) {
      problems.add(
          "too many sessions of a key at a time: gapNs=%d, delayNs=%d; allow a delay of %d gaps, or less"
              .formatted(gapNs, delayNs, MOST_OVERLAPPING));
    }
  }

  private void addCountProblems(List<String> problems) {
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
