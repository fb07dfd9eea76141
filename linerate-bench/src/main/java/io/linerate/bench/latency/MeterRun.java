package io.linerate.bench.latency;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
 * @param lateNs the longest time that a frame was sent after it was due
 * @param delaysNs of all frames that came back
 * @param stalls in their order
 * @param stolenMs that the hypervisor took of the forwarder's CPU, to 10 ms
 */
record MeterRun(
    long sent,
    long received,
    long wrong,
    long durationNs,
    long worstNs,
    long lateNs,
    Histogram delaysNs,
    List<Stall> stalls,
    long stolenMs) {
  private static final Pattern BLANK = Pattern.compile(" ");
  private static final int DIGITS = 3;

  MeterRun {
    stalls = List.copyOf(stalls);
  }

  /** Reads the answer to an order: see meter.c. */
  static MeterRun read(BufferedReader answers) throws IOException {
    long[] head = numbers(answers.readLine(), 6);
    Histogram delays = new Histogram(DIGITS);
    for (String line = answers.readLine(); !"stalls".equals(line); line = answers.readLine()) {
      long[] pair = numbers(line, 2);
      delays.recordValueWithCount(pair[0], pair[1]);
    }
    List<Stall> stalls = new ArrayList<>();
    for (String line = answers.readLine(); !"end".equals(line); line = answers.readLine()) {
      long[] one = numbers(line, 3);
      stalls.add(new Stall(one[0], one[1], one[2]));
    }
    return new MeterRun(head[0], head[1], head[2], head[3], head[4], head[5], delays, stalls, 0);
  }

  MeterRun withStolenMs(long ms) {
    return new MeterRun(sent, received, wrong, durationNs, worstNs, lateNs, delaysNs, stalls, ms);
  }

  private static long[] numbers(@Nullable String line, int count) {
    if (line == null) {
      throw new IllegalStateException(
          "meter ended early: answer=none; its own message stands before this one");
    }
    long[] numbers = BLANK.splitAsStream(line).mapToLong(Long::parseLong).toArray();
    if (numbers.length != count) {
      throw new IllegalStateException(
          "meter says something else: numbers=" + numbers.length + ", expected=" + count);
    }
    return numbers;
  }
}
