package io.linerate.apps.gateway;

import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import java.util.List;

/** What can be configured of the gateway, beside what its parts have. */
public final class GatewayConfiguration implements SettingsOwner {
  /** The link whose address of IPv4 hosts of the others share; "": none. */
  public static final Setting<String> NAT =
      Setting.text("nat", "", "[^;,=\\s]+", "the name of a link, such as wan");

  /** Rules, where they stand in no file of their own; with ; between them. */
  public static final Setting<String> RULE_LINES =
      Setting.text("rule_lines", "", "(?s).+", "rules with ; between them");

  @Override
  public List<Setting<?>> settings() {
    return List.of(NAT, RULE_LINES);
  }
}
