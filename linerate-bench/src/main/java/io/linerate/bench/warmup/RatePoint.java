package io.linerate.bench.warmup;

import java.util.Map;
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
      Pattern.compile("linerate: ([0-9.]+) s: .* ([0-9.]+) ([kMG]?)pps");

  /** Millions that a prefix of {@code RateText} stands for. */
  private static final Map<String, Double> MILLIONS =
      Map.of("", 1e-6, "k", 1e-3, "M", 1.0, "G", 1e3);

  /**
   * What the program says of itself.
   *
   * @param runningS since its engine started
   */
  record Statement(double runningS, double mpps) {
    /** Reads a line that a program with {@code --stats} prints; empty for any other line. */
    static Optional<Statement> parse(String line) {
      Matcher found = LINE.matcher(line);
      if (!found.find()) {
        return Optional.empty();
      }
      double millions = MILLIONS.getOrDefault(found.group(3), 1.0);
      return Optional.of(
          new Statement(
              Double.parseDouble(found.group(1)), Double.parseDouble(found.group(2)) * millions));
    }
  }
}
