package io.linerate.bench.stream;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.Sample;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Two contestants that are one: both run at the same time, and what they do counts together.
 * Arguments: the command of the first, {@link #AND}, that of the second.
 */
public final class TwoPrograms {
  static final String AND = "--and";
  private static final String MEASURE = "measure ";

  private TwoPrograms() {}

  public static void main(String[] arguments) throws IOException {
    List<String> words = List.of(arguments);
    int and = words.indexOf(AND);
    try (Contestant first = Contestant.start(words.subList(0, and));
        Contestant second = Contestant.start(words.subList(and + 1, words.size()));
        var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println("ready");
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        int ms = Integer.parseInt(line.substring(MEASURE.length()));
        var other = CompletableFuture.supplyAsync(() -> second.measure(ms));
        System.out.println(together(first.measure(ms), other.join()));
      }
    }
  }

  private static Sample together(Sample one, Sample other) {
    return new Sample(
        Math.max(one.durationNs(), other.durationNs()),
        one.received() + other.received(),
        one.sent() + other.sent(),
        one.dropped() + other.dropped(),
        one.heapBytes() + other.heapBytes());
  }
}
