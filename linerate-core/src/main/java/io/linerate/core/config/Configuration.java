package io.linerate.core.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the user configured: the entries of a properties file, changed by overrides {@code
 * key=value}. Everything is checked when it is read; an error names the file and the line, or
 * {@code --set}.
 *
 * <p>The keys are those of {@link EngineConfig}, {@code ports} and {@code duration}, and those of
 * each {@link SettingsOwner} that is the program, or a driver.
 */
public final class Configuration {
  private static final Setting<List<NamedAddress>> PORTS =
      Setting.of("ports", List.of(), PortList::parse, PortList::text);

  private static final Setting<Optional<Duration>> DURATION =
      Setting.of("duration", Optional.empty(), Configuration::duration, String::valueOf);

  static final List<Setting<?>> SETTINGS = List.of(PORTS, DURATION);

  /** What lines begin with in rules of a firewall, which properties files never do. */
  private static final Set<String> RULE_WORDS = Set.of("pass", "drop", "reject", "set", "nonip");

  private final KnownSettings known;
  private final Map<String, ConfigEntry> entries = new HashMap<>();
  private final List<String> errors = new ArrayList<>();
  private EngineConfig engine;

  private Configuration(EngineConfig defaults) {
    known = new KnownSettings(defaults.programName());
    engine = defaults;
  }

  /**
   * Reads a file, then overrides.
   *
   * @param defaults settings that neither names, with the name of the program, which says whose
   *     settings there are
   * @throws ConfigException if the file cannot be read, or for all that is wrong in it: a line each
   */
  public static Configuration read(Path file, List<String> overrides, EngineConfig defaults) {
    Configuration configuration = new Configuration(defaults);
    configuration.addFile(file.toString(), TextFile.read("configuration file", file));
    return configuration.complete(overrides);
  }

  /**
   * Reads overrides only.
   *
   * @throws ConfigException for all that is wrong in them: a line each
   */
  public static Configuration of(List<String> overrides, EngineConfig defaults) {
    return new Configuration(defaults).complete(overrides);
  }

  private Configuration complete(List<String> overrides) {
    overrides.forEach(this::addOverride);
    for (Setting<?> setting : known.inOrder()) {
      ConfigEntry entry = entries.get(setting.key());
      if (entry != null) {
        attempt(() -> engine = engine.with(setting, entry));
      }
    }
    TextFile.requireNone(errors);
    return this;
  }

  private void attempt(Runnable what) {
    try {
      what.run();
    } catch (ConfigException e) {
      errors.add(e.getMessage());
    }
  }

  private void addFile(String name, String text) {
    for (ConfigEntry entry : PropertyLines.parse(name, text, errors)) {
      if (isRule(entry)) { // So are all that follow, and no line of them says more.
        errors.add(
            entry
                .error(
                    "not a setting",
                    "is this a rules file? name it by rules=FILE in a properties file")
                .getMessage());
        return;
      }
      attempt(() -> {
        ConfigEntry before = entries.putIfAbsent(known.of(entry).key(), entry);
        if (before != null) {
          throw entry.error("key stands twice", "keep this or the one of " + before.origin());
        }
      });
    }
  }

  private boolean isRule(ConfigEntry entry) {
    return RULE_WORDS.contains(entry.key()) && !known.has(entry.key()) && known.has("rules");
  }

  /** The last of several overrides counts, as is the custom for options. */
  private void addOverride(String override) {
    int equals = override.indexOf('=');
    if (equals < 0) {
      errors.add(ConfigEntry.OVERRIDE + ": not a setting: " + override + "; write --set KEY=VALUE");
      return;
    }
    ConfigEntry entry =
        new ConfigEntry(
            ConfigEntry.OVERRIDE,
            override.substring(0, equals).strip(),
            override.substring(equals + 1).strip());
    attempt(() -> entries.put(known.of(entry).key(), entry));
  }

  private static Optional<Duration> duration(ConfigEntry entry) {
    Optional<Duration> duration = DurationText.read(entry.value());
    if (duration.isEmpty()) {
      throw entry.error("not a time", "write a time, such as 500ms, 10s or 2m");
    }
    return duration;
  }

  /** The settings of the engine, and with {@link EngineConfig#get} those of others. */
  public EngineConfig engine() {
    return engine;
  }

  /** The ports, in the order in which they are listed; empty if none are. */
  public List<NamedAddress> ports() {
    return engine.get(PORTS);
  }

  /** How long to run; empty: until the inputs end or somebody stops it. */
  public Optional<Duration> duration() {
    return engine.get(DURATION);
  }

  /**
   * What another configuration says otherwise than this one, as {@code key=value} in the order of
   * the keys; {@code key=} for what it does not say any more.
   */
  public List<String> changes(Configuration next) {
    List<String> changes = new ArrayList<>();
    for (Setting<?> setting : known.inOrder()) {
      Optional<String> value = next.value(setting.key());
      if (!value.equals(value(setting.key()))) {
        changes.add(setting.key() + "=" + value.orElse(""));
      }
    }
    return changes;
  }

  private Optional<String> value(String key) {
    return Optional.ofNullable(entries.get(key)).map(ConfigEntry::value);
  }

  /**
   * The entry of a key as an error that names where it stands, for checks that need more than its
   * value.
   */
  public ConfigException error(String key, String what, String remedy) {
    return Optional.ofNullable(entries.get(key))
        .map(entry -> entry.error(what, remedy))
        .orElseGet(() -> new ConfigException(what + ": key=" + key + "; " + remedy));
  }
}
