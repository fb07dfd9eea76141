package io.linerate.apps.gateway;

import io.linerate.apps.ConnectionSettings;
import io.linerate.apps.firewall.FirewallSettings;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.apps.nat.NatConfiguration;
import io.linerate.apps.route.RouteConfiguration;
import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.middlebox.rule.RulesFile;
import java.util.List;
import java.util.function.Consumer;

/** What can be configured of the gateway: of its own, and of what its parts have. */
public final class GatewayConfiguration implements SettingsOwner {
  /** The link whose address of IPv4 hosts of the others share; "": none. */
  public static final Setting<String> NAT =
      Setting.text("nat", "", "[^;,=\\s]+", "the name of a link, such as wan");

  /** Rules, where they stand in no file of their own; with ; between them. */
  public static final Setting<RuleLines> RULE_LINES =
      Setting.of(
          "rule_lines", RuleLines.NONE, GatewayConfiguration::ruleLines, RuleLines::asWritten);

  /**
   * Rules that stand in a setting.
   *
   * @param place of the setting, before the number of a rule in messages: {@code FILE:LINE:
   *     rule_lines}
   * @param asWritten with ; between them; "": none
   */
  public record RuleLines(String place, String asWritten) {
    static final RuleLines NONE = new RuleLines("", "");

    boolean areNone() {
      return asWritten.isEmpty();
    }

    /** As a file would have them. */
    RuleSet parse(Consumer<String> warnings) {
      return RulesFile.parse(place, asWritten.replace(';', '\n'), warnings);
    }
  }

  private static RuleLines ruleLines(ConfigEntry entry) {
    if (entry.value().isEmpty()) {
      throw entry.error("no rules", "write rules with ; between them");
    }
    String before = entry.origin().isEmpty() ? "" : entry.origin() + ": ";
    return new RuleLines(before + entry.key(), entry.value());
  }

  @Override
  public String program() {
    return GatewayCommand.NAME;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(
        NAT,
        RULE_LINES,
        RouteConfiguration.LINKS,
        RouteConfiguration.ROUTES,
        RouteConfiguration.REVERSE_PATH,
        RouteConfiguration.KERNEL_ROUTES,
        SideSettings.GATEWAY,
        SideSettings.MACS,
        FirewallSettings.RULES,
        FirewallSettings.NAME_PAGES,
        NatConfiguration.POOL,
        NatConfiguration.PORTS,
        NatConfiguration.FILTERING,
        NatConfiguration.HAIRPINNING,
        NatConfiguration.FORWARDS,
        NatConfiguration.HOST_PORTS,
        NatConfiguration.LOG_MAPPINGS,
        NatConfiguration.DHCP,
        NatConfiguration.DHCP_DNS,
        NatConfiguration.DHCP_LEASE,
        ConnectionSettings.CONNECTIONS,
        ConnectionSettings.TIMEOUTS);
  }
}
