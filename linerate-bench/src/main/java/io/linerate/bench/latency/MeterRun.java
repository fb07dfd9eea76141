package io.linerate.bench.latency;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the meter tells of one run.
 *
 * @param sent frames that the ring took
 * @param received frames that came back
 * @param wrong frames that came back in another order, or changed
 * @param durationNs of the sending
 * @param worstNs the longest delay
 * @param pauseNs the longest time in which the meter itself did nothing: delays up to it may be its
 *     own
 * @param delaysNs of all frames that came back
 */
record MeterRun(
    long sent,
    long received,
    long wrong,
    long durationNs,
    long worstNs,
    long pauseNs,
    Histogram delaysNs) {
  private static final Pattern BLANK = Pattern.compile(" ");
  private static final int DIGITS = 3;

  /** Reads the answer to an order: see meter.c. */
  static MeterRun read(BufferedReader answers) throws IOException {
    long[] head = numbers(answers.readLine());
    if (head.length != 6) {
      throw new IllegalStateException("meter says something else: numbers=" + head.length);
    }
    Histogram delays = new Histogram(DIGITS);
    for (String line = answers.readLine(); !"end".equals(line); line = answers.readLine()) {
      long[] pair = numbers(line);
      delays.recordValueWithCount(pair[0], pair[1]);
    }
    return new MeterRun(head[0], head[1], head[2], head[3], head[4], head[5], delays);
  }

  private static long[] numbers(@Nullable String line) {
    if (line == null) {
      throw new IllegalStateException(
          "meter ended early: answer=none; its own message stands before this one");
    }
    return BLANK.splitAsStream(line).mapToLong(Long::parseLong).toArray();
  }

  /** Packets a second that came back. */
  double receivedPps() {
    return received * 1e9 / durationNs;
  }
}
