package io.linerate.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How far apart two tokens of one key may be that are joined: by when they come, or by a time that
 * they say.
 *
 * @param <T> class of the tokens of one side
 * @param <U> class of the tokens of the other
 * @param withinNs how far apart they are at most
 * @param timeNs what time a token of one side says, in ns since 1970; null: when it comes
 * @param otherTimeNs the same of the other side
 * @param delayNs how much earlier a token's time may be than the latest that was seen
 * @param mostTokens that are kept of each side, on each worker; when there are more, the new one is
 *     joined with those that are there, and dropped as {@code queue_full}
 */
public record JoinWindow<T, U>(
    long withinNs,
    @Nullable ToLongFunction<? super T> timeNs,
    @Nullable ToLongFunction<? super U> otherTimeNs,
    long delayNs,
    int mostTokens) {
  private static final int MOST_TOKENS = 1 << 20;
  private static final int MAX_TOKENS = 1 << 28;

  /** Tokens of which the second comes so long after the first at most. */
  public static <T, U> JoinWindow<T, U> within(Duration time) {
    return new JoinWindow<>(time.toNanos(), null, null, 0, MOST_TOKENS);
  }

  /**
   * The same by the times that tokens say, in ns since 1970.
   *
   * @param time of a token of one side
   * @param otherTime of a token of the other
   * @param delay how much earlier it may be than the latest that was seen of either side: what is
   *     earlier still is late
   */
  public JoinWindow<T, U> at(
      ToLongFunction<? super T> time, ToLongFunction<? super U> otherTime, Duration delay) {
    return new JoinWindow<>(withinNs, time, otherTime, delay.toNanos(), mostTokens);
  }

  /** The same with another limit. */
  public JoinWindow<T, U> withMostTokens(int most) {
    return new JoinWindow<>(withinNs, timeNs, otherTimeNs, delayNs, most);
  }

  List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (withinNs < 0) {
      problems.add("bad time: withinNs=" + withinNs + "; write 0 or more");
    }
    if ((timeNs == null) != (otherTimeNs == null)) {
      problems.add("tokens of one side alone say a time; give both, or none");
    }
    if (delayNs < 0) {
      problems.add("bad delay: delayNs=" + delayNs + "; write 0 or more");
    }
    if (mostTokens < 1 || mostTokens > MAX_TOKENS) {
      problems.add("bad limit: mostTokens=%d; write 1 to %d".formatted(mostTokens, MAX_TOKENS));
    }
    return problems;
  }
}
