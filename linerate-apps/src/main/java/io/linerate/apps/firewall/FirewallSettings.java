package io.linerate.apps.firewall;

import io.linerate.apps.ConnectionSettings;
import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.firewall.Tracking;
import io.linerate.track.OrderedBytes;
import io.linerate.track.TrackSettings;
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

  /** Pages of 2 KiB in which each worker keeps the first bytes of connections, to read names. */
  public static final Setting<Integer> NAME_PAGES =
      Setting.number(
          "name_pages", 4_096, OrderedBytes.MIN_PAGES, OrderedBytes.MAX_PAGES, ", of each worker");

  private static Optional<Path> path(ConfigEntry entry) {
    try {
      return Optional.of(entry.value()).filter(path -> !path.isEmpty()).map(Path::of);
    } catch (InvalidPathException e) {
      throw entry.error("wrong value", "the path of a rules file is allowed");
    }
  }

  /** Of connections, where rules ask for it. */
  public static Optional<Tracking> tracking(EngineConfig engine, RuleBook book) {
    return book.needs().connections()
        ? Optional.of(
            new Tracking(
                engine.get(ConnectionSettings.CONNECTIONS),
                ConnectionSettings.tracking(engine, TrackSettings.DEFAULT),
                book.needs().names() ? engine.get(NAME_PAGES) : 0))
        : Optional.empty();
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(RULES, NAME_PAGES);
  }
}
