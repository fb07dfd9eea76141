package io.linerate.apps.generate;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.DurationText;
import io.linerate.core.config.TextFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Reads a plan:
 *
 * <pre>
 *   stream NAME KEY=VALUE...    packets of one kind
 *   at TIME NAME RATE|off       from then on it has this rate
 *   at TIME end                 then all end
 *   # comment
 * </pre>
 */
final class PlanFile {
  private static final String FORMS =
      "a line is: stream NAME KEY=VALUE..., at TIME NAME RATE|off, or at TIME end";

  private final TrafficPlan plan = new TrafficPlan();
  private final Map<String, TrafficStream> streams = new LinkedHashMap<>();
  private final UnaryOperator<String> change;

  private PlanFile(UnaryOperator<String> change) {
    this.change = change;
  }

  /**
   * Reads a file.
   *
   * @param change what is done to the text of each stream before it is read
   * @throws ConfigException if it cannot be read, or for all that is wrong in it: a line each
   */
  static TrafficPlan read(Path path, UnaryOperator<String> change) {
    PlanFile file = new PlanFile(change);
    TextFile.statements(
        path.toString(),
        TextFile.read("plan file", path),
        (text, _) -> file.statement(text, text.split("\\s+", 3)));
    return file.plan;
  }

  private void statement(String text, String[] words) {
    switch (words[0]) {
      case "stream" -> stream(text, words);
      case "at" -> at(text, words);
      default -> throw wrong(text);
    }
  }

  private void stream(String text, String[] words) {
    if (words.length < 2 || !words[1].matches("[A-Za-z0-9_.-]+")) {
      throw wrong(text);
    }
    String settings = words.length == 2 ? "" : words[2];
    TrafficStream stream = TrafficStream.of(words[1], change.apply(settings));
    if (streams.putIfAbsent(words[1], stream) != null) {
      throw new ConfigException("stream stands twice: stream=" + words[1] + "; name another");
    }
  }

  private void at(String text, String[] words) {
    if (words.length < 3) {
      throw wrong(text);
    }
    Duration time =
        words[1].matches("0(us|ms|s|m|h)?") ? Duration.ZERO : DurationText.parse(words[1]);
    if (words[2].equals("end")) {
      plan.end(time);
      return;
    }
    String[] what = words[2].split("\\s+", -1);
    TrafficStream stream = streams.get(what[0]);
    if (stream == null || what.length != 2) {
      throw new ConfigException(
          "not a step of a plan: line=" + text + "; write a stream of a line before, and its rate");
    }
    plan.at(time, stream, what[1]);
  }

  private static ConfigException wrong(String text) {
    return new ConfigException("not a line of a plan: line=" + text + "; " + FORMS);
  }
}
