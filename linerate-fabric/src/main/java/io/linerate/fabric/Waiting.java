package io.linerate.fabric;

import java.time.Duration;

/**
 * How a thread waits for completions: for {@code spin} it looks without a pause, then it looks
 * again after other threads had their turn for {@code yield}, then it sleeps.
 *
 * <p>It sleeps on a file descriptor where the provider has one, and is woken by what comes; where
 * it has none (shm) it sleeps for 50 µs at a time, and after 10 ms for 200 µs. Two threads that
 * spin need two idle CPUs.
 *
 * @param spin how long it looks without a pause
 * @param yield how long it looks with {@link Thread#yield} in between
 * @param sleeps whether it sleeps then; otherwise it goes on as before
 */
public record Waiting(Duration spin, Duration yield, boolean sleeps) {
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  /** The shortest delays; a CPU is busy all the time. */
  public static final Waiting SPIN = new Waiting(FOREVER, Duration.ZERO, false);

  /** As fast where there are idle CPUs; otherwise others have their turns. */
  public static final Waiting YIELD = new Waiting(Duration.ZERO, FOREVER, false);

  /** No CPU while nothing comes, and the delay of a wake-up when something does. */
  public static final Waiting SLEEP = new Waiting(Duration.ZERO, Duration.ZERO, true);

  /** Between them, for most: spins for 20 µs, yields for 50 µs, then sleeps. */
  public static final Waiting ADAPTIVE =
      new Waiting(Duration.ofNanos(20_000), Duration.ofNanos(50_000), true);

  /**
   * One of these, by its name in small letters: {@code spin}, {@code yield}, {@code sleep}, {@code
   * adaptive}.
   *
   * @throws IllegalArgumentException if none has the name
   */
  public static Waiting named(String name) {
    return switch (name) {
      case "spin" -> SPIN;
      case "yield" -> YIELD;
      case "sleep" -> SLEEP;
      case "adaptive" -> ADAPTIVE;
      default ->
          throw new IllegalArgumentException(
              "no such waiting: name=%s; take spin, yield, sleep or adaptive".formatted(name));
    };
  }

  /** Nanoseconds of a time, the most there are where it has more. */
  static long nanos(Duration time) {
    try {
      return time.toNanos();
    } catch (ArithmeticException e) {
      return time.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  public Waiting {
    if (spin.isNegative() || yield.isNegative()) {
      throw new IllegalArgumentException(
          "a negative time to wait: spin=%s, yield=%s; take zero or more".formatted(spin, yield));
    }
  }
}
