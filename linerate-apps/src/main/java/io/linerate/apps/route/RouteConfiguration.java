package io.linerate.apps.route;

import io.linerate.apps.middlebox.Links;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.NamedAddress;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.graph.element.Fragment;
import io.linerate.middlebox.route.Route;
import io.linerate.middlebox.route.RouteText;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What can be configured of the router. */
public final class RouteConfiguration implements SettingsOwner {
  /** Its links, by the names of their ports. */
  public static final Setting<List<LinkText>> LINKS =
      Setting.of(
          "links",
          List.of(),
          RouteConfiguration::links,
          some -> some.stream().map(LinkText::toString).collect(Collectors.joining("; ")));

  /** The routes file. */
  public static final Setting<Optional<Path>> ROUTES =
      Setting.of(
          "routes",
          Optional.empty(),
          RouteConfiguration::path,
          file -> file.map(Path::toString).orElse(""));

  /** Of the sources of packets. */
  public static final Setting<Route.Check> REVERSE_PATH =
      Setting.choice("reverse_path", "check of sources", Route.Check.OFF);

  /** Whether the kernel's routes are taken over. */
  public static final Setting<Boolean> KERNEL_ROUTES = Setting.truth("kernel_routes", false);

  private static final String ALLOWED =
      "NAME ADDRESS/BITS [ADDRESS/BITS]... [mtu BYTES] are allowed, with ; between links";

  /**
   * A link as it is written.
   *
   * @param mtuBytes 0: that of the program
   */
  public record LinkText(RouterLink link, int mtuBytes) {
    @Override
    public String toString() {
      return link.name()
          + " "
          + String.join(" ", link.addresses())
          + (mtuBytes == 0 ? "" : " mtu " + mtuBytes);
    }
  }

  private static List<LinkText> links(ConfigEntry entry) {
    List<LinkText> links = new ArrayList<>();
    for (String text : entry.value().split(";", -1)) {
      if (!text.isBlank()) {
        links.add(link(entry, text.strip()));
      }
    }
    return links;
  }

  private static LinkText link(ConfigEntry entry, String text) {
    String[] words = text.split("\\s+", -1);
    List<String> addresses = new ArrayList<>();
    int mtu = 0;
    for (int i = 1; i < words.length; i++) {
      if (words[i].equals("mtu") && i + 1 < words.length && words[i + 1].matches("[0-9]{2,5}")) {
        mtu = Integer.parseInt(words[++i]);
      } else {
        addresses.add(words[i]);
      }
    }
    long ofIpv4 = addresses.stream().filter(address -> address.indexOf(':') < 0).count();
    boolean isMtu = mtu == 0 || (mtu >= Fragment.MIN_IPV6_MTU_BYTES && mtu <= 65_535);
    if (addresses.isEmpty() || ofIpv4 > 1 || !isMtu) {
      throw entry.error(
          "not a link (" + text + ")",
          ALLOWED + "; one address of IPv4 at most, an mtu of 1280 to 65535");
    }
    try {
      return new LinkText(new RouterLink(words[0], addresses), mtu);
    } catch (IllegalArgumentException e) {
      throw entry.error("not a link (" + text + ": " + e.getMessage() + ")", ALLOWED);
    }
  }

  private static Optional<Path> path(ConfigEntry entry) {
    try {
      return Optional.of(entry.value()).filter(path -> !path.isEmpty()).map(Path::of);
    } catch (InvalidPathException e) {
      throw entry.error("wrong value", "the path of a routes file is allowed");
    }
  }

  /**
   * The links of a configuration and what is known of routes at its start.
   *
   * @throws io.linerate.core.config.ConfigException if links and ports are not the same, or a route
   *     is wrong
   */
  public static RoutingTable table(Configuration configuration) {
    List<RouterLink> links =
        configuration.engine().get(LINKS).stream().map(LinkText::link).toList();
    if (links.isEmpty()) {
      throw configuration.error("links", "no links", "write links=NAME ADDRESS/BITS; ...");
    }
    List<String> names = links.stream().map(RouterLink::name).toList();
    List<String> ports =
        configuration.ports().stream()
            .map(NamedAddress::name)
            .filter(port -> names.stream().noneMatch(name -> HostPorts.name(name).equals(port)))
            .toList();
    if (ports.size() != names.size()
        || !ports.containsAll(names)
        || names.stream().distinct().count() < names.size()) {
      throw configuration.error(
          "links",
          "links and ports have different names (links %s, ports %s)".formatted(names, ports),
          "write one link for each port, and NAME-host=tap:NAME for the kernel's end of a link");
    }
    HostPorts.check(configuration);
    RoutingTable table = Links.table(configuration, LINKS.key(), links);
    configuration.engine().get(ROUTES).ifPresent(file -> RouteText.read(file, table));
    return table;
  }

  @Override
  public String program() {
    return RouteCommand.NAME;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(LINKS, ROUTES, REVERSE_PATH, KERNEL_ROUTES, SideSettings.MACS);
  }
}
