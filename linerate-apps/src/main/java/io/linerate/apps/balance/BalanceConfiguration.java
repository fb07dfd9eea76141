package io.linerate.apps.balance;

import io.linerate.apps.ConnectionSettings;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.DurationText;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.middlebox.balance.BalancedService;
import io.linerate.middlebox.balance.HealthSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What can be configured of the balancer. */
public final class BalanceConfiguration implements SettingsOwner {
  /** Its address on the side of the clients, with the length of the prefix there. */
  public static final Setting<String> CLIENT = SideSettings.address("client", "192.0.2.2/24");

  /** Its address on the side of the servers, likewise. */
  public static final Setting<String> SERVER = SideSettings.address("server", "10.0.0.1/24");

  /** What is balanced. */
  public static final Setting<List<BalancedService>> SERVICES =
      Setting.of(
          "services",
          List.of(),
          BalanceConfiguration::services,
          some -> some.stream().map(BalancedService::toString).collect(Collectors.joining("; ")));

  /** How packets get to servers, and back. */
  public static final Setting<Mode> MODE = Setting.choice("mode", "mode", Mode.TRANSLATED);

  private static final Setting<HealthSettings.Kind> CHECK =
      Setting.choice("check", "health check", HealthSettings.USUAL.kind());

  private static final Setting<String> CHECK_PATH =
      Setting.text("check_path", "/", "/[!-~]{0,200}", "a path that begins with /");

  private static final Setting<Duration> CHECK_INTERVAL =
      Setting.of(
          "check_interval",
          HealthSettings.USUAL.interval(),
          BalanceConfiguration::interval,
          time -> time.toMillis() + "ms");

  private static final Setting<Integer> CHECK_FAILS =
      Setting.number("check_fails", HealthSettings.USUAL.fails(), 1, 1_000);

  private static final Setting<Integer> CHECK_PASSES =
      Setting.number("check_passes", HealthSettings.USUAL.passes(), 1, 1_000);

  /** How packets get to servers, and back. */
  public enum Mode {
    /** By the server's address, and back through the balancer. */
    TRANSLATED,
    /** By the server's Ethernet address; it answers clients itself. */
    DIRECT
  }

  private static List<BalancedService> services(ConfigEntry entry) {
    List<BalancedService> services = new ArrayList<>();
    for (String text : entry.value().split(";", -1)) {
      if (!text.isBlank()) {
        try {
          BalancedService service = BalancedService.parse(text);
          if (services.stream().anyMatch(other -> other.name().equals(service.name()))) {
            throw new IllegalArgumentException("service stands twice: service=" + service.name());
          }
          services.add(service);
        } catch (IllegalArgumentException e) {
          throw entry.error("wrong value", String.valueOf(e.getMessage()));
        }
      }
    }
    return services;
  }

  private static Duration interval(ConfigEntry entry) {
    try {
      Duration time = DurationText.parse(entry.value());
      HealthSettings _ = new HealthSettings(HealthSettings.Kind.TCP, "/", time, 1, 1);
      return time;
    } catch (ConfigException | IllegalArgumentException e) {
      throw entry.error("wrong time", "10ms to 1h are allowed");
    }
  }

  /** How backends are asked. */
  static HealthSettings health(EngineConfig engine) {
    return new HealthSettings(
        engine.get(CHECK),
        engine.get(CHECK_PATH),
        engine.get(CHECK_INTERVAL),
        engine.get(CHECK_FAILS),
        engine.get(CHECK_PASSES));
  }

  @Override
  public String program() {
    return BalanceCommand.NAME;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(
        CLIENT,
        SERVER,
        SERVICES,
        MODE,
        CHECK,
        CHECK_PATH,
        CHECK_INTERVAL,
        CHECK_FAILS,
        CHECK_PASSES,
        SideSettings.GATEWAY,
        SideSettings.MACS,
        ConnectionSettings.CONNECTIONS,
        ConnectionSettings.TIMEOUTS);
  }
}
