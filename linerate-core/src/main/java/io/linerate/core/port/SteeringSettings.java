package io.linerate.core.port;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** {@code steer=PORT=RULE; PORT=RULE}: rules that ports have from the beginning. */
public final class SteeringSettings implements SettingsOwner {
  /**
   * A rule of a port.
   *
   * @param port its name
   */
  private record PortRule(String port, SteeringRule rule) {}

  private static final Setting<List<PortRule>> STEER =
      Setting.of("steer", List.of(), SteeringSettings::parse, SteeringSettings::text);

  @Override
  public String program() {
    return "";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(STEER);
  }

  /** The rules that a port is to have, in their order. */
  public static List<SteeringRule> of(EngineConfig config, String port) {
    return config.get(STEER).stream()
        .filter(rule -> rule.port().equals(port))
        .map(PortRule::rule)
        .toList();
  }

  /** The names of the ports that are to have rules. */
  public static List<String> ports(EngineConfig config) {
    return config.get(STEER).stream().map(PortRule::port).distinct().toList();
  }

  /**
   * Gives a port the rules that it is to have.
   *
   * @throws ConfigException if it can have no rules, or not one of these
   * @throws PortException if it or its device cannot do what one says
   */
  public static void apply(EngineConfig config, Port port) {
    List<SteeringRule> rules = of(config, port.name());
    FlowSteering steering = rules.isEmpty() ? null : port.steering();
    if (steering == null && !rules.isEmpty()) {
      throw new ConfigException(
          "port cannot steer packets: port=%s, address=%s, receive queues=%d, rule=%s; use several queues of packet:, xdp: or dpdk:, or take its rules out of steer"
              .formatted(port.name(), port.address(), port.rxQueues(), rules.getFirst()));
    }
    if (steering != null) {
      rules.forEach(steering::add);
    }
  }

  private static List<PortRule> parse(ConfigEntry entry) {
    List<PortRule> rules = new ArrayList<>();
    for (String part : entry.value().split(";", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        rules.add(new PortRule(part.substring(0, equals).strip(), rule(entry, part, equals)));
      } else if (!part.isBlank()) {
        throw entry.error(
            "not a rule of a port (" + part.strip() + ")",
            "write PORT=RULE, such as in=udp dport 53 queue 1, with semicolons between rules");
      }
    }
    return List.copyOf(rules);
  }

  private static SteeringRule rule(ConfigEntry entry, String part, int equals) {
    try {
      return SteeringRule.parse(part.substring(equals + 1));
    } catch (ConfigException e) {
      throw entry.error("wrong value", String.valueOf(e.getMessage()));
    }
  }

  private static String text(List<PortRule> rules) {
    return rules.stream()
        .map(rule -> rule.port() + "=" + rule.rule())
        .collect(Collectors.joining("; "));
  }
}
