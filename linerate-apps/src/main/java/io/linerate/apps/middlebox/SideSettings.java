package io.linerate.apps.middlebox;

import io.linerate.core.config.Configuration;
import io.linerate.core.config.NamedAddress;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.MacAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What can be configured of the sides of a middlebox. */
public final class SideSettings implements SettingsOwner {
  /** The router on the outer side; "": none. */
  public static final Setting<String> GATEWAY =
      checked("gateway", "the address of a router is allowed", Ipv4Address::parse);

  /** Ethernet addresses of the ports, in their order; made of the program's name and theirs. */
  public static final Setting<List<String>> MACS =
      Setting.list("macs", "([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}", "Ethernet addresses");

  /**
   * An address of IPv4 with the length of its prefix.
   *
   * @param example that messages give
   */
  public static Setting<String> address(String key, String example) {
    return checked(
        key,
        "an address with the length of its prefix is allowed, such as " + example,
        text -> {
          boolean isOne =
              text.indexOf('/') > 0
                  && IpPrefix.parse(text) instanceof Ipv4Prefix prefix
                  && prefix.bits() > 0;
          if (!isOne) {
            throw new IllegalArgumentException(text);
          }
        });
  }

  private static Setting<String> checked(String key, String allowed, Consumer<String> check) {
    return Setting.of(
        key,
        "",
        entry -> {
          try {
            check.accept(entry.value());
            return entry.value();
          } catch (IllegalArgumentException e) {
            throw entry.error("wrong value", allowed);
          }
        },
        text -> text);
  }

  /**
   * The value of a setting that has to be there.
   *
   * @throws io.linerate.core.config.ConfigException if it is not
   */
  public static String required(Configuration configuration, Setting<String> setting) {
    return Optional.of(configuration.engine().get(setting))
        .filter(text -> !text.isEmpty())
        .orElseThrow(() ->
            configuration.error(
                setting.key(), "no address", "write " + setting.key() + "=ADDRESS/BITS"));
  }

  /** An address without the length of its prefix. */
  public static String host(String address) {
    return address.replaceFirst("/.*", "");
  }

  /** The router, if there is one. */
  public static List<String> gateway(Configuration configuration) {
    return Optional.of(configuration.engine().get(GATEWAY)).stream()
        .filter(text -> !text.isEmpty())
        .toList();
  }

  /**
   * The Ethernet address of a port: one of those that nobody else gives out (IEEE 802, section
   * 8.4.4), the same each time.
   */
  public static String mac(Configuration configuration, String port) {
    List<String> configured = configuration.engine().get(MACS);
    int index = configuration.ports().stream().map(NamedAddress::name).toList().indexOf(port);
    if (index < configured.size()) {
      return configured.get(index);
    }
    String name = configuration.engine().programName() + "/" + port;
    long hash = name.hashCode() * 0x9E37_79B9_7F4A_7C15L;
    return MacAddress.format((hash >>> 16 & ~0x0300_0000_0000L) | 0x0200_0000_0000L);
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(GATEWAY, MACS);
  }
}
