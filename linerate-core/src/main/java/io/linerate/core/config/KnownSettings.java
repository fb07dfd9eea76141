package io.linerate.core.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All settings that a program can have: the engine's, and those of each {@link SettingsOwner} that
 * is this program, or none.
 */
final class KnownSettings {
  private final String program;
  private final List<Setting<?>> inOrder = new ArrayList<>(EngineConfig.SETTINGS);
  private final Map<String, Setting<?>> byName = new LinkedHashMap<>();
  private boolean hasListed;

  /** Programs by what they can have and this one cannot. */
  private final Map<String, Set<String>> others = new TreeMap<>();

  /**
   * @throws IllegalStateException if two owners have settings of one name
   */
  KnownSettings(String program) {
    this.program = program;
    inOrder.addAll(Configuration.SETTINGS);
    ServiceLoader.load(SettingsOwner.class).forEach(this::add);
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

  private void add(SettingsOwner owner) {
    if (owner.program().isEmpty() || owner.program().equals(program)) {
      inOrder.addAll(owner.settings());
      return;
    }
    owner.settings().stream()
        .flatMap(Setting::names)
        .forEach(name -> others.computeIfAbsent(name, _ -> new TreeSet<>()).add(owner.program()));
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
    Set<String> programs = others.getOrDefault(entry.key(), Set.of());
    if (!programs.isEmpty()) {
      throw entry.error(
          "not a setting of " + program,
          String.join(", ", programs).replaceFirst(", ([^,]+)$", " and $1")
              + (programs.size() == 1 ? " has it" : " have it"));
    }
    List<String> keys = inOrder.stream().map(Setting::key).toList();
    throw entry.error(
        "unknown key",
        NearestWord.to(entry.key(), keys)
            .map(near -> "did you mean " + near + "?")
            .orElseGet(() -> list(keys)));
  }

  /** Once, whatever else is wrong. */
  private String list(List<String> keys) {
    String list = hasListed ? "use one of those above" : "there are " + String.join(", ", keys);
    hasListed = true;
    return list;
  }
}
