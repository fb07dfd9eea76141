package io.linerate.core.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * All settings that this program can have: the engine's, and those of each {@link SettingsOwner}.
 */
final class KnownSettings {
  private final List<Setting<?>> inOrder = new ArrayList<>(EngineConfig.SETTINGS);
  private final Map<String, Setting<?>> byName = new LinkedHashMap<>();
  private boolean hasListed;

  /**
   * @throws IllegalStateException if two owners have settings of one name
   */
  KnownSettings() {
    inOrder.addAll(Configuration.SETTINGS);
    ServiceLoader.load(SettingsOwner.class).forEach(owner -> inOrder.addAll(owner.settings()));
    for (Setting<?> setting : inOrder) {
      setting
          .names()
          .filter(name -> byName.put(name, setting) != null)
          .forEach(name -> {
            throw new IllegalStateException(
                "two settings have one name: name=" + name + "; rename one");
          });
    }
  }

  /** In the order in which they are applied: the number of workers is known before their CPUs. */
  List<Setting<?>> inOrder() {
    return inOrder;
  }

  boolean has(String name) {
    return byName.containsKey(name);
  }

  /**
   * The setting that an entry is about. An error lists all that there are, but once only.
   *
   * @throws ConfigException if there is none
   */
  Setting<?> of(ConfigEntry entry) {
    Setting<?> setting = byName.get(entry.key());
    if (setting != null) {
      return setting;
    }
    List<String> keys = inOrder.stream().map(Setting::key).toList();
    throw entry.error(
        "unknown key",
        NearestWord.to(entry.key(), keys)
            .map(near -> "did you mean " + near + "?")
            .orElseGet(() -> list(keys)));
  }

  private String list(List<String> keys) {
    String list = hasListed ? "use one of those above" : "there are " + String.join(", ", keys);
    hasListed = true;
    return list;
  }
}
