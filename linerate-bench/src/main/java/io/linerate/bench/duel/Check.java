package io.linerate.bench.duel;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.bench.suite.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lets every contestant of a match work on the same file of frames and compares what came of it:
 * how many packets were received, sent and dropped, the counts of the application, and every byte
 * that was sent, in order.
 */
final class Check {
  private static final int PAUSE_MS = 20;
  private static final int TRIES = 500;

  private final Match match;
  private final Session session;
  private final int frames;

  private Check(Match match, Session session, int frames) {
    this.match = match;
    this.session = session;
    this.frames = frames;
  }

  /**
   * Runs it.
   *
   * @return what all did
   * @throws IllegalStateException if they did not do the same
   */
  static String run(Match match, Session session, List<byte[]> frames) {
    Path file = PcapFrames.write(session.folder().resolve("check.pcap"), frames);
    return new Check(match.with(Feed.once(file)), session, frames.size()).run();
  }

  private String run() {
    Map<String, String> outcomes = new TreeMap<>();
    try (Ring ring = Ring.open(match, session)) {
      ring.contestants()
          .forEach((name, contestant) -> outcomes.put(name, outcome(name, contestant)));
    }
    if (outcomes.values().stream().distinct().count() != 1) {
      throw new IllegalStateException(
          "contestants did not do the same: case=" + match.caseName() + ", did=" + outcomes);
    }
    return outcomes.values().iterator().next();
  }

  private String outcome(String name, Contestant contestant) {
    contestant.resume();
    awaitFrames(contestant);
    JsonObject summary = summary(contestant.finish());
    List<String> parts = new ArrayList<>();
    parts.add("received=" + summary.get("received").getAsLong());
    parts.add("sent=" + summary.get("sent").getAsLong());
    parts.add("dropped=" + total(summary.get("dropped")));
    if (match.rules().isEmpty()) {
      parts.add("sizes=" + numbers(summary.get("bySize")));
      parts.add("protocols=" + protocols(summary));
    } else {
      parts.add("hits=" + hits(summary));
      parts.add(PcapFrames.digest(session.folder().resolve(name).resolve(Feed.SINK)));
    }
    return String.join(", ", parts);
  }

  private void awaitFrames(Contestant contestant) {
    for (int i = 0; i < TRIES; i++) {
      if (contestant.counts().received() >= frames) {
        return;
      }
      try {
        Thread.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
    throw new IllegalStateException(
        "frames did not come: case=" + match.caseName() + ", wanted=" + frames);
  }

  private static JsonObject summary(String printed) {
    int start = printed.indexOf('{');
    if (start < 0) {
      throw new IllegalStateException("contestant printed no summary: printed=" + printed);
    }
    return JsonParser.parseString(printed.substring(start)).getAsJsonObject();
  }

  /** Linerate counts drops by reason, the twin does not. */
  private static long total(JsonElement dropped) {
    return dropped.isJsonObject()
        ? dropped.getAsJsonObject().asMap().values().stream()
            .mapToLong(JsonElement::getAsLong)
            .sum()
        : dropped.getAsLong();
  }

  private static List<Long> numbers(JsonElement counts) {
    return counts.isJsonArray()
        ? counts.getAsJsonArray().asList().stream().map(JsonElement::getAsLong).toList()
        : counts.getAsJsonObject().asMap().values().stream().map(JsonElement::getAsLong).toList();
  }

  private static List<Long> protocols(JsonObject summary) {
    JsonObject counts = summary.has("byProtocol") ? summary.getAsJsonObject("byProtocol") : summary;
    return List.of("tcp", "udp", "icmp").stream()
        .map(name -> counts.has(name) ? counts.get(name).getAsLong() : 0L)
        .toList();
  }

  /** How often each rule decided: many numbers, so a digest of them. */
  private static int hits(JsonObject summary) {
    if (summary.has("hits")) {
      return numbers(summary.get("hits")).hashCode();
    }
    List<Long> hits = new ArrayList<>();
    if (!summary.has("rules")) {
      return hits.hashCode();
    }
    for (JsonElement rule : summary.getAsJsonArray("rules")) {
      String text = rule.getAsJsonObject().get("rule").getAsString();
      if (!text.startsWith("default") && !text.startsWith("nonip")) {
        hits.add(rule.getAsJsonObject().get("hits").getAsLong());
      }
    }
    return hits.hashCode();
  }
}
