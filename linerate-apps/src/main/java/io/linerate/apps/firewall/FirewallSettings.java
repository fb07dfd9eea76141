package io.linerate.apps.firewall;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
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

  private static Optional<Path> path(ConfigEntry entry) {
    try {
      return Optional.of(entry.value()).filter(path -> !path.isEmpty()).map(Path::of);
    } catch (InvalidPathException e) {
      throw entry.error("wrong value", "the path of a rules file is allowed");
    }
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(RULES);
  }
}
