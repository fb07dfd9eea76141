package io.linerate.bench.calls;

import io.linerate.bench.suite.Spread;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A few seconds of one policy under one load.
 *
 * @param kpps thousands of packets that were forwarded in a second
 * @param callsPerPacket system calls for each packet that was sent
 * @param p50Us half of them were forwarded within this time; most of it is the kernel's
 * @param missing share of the timed packets that did not come back
 */
record CallRun(double kpps, double callsPerPacket, double p50Us, double p99Us, double missing) {
  /**
   * Reads the answers of the programs.
   *
   * @param before packets, calls and time of the forwarder, when the generator began
   * @param after when it ended
   * @param meter packets sent and received, and times in microseconds
   */
  static CallRun of(String before, String after, String meter) {
    String[] first = before.split(" ", -1);
    String[] last = after.split(" ", -1);
    String[] words = meter.strip().split(" ", -1);
    double sent = Double.parseDouble(words[0]);
    double received = Double.parseDouble(words[1]);
    double packets = number(last, 0) - number(first, 0);
    return new CallRun(
        packets * 1e6 / (number(last, 2) - number(first, 2)),
        packets == 0 ? 0 : (number(last, 1) - number(first, 1)) / packets,
        Double.parseDouble(words[2]),
        Double.parseDouble(words[3]),
        sent == 0 ? 0 : Math.max(0, 1 - received / sent));
  }

  private static double number(String[] words, int index) {
    return Double.parseDouble(words[index]);
  }

  static Spread spread(List<CallRun> runs, ToDoubleFunction<CallRun> figure) {
    return new Spread(runs.stream().mapToDouble(figure).toArray());
  }
}
