package io.linerate.apps.firewall;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.track.ConnectionTable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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

  private static Optional<Path> path(ConfigEntry entry) {
    try {
      return Optional.of(entry.value()).filter(path -> !path.isEmpty()).map(Path::of);
    } catch (InvalidPathException e) {
      throw entry.error("wrong value", "the path of a rules file is allowed");
    }
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(RULES, CONNECTIONS);
  }
}
