package io.linerate.driver.ring;

import java.util.function.Consumer;

/** The lines of one traced port, at most so many a second. Safe for use by several threads. */
final class TraceLog {
  private static final long SECOND_NS = 1_000_000_000;

  private final String portName;
  private final int linesPerSecond;
  private final Consumer<String> lines;
  private long secondStartNs = System.nanoTime();
  private int printed;
  private long notShown;

  /**
   * @param linesPerSecond 0 for no limit
   */
  TraceLog(String portName, int linesPerSecond, Consumer<String> lines) {
    this.portName = portName;
    this.linesPerSecond = linesPerSecond;
    this.lines = lines;
  }

  String portName() {
    return portName;
  }

  /** Lines of {@code wanted} that may be printed now. */
  synchronized int allowed(int wanted) {
    if (linesPerSecond == 0) {
      return wanted;
    }
    long now = System.nanoTime();
    if (now - secondStartNs >= SECOND_NS) {
      secondStartNs = now;
      printed = 0;
      printNotShown();
    }
    return Math.clamp(linesPerSecond - (long) printed, 0, wanted);
  }

  synchronized void print(String line) {
    printed++;
    lines.accept(line);
  }

  /** Counts packets without a line. */
  synchronized void skip(int packets) {
    notShown += packets;
  }

  synchronized void printNotShown() {
    if (notShown > 0) {
      lines.accept(
          "trace: more packets than rate allows: port="
              + portName
              + ", notShown="
              + notShown
              + ", rate="
              + linesPerSecond);
      notShown = 0;
    }
  }
}
