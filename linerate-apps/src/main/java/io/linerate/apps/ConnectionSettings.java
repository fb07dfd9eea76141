package io.linerate.apps;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.DurationText;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.EnumText;
import io.linerate.core.config.Setting;
import io.linerate.track.ConnectionTable;
import io.linerate.track.Phase;
import io.linerate.track.TrackSettings;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What can be configured of the connections that middleboxes know. */
public final class ConnectionSettings {
  /** Connections that each worker knows at most. */
  public static final Setting<Integer> CONNECTIONS =
      Setting.number(
          "connections",
          65_536,
          ConnectionTable.MIN_CAPACITY,
          ConnectionTable.MAX_CAPACITY,
          ", of each worker");

  /** How long connections are kept without packets, by phase; others as by default. */
  public static final Setting<Map<Phase, Duration>> TIMEOUTS =
      Setting.of("timeouts", Map.of(), ConnectionSettings::timeouts, ConnectionSettings::text);

  private ConnectionSettings() {}

  private static Map<Phase, Duration> timeouts(ConfigEntry entry) {
    Map<Phase, Duration> timeouts = new EnumMap<>(Phase.class);
    for (String part : entry.value().split("[;,\\s]+", -1)) {
      String[] words = part.split("=", 2);
      Phase phase =
          EnumText.read(words[0], Phase.class)
              .orElseThrow(() ->
                  entry.error(
                      "no such phase (" + words[0] + ")",
                      "use one of " + EnumText.all(Phase.class)));
      if (timeouts.put(phase, timeout(entry, phase, words)) != null) {
        throw entry.error("phase stands twice (" + words[0] + ")", "write it once");
      }
    }
    return timeouts;
  }

  private static Duration timeout(ConfigEntry entry, Phase phase, String[] words) {
    try {
      Duration time = DurationText.parse(words.length == 1 ? "" : words[1]);
      TrackSettings _ = TrackSettings.DEFAULT.withTimeout(phase, time);
      return time;
    } catch (ConfigException | IllegalArgumentException e) {
      throw entry.error(
          "not a time-out (" + String.join("=", words) + ")",
          "1s to %dh are allowed, such as %s=30m"
              .formatted(TrackSettings.MAX_TIMEOUT.toHours(), words[0]));
    }
  }

  private static String text(Map<Phase, Duration> timeouts) {
    return timeouts.entrySet().stream()
        .map(entry -> EnumText.of(entry.getKey()) + "=" + entry.getValue().toMillis() + "ms")
        .collect(Collectors.joining(","));
  }

  /**
   * How connections are tracked.
   *
   * @param usual what holds where nobody says anything
   */
  public static TrackSettings tracking(EngineConfig engine, TrackSettings usual) {
    TrackSettings settings = usual;
    for (Map.Entry<Phase, Duration> entry : engine.get(TIMEOUTS).entrySet()) {
      settings = settings.withTimeout(entry.getKey(), entry.getValue());
    }
    return settings;
  }
}
