package io.linerate.apps.firewall;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.DurationText;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.EnumText;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.track.ConnectionTable;
import io.linerate.track.Phase;
import io.linerate.track.TrackSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What can be configured of the firewall, beside the engine. */
public final class FirewallSettings implements SettingsOwner {
  /** The rules file, relative to the current directory. */
  public static final Setting<Optional<Path>> RULES =
      Setting.of(
          "rules",
          Optional.empty(),
          FirewallSettings::path,
          file -> file.map(Path::toString).orElse(""));

  /** Connections that each worker knows at most, where rules ask for their states. */
  public static final Setting<Integer> CONNECTIONS =
      Setting.number(
          "connections",
          65_536,
          ConnectionTable.MIN_CAPACITY,
          ConnectionTable.MAX_CAPACITY,
          ", of each worker");

  /** How long connections are kept without packets, by phase; others as by default. */
  public static final Setting<Map<Phase, Duration>> TIMEOUTS =
      Setting.of("timeouts", Map.of(), FirewallSettings::timeouts, FirewallSettings::text);

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

  /** How connections are tracked. */
  static TrackSettings tracking(EngineConfig engine) {
    TrackSettings settings = TrackSettings.DEFAULT;
    for (Map.Entry<Phase, Duration> entry : engine.get(TIMEOUTS).entrySet()) {
      settings = settings.withTimeout(entry.getKey(), entry.getValue());
    }
    return settings;
  }

  private static Optional<Path> path(ConfigEntry entry) {
    try {
      return Optional.of(entry.value()).filter(path -> !path.isEmpty()).map(Path::of);
    } catch (InvalidPathException e) {
      throw entry.error("wrong value", "the path of a rules file is allowed");
    }
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(RULES, CONNECTIONS, TIMEOUTS);
  }
}
