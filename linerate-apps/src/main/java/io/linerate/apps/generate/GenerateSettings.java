package io.linerate.apps.generate;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.NumberText;
import io.linerate.core.config.PathText;
import io.linerate.core.config.PropertyLines;
import io.linerate.program.run.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * What the user asked for: the keys of a properties file, changed by options.
 *
 * @param address of the port to send to
 * @param returnAddress of the port where packets come back, or null
 */
record GenerateSettings(
    TrafficPlan plan,
    String address,
    @Nullable String returnAddress,
    EngineConfig engine,
    Optional<Duration> stats,
    boolean isJson) {
  /** Keys that are not of a stream. */
  static final List<String> RUN_KEYS =
      List.of("port", "receive", "packets", "duration", "stats", "json", "plan");

  /**
   * Reads options, and the file that they name.
   *
   * @throws ConfigException for what is wrong
   */
  static GenerateSettings of(ParseResult options) {
    Map<String, String> values = new LinkedHashMap<>();
    List<String> engineKeys = new ArrayList<>();
    String file = options.matchedOptionValue("--config", null);
    if (file != null) {
      readFile(PathText.parse(file), values, engineKeys);
    }
    Stream.concat(RUN_KEYS.stream(), StreamText.KEYS.stream())
        .forEach(key -> option(options, key, values));
    engineKeys.addAll(Options.overrides(options));
    Configuration configuration = Configuration.of(engineKeys, Generator.CONFIG);
    if (!configuration.ports().isEmpty()) {
      throw new ConfigException("generate has no ports=: use port=ADDRESS");
    }
    return of(values, configuration);
  }

  private static void option(ParseResult options, String key, Map<String, String> values) {
    Object value = options.matchedOptionValue("--" + key, (Object) null);
    if (value != null) {
      values.put(key, value.toString());
    }
  }

  private static void readFile(Path file, Map<String, String> values, List<String> engineKeys) {
    for (ConfigEntry entry : PropertyLines.read(file)) {
      if (RUN_KEYS.contains(entry.key()) || StreamText.KEYS.contains(entry.key())) {
        values.put(entry.key(), entry.value());
      } else {
        engineKeys.add(entry.key() + "=" + entry.value());
      }
    }
  }

  private static GenerateSettings of(Map<String, String> values, Configuration configuration) {
    String address = values.get("port");
    if (address == null) {
      throw new ConfigException("no port to send to; write --port ADDRESS, such as pcap:tx=FILE");
    }
    String returnAddress = values.get("receive");
    Optional<Duration> stats = duration(values, "stats");
    Optional<Duration> duration = duration(values, "duration").or(configuration::duration);
    long packets = packets(values);
    String plan = values.get("plan");
    Map<String, String> stream = new LinkedHashMap<>(values);
    stream.keySet().retainAll(StreamText.KEYS);
    return new GenerateSettings(
        plan == null
            ? TrafficPlan.of(stream(stream, returnAddress != null), duration, packets)
            : plan(PathText.parse(plan), stream, returnAddress != null, duration, packets),
        address,
        returnAddress,
        Generator.withRoom(configuration.engine()),
        stats,
        Boolean.parseBoolean(values.get("json")));
  }

  private static TrafficStream stream(Map<String, String> values, boolean isReceived) {
    if (isReceived) {
      values.put("sequence", "true");
      values.put("timestamps", "true");
    }
    return StreamText.read("main", values);
  }

  private static TrafficPlan plan(
      Path file,
      Map<String, String> stream,
      boolean isReceived,
      Optional<Duration> duration,
      long packets) {
    if (!stream.isEmpty() || packets < Long.MAX_VALUE) {
      String key = stream.isEmpty() ? "packets" : stream.keySet().iterator().next();
      throw new ConfigException(
          "a plan says what its streams are: plan=" + file + "; move " + key + " into it");
    }
    TrafficPlan plan =
        PlanFile.read(file, text -> isReceived ? text + " sequence=true timestamps=true" : text);
    duration.ifPresent(plan::cut);
    return plan;
  }

  private static long packets(Map<String, String> values) {
    String text = values.get("packets");
    if (text == null) {
      return Long.MAX_VALUE;
    }
    return NumberText.read(text, 1, Long.MAX_VALUE)
        .orElseThrow(() -> ValueRange.wrong("packets", text, "write a whole number above 0"));
  }

  private static Optional<Duration> duration(Map<String, String> values, String key) {
    return Optional.ofNullable(values.get(key)).map(text -> Options.duration(key, text));
  }
}
