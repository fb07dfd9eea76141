package io.linerate.core.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the user configured: the entries of a properties file, changed by overrides {@code
 * key=value}. Everything is checked when it is read; an error names the file and the line, or
 * {@code --set}.
 *
 * <p>The keys are those of {@link EngineConfig} in lower case ({@code rxburst}, {@code drainus}),
 * {@code memory} for its MiB, {@code queues}, {@code queuechoice}, {@code balance} and {@code
 * maxworkers} of {@link QueueConfig}, and {@code ports}, {@code rules} and {@code duration}.
 */
public final class Configuration {
  private final Map<ConfigKey, ConfigEntry> entries = new EnumMap<>(ConfigKey.class);
  private final List<String> errors = new ArrayList<>();
  private EngineConfig engine;
  private List<NamedAddress> ports = List.of();
  private Optional<Duration> duration = Optional.empty();

  private Configuration(EngineConfig defaults) {
    engine = defaults;
  }

  /**
   * Reads a file, then overrides.
   *
   * @param defaults settings that neither names
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
    entries.forEach(this::apply);
    if (!errors.isEmpty()) {
      throw new ConfigException(String.join("\n", errors));
    }
    return this;
  }

  private void addFile(String name, String text) {
    for (ConfigEntry entry : PropertyLines.parse(name, text, errors)) {
      known(entry)
          .ifPresent(key -> {
            ConfigEntry before = entries.putIfAbsent(key, entry);
            if (before != null) {
              errors.add(
                  entry
                      .error("key stands twice", "keep this or the one of " + before.origin())
                      .getMessage());
            }
          });
    }
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
    known(entry).ifPresent(key -> entries.put(key, entry));
  }

  private Optional<ConfigKey> known(ConfigEntry entry) {
    Optional<ConfigKey> key = ConfigKey.of(entry.key());
    if (key.isEmpty()) {
      List<String> keys = Arrays.stream(ConfigKey.values()).map(ConfigKey::key).toList();
      String remedy =
          NearestWord.to(entry.key(), keys)
              .map(near -> "did you mean " + near + "?")
              .orElse("there are " + String.join(", ", keys));
      errors.add(entry.error("unknown key", remedy).getMessage());
    }
    return key;
  }

  private void apply(ConfigKey key, ConfigEntry entry) {
    try {
      engine = key.apply(engine, entry);
      switch (key) {
        case PORTS -> ports = PortList.parse(entry);
        case DURATION -> duration = Optional.of(duration(entry));
        default -> {
          // Only the engine's.
        }
      }
    } catch (ConfigException e) {
      errors.add(e.getMessage());
    }
  }

  private static Duration duration(ConfigEntry entry) {
    try {
      return DurationText.parse(entry.value());
    } catch (ConfigException e) {
      throw entry.error("not a time", ConfigKey.DURATION.allowed + " is allowed");
    }
  }

  /** The settings of the engine. */
  public EngineConfig engine() {
    return engine;
  }

  /** The ports, in the order in which they are listed; empty if none are. */
  public List<NamedAddress> ports() {
    return ports;
  }

  /** The rules file, relative to the current directory. */
  public Optional<Path> rules() {
    return Optional.ofNullable(entries.get(ConfigKey.RULES))
        .map(ConfigEntry::value)
        .filter(value -> !value.isEmpty())
        .map(Path::of);
  }

  /** How long to run; empty: until the inputs end or somebody stops it. */
  public Optional<Duration> duration() {
    return duration;
  }

  /**
   * What another configuration says otherwise than this one, as {@code key=value} in the order of
   * the keys; {@code key=} for what it does not say any more.
   */
  public List<String> changes(Configuration next) {
    List<String> changes = new ArrayList<>();
    for (ConfigKey key : ConfigKey.values()) {
      Optional<String> value = next.value(key);
      if (!value.equals(value(key))) {
        changes.add(key.key() + "=" + value.orElse(""));
      }
    }
    return changes;
  }

  private Optional<String> value(ConfigKey key) {
    return Optional.ofNullable(entries.get(key)).map(ConfigEntry::value);
  }

  /**
   * The entry of a key as an error that names where it stands, for checks that need more than its
   * value.
   */
  public ConfigException error(String key, String what, String remedy) {
    return ConfigKey.of(key)
        .map(entries::get)
        .map(entry -> entry.error(what, remedy))
        .orElseGet(() -> new ConfigException(what + ": key=" + key + "; " + remedy));
  }
}
