package io.linerate.bench.warmup;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate over an interval.
 *
 * @param endMs end of the interval, since the process was started
 * @param mpps packets received in it
 * @param waitedMs time in it for which the worker's thread was ready to run and had no CPU
 */
record RatePoint(double endMs, double mpps, double waitedMs) {
  private static final Pattern LINE =
      Pattern.compile("linerate: ([0-9.]+) s: .* ([0-9]+\\.[0-9]+) Mpps");

  /**
   * What the program says of itself.
   *
   * @param runningS since its engine started
   */
  record Statement(double runningS, double mpps) {
    /** Reads a line that a program with {@code --stats} prints; empty for any other line. */
    static Optional<Statement> parse(String line) {
      Matcher found = LINE.matcher(line);
      return found.find()
          ? Optional.of(
              new Statement(Double.parseDouble(found.group(1)), Double.parseDouble(found.group(2))))
          : Optional.empty();
    }
  }
}
