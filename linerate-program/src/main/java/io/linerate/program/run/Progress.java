package io.linerate.program.run;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Says on a terminal how far long work is, five times a second, in a line that goes away when it is
 * done. Elsewhere it says nothing.
 */
public final class Progress implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final int BAR = 24;
  private static final double NS_PER_S = 1e9;
  private static final int MINUTE_S = 60;

  /** What is done sooner needs no bar. */
  private static final Duration SOON = Duration.ofMillis(500);

  private final Console console;
  private final Supplier<String> line;
  private final Thread thread;

  private Progress(Console console, Supplier<String> line) {
    this.console = console;
    this.line = line;
    thread = Thread.ofPlatform().daemon().name("progress").unstarted(this::show);
  }

  /**
   * Begins to say it, until it is closed.
   *
   * @param line as it is now; "" if it cannot be told. Called by a thread of its own
   */
  public static Progress start(Console console, Supplier<String> line) {
    Progress progress = new Progress(console, line);
    if (console.isTerminal()) {
      progress.thread.start();
    }
    return progress;
  }

  private void show() {
    try {
      Thread.sleep(SOON);
      while (true) {
        console.status(line.get());
        Thread.sleep(INTERVAL);
      }
    } catch (InterruptedException e) {
      console.status("");
    }
  }

  /**
   * A bar, how much is done, and how long the rest takes if it goes on like that.
   *
   * @param part that is done: 0 to 1; NaN: "" is returned
   */
  public static String bar(double part, long elapsedNs) {
    if (Double.isNaN(part)) {
      return "";
    }
    double done = Math.clamp(part, 0, 1);
    return bar(done, done > 0 ? elapsedNs / NS_PER_S * (1 - done) / done : Double.NaN);
  }

  /**
   * The same where it is known how long the rest takes.
   *
   * @param part that is done: 0 to 1
   * @param leftS seconds; NaN: not known
   */
  public static String bar(double part, double leftS) {
    double done = Math.clamp(part, 0, 1);
    int full = (int) (BAR * done);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3.0f %%%s",
        "#".repeat(full),
        ".".repeat(BAR - full),
        Math.floor(100 * done),
        Double.isNaN(leftS) ? "" : ", " + seconds(leftS) + " left");
  }

  /** Seconds up to a minute, then minutes with two digits of seconds. */
  private static String seconds(double seconds) {
    long whole = (long) Math.ceil(seconds);
    return whole < MINUTE_S
        ? whole + " s"
        : String.format(Locale.ROOT, "%d:%02d min", whole / MINUTE_S, whole % MINUTE_S);
  }

  @Override
  public void close() {
    if (thread.isAlive()) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
