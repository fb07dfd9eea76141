package io.linerate.apps.middlebox;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.NamedAddress;
import io.linerate.core.config.Setting;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.MacAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What can be configured of the sides of a middlebox. */
public final class SideSettings {
  /** The routers on the outer side: none, one of IPv4, one of IPv6 or both. */
  public static final Setting<List<String>> GATEWAY =
      words(
          "gateway",
          "the address of a router is allowed, or one of IPv4 and one of IPv6",
          SideSettings::requireRouters);

  /** Ethernet addresses of the ports, in their order; made of the program's name and theirs. */
  public static final Setting<List<String>> MACS =
      Setting.of("macs", List.of(), SideSettings::macs, some -> String.join(",", some));

  private SideSettings() {}

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

  /**
   * Addresses with the lengths of their prefixes, and blanks between them: one of IPv4 at most.
   *
   * @param example that messages give
   */
  public static Setting<List<String>> addresses(String key, String example) {
    return words(
        key,
        "addresses with the lengths of their prefixes are allowed, one of IPv4 at most, such as "
            + example,
        SideSettings::requireAddresses);
  }

  private static void requireAddresses(List<String> words) {
    int ofIpv4 = 0;
    for (String word : words) {
      IpPrefix prefix = IpPrefix.parse(word);
      ofIpv4 += prefix.version() == Ipv4.VERSION ? 1 : 0;
      require(word.indexOf('/') > 0 && prefix.bits() > 0, word);
    }
    require(ofIpv4 <= 1, "addresses of IPv4: " + ofIpv4);
  }

  private static void requireRouters(List<String> words) {
    words.forEach(word -> require(word.indexOf('/') < 0, word));
    List<Integer> versions = words.stream().map(word -> IpPrefix.parse(word).version()).toList();
    require(versions.size() == Set.copyOf(versions).size(), "routers of one version");
  }

  private static void require(boolean isTrue, String what) {
    if (!isTrue) {
      throw new IllegalArgumentException(what);
    }
  }

  private static List<String> macs(ConfigEntry entry) {
    List<String> macs = new ArrayList<>();
    for (String text : entry.value().split("[,\\s]+", -1)) {
      try {
        if (!text.isEmpty()) {
          long mac = MacAddress.parse(text);
          require(mac != 0 && !MacAddress.isMulticast(mac), text);
          require(!macs.contains(MacAddress.format(mac)), text);
          macs.add(MacAddress.format(mac));
        }
      } catch (IllegalArgumentException e) {
        throw entry.error(
            "not the Ethernet address of a port, or there twice (" + text + ")",
            "write addresses such as 02:00:5e:10:00:01, each once, with commas between");
      }
    }
    return macs;
  }

  private static Setting<List<String>> words(
      String key, String allowed, Consumer<List<String>> check) {
    return Setting.of(
        key,
        List.of(),
        entry -> {
          List<String> words =
              entry.value().isBlank()
                  ? List.of()
                  : List.of(entry.value().strip().split("\\s+", -1));
          try {
            check.accept(words);
            return words;
          } catch (IllegalArgumentException e) {
            throw entry.error("wrong value", allowed);
          }
        },
        words -> String.join(" ", words));
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
        .orElseThrow(() -> missing(configuration, setting));
  }

  /** As {@link #required}, of {@link #addresses}. */
  public static List<String> requiredAll(
      Configuration configuration, Setting<List<String>> setting) {
    return Optional.of(configuration.engine().get(setting))
        .filter(words -> !words.isEmpty())
        .orElseThrow(() -> missing(configuration, setting));
  }

  private static ConfigException missing(Configuration configuration, Setting<?> setting) {
    return configuration.error(
        setting.key(), "no address", "write " + setting.key() + "=ADDRESS/BITS");
  }

  /** The first address of a version, with its prefix; "": there is none. */
  public static String ofVersion(List<String> addresses, int version) {
    return addresses.stream()
        .filter(address -> IpPrefix.parse(address).version() == version)
        .findFirst()
        .orElse("");
  }

  /**
   * Addresses of a link, and where there are some of IPv6 that of the link alone, which neighbors
   * expect of a router: RFC 4291, section 2.8.
   */
  public static List<String> withLinkLocal(String mac, List<String> addresses) {
    if (ofVersion(addresses, Ipv6.VERSION).isEmpty()) {
      return addresses;
    }
    long ethernet = MacAddress.parse(mac);
    long identifier =
        ((ethernet >>> 24 ^ 0x02_0000) << 40)
            | 0xFF_FE00_0000L
            | (ethernet & 0xFF_FFFF); // RFC 4291, appendix A.
    return Stream.concat(
            addresses.stream(),
            Stream.of(Ipv6Address.format(0xFE80_0000_0000_0000L, identifier) + "/64"))
        .toList();
  }

  /** An address without the length of its prefix. */
  public static String host(String address) {
    return address.replaceFirst("/.*", "");
  }

  /** The routers, if there are some. */
  public static List<String> gateway(Configuration configuration) {
    return configuration.engine().get(GATEWAY);
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
}
