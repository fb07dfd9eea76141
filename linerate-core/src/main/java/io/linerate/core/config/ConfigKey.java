package io.linerate.core.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The keys that configuration knows, and what each does to the settings of an engine. Applied in
 * this order: the number of workers is known before their CPUs are.
 */
@SuppressWarnings("ImmutableEnumChecker") // The changes are functions without state.
enum ConfigKey {
  PROGRAMNAME("any text", EngineConfig::withProgramName),
  PROGRAMID("letters, digits, '.', '_' and '-'", ConfigKey::programId),
  WORKERS("1 to 128", number(EngineConfig::withWorkers)),
  MAXWORKERS("0 to 128", queueNumber(QueueConfig::withMaxWorkers)),
  QUEUES("0 to 1024", queueNumber(QueueConfig::withPerPort)),
  QUEUECHOICE(
      QueueOrder.keys(),
      (config, value) -> config.withQueues(config.queues().withOrder(QueueOrder.ofKey(value)))),
  BALANCE(
      "true or false",
      (config, value) -> config.withQueues(config.queues().withBalanced(truth(value)))),
  CPUS("CPUs and ranges, such as 0,2-3", (config, value) -> config.withCpus(cpus(value))),
  RXBURST("1 to 4096", number(EngineConfig::withRxBurst)),
  TXBURST("1 to 4096", number(EngineConfig::withTxBurst)),
  FREEBURST("1 to 4096", number(EngineConfig::withFreeBurst)),
  DRAINUS("0 to 1000000, in µs", number(EngineConfig::withDrainUs)),
  TXRETRYUS("0 to 1000000, in µs", number(EngineConfig::withTxRetryUs)),
  IDLE(Idle.keys(), (config, value) -> config.withIdle(Idle.ofKey(value))),
  MEMORY("16 to 1048576, in MiB", number(EngineConfig::withMemoryMiB)),
  MEMORYCHANNELS("0 to 32", number(EngineConfig::withMemoryChannels)),
  BLACKLIST("PCI addresses, such as 0000:03:00.0, separated by commas", ConfigKey::blacklist),
  BUFFERS("64 to 8388608", number(EngineConfig::withBuffers)),
  DESCRIPTORS("16 to 32768", number(EngineConfig::withDescriptors)),
  MTU("68 to 9500, in bytes", number(EngineConfig::withMtu)),
  PROMISCUOUS("true or false", (config, value) -> config.withPromiscuous(truth(value))),
  COUNTERS(
      "true or false",
      (config, value) -> config.withStatistics(config.statistics().withCounters(truth(value)))),
  SLOWBURSTUS(
      "1 to 60000000, in µs",
      number((config, value) -> config.withStatistics(config.statistics().withSlowBurstUs(value)))),
  PORTS("NAME=ADDRESS; NAME=ADDRESS; …", ConfigKey::unchanged),
  RULES("the path of a rules file", ConfigKey::path),
  DURATION("a time, such as 500ms, 10s or 2m", ConfigKey::unchanged);

  private static final Pattern PROGRAM_ID = Pattern.compile("[A-Za-z0-9._-]{0,64}");
  private static final Pattern PCI =
      Pattern.compile("([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
  private static final int MAX_CPU = 1_023;

  /** What is allowed, in words. */
  final String allowed;

  private final BiFunction<EngineConfig, String, EngineConfig> change;

  ConfigKey(String allowed, BiFunction<EngineConfig, String, EngineConfig> change) {
    this.allowed = allowed;
    this.change = change;
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<ConfigKey> of(String key) {
    return Arrays.stream(values()).filter(known -> known.key().equals(key)).findFirst();
  }

  /**
   * The settings with this one changed.
   *
   * @throws ConfigException if the value is wrong; the message names where it stands
   */
  EngineConfig apply(EngineConfig config, ConfigEntry entry) {
    try {
      return change.apply(config, entry.value());
    } catch (NumberFormatException e) {
      throw entry.error("not a whole number", allowed + " is allowed");
    } catch (ArithmeticException e) {
      throw entry.error("value is out of range", allowed + " is allowed");
    } catch (IllegalArgumentException e) {
      throw entry.error("wrong value", allowed + " is allowed");
    } catch (ConfigException e) {
      throw new ConfigException(entry.origin() + ": " + e.getMessage());
    }
  }

  private static BiFunction<EngineConfig, String, EngineConfig> number(
      BiFunction<EngineConfig, Integer, EngineConfig> change) {
    return (config, value) -> {
      int number = integer(value);
      try {
        return change.apply(config, number);
      } catch (ConfigException e) {
        throw new ArithmeticException(e.getMessage());
      }
    };
  }

  private static BiFunction<EngineConfig, String, EngineConfig> queueNumber(
      BiFunction<QueueConfig, Integer, QueueConfig> change) {
    return number((config, value) -> config.withQueues(change.apply(config.queues(), value)));
  }

  /** A number too large for an int is one that is out of range. */
  private static int integer(String value) {
    if (!value.matches("[+-]?[0-9]+")) {
      throw new NumberFormatException(value);
    }
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      return value.startsWith("-") ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    }
  }

  private static boolean truth(String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(value);
    };
  }

  private static List<Integer> cpus(String value) {
    List<Integer> cpus = new ArrayList<>();
    for (String part : list(value)) {
      if (!part.matches("[0-9]{1,4}(-[0-9]{1,4})?")) {
        throw new IllegalArgumentException(value);
      }
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      if (last < first || last > MAX_CPU) {
        throw new IllegalArgumentException(value);
      }
      for (int cpu = first; cpu <= last; cpu++) {
        cpus.add(cpu);
      }
    }
    return cpus;
  }

  private static EngineConfig programId(EngineConfig config, String value) {
    if (!PROGRAM_ID.matcher(value).matches()) {
      throw new IllegalArgumentException(value);
    }
    return config.withProgramId(value);
  }

  private static EngineConfig blacklist(EngineConfig config, String value) {
    List<String> devices = list(value);
    if (!devices.stream().allMatch(device -> PCI.matcher(device).matches())) {
      throw new IllegalArgumentException(value);
    }
    return config.withBlacklist(devices);
  }

  /** Checked here; {@link java.nio.file.InvalidPathException} is an IllegalArgumentException. */
  private static EngineConfig path(EngineConfig config, String value) {
    Path _ = Path.of(value);
    return config;
  }

  private static EngineConfig unchanged(EngineConfig config, String value) {
    return config;
  }

  /** Parts between commas or blanks. */
  private static List<String> list(String value) {
    return Stream.of(value.split("[,\\s]+")).filter(part -> !part.isEmpty()).toList();
  }
}
