package io.linerate.apps.middlebox;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.graph.Element;
import io.linerate.middlebox.route.RouteText;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What of a configuration has to go together, before a graph is built of it. */
public final class Links {
  /** What went wrong, with what, and what to do, as elements and links say it. */
  private static final Pattern SENTENCE = Pattern.compile("(.*?): (\\w+=.*?)(?:; (.*))?");

  private Links() {}

  /**
   * A link of a middlebox.
   *
   * @param name of the link, and of the setting that has its addresses
   * @throws ConfigException if one of them is no host's
   */
  public static RouterLink of(Configuration configuration, String name, List<String> addresses) {
    try {
      return new RouterLink(name, addresses);
    } catch (IllegalArgumentException e) {
      throw error(configuration, name, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Links that a middlebox stands between.
   *
   * @param key of the setting that has their addresses
   * @throws ConfigException if two of them have one network
   */
  public static RoutingTable table(
      Configuration configuration, String key, List<RouterLink> links) {
    try {
      return new RoutingTable(links);
    } catch (IllegalArgumentException e) {
      throw error(configuration, key, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Adds the way to the routers that a configuration names.
   *
   * @throws ConfigException if no link has one, or there is another way already
   */
  public static void addRouters(Configuration configuration, RoutingTable table) {
    String key = SideSettings.GATEWAY.key();
    for (String router : SideSettings.gateway(configuration)) {
      if (table.linkOf(IpPrefix.parse(router)) < 0) {
        throw configuration.error(
            key, "no link has this router", "write an address of " + text(table));
      }
      IpPrefix all = router.indexOf(':') < 0 ? Ipv4Prefix.ANY : Ipv6Prefix.ANY;
      if (table.hops(all).isPresent()) {
        throw configuration.error(key, "routes has a default, too", "write one of them");
      }
      try {
        RouteText.add("default via " + router, table);
      } catch (IllegalArgumentException e) {
        throw error(configuration, key, String.valueOf(e.getMessage()));
      }
    }
  }

  private static String text(RoutingTable table) {
    return table.links().stream()
        .map(link -> link.name() + " " + String.join(" ", link.addresses()))
        .collect(Collectors.joining("; "));
  }

  /**
   * Sees that an element has what it needs: each of several in a graph would say what it lacks, and
   * none knows where that is written.
   *
   * @param keyOf the setting that a sentence is about
   * @throws ConfigException if not
   */
  public static void require(
      Configuration configuration, Element element, UnaryOperator<String> keyOf) {
    List<String> problems = element.problems();
    if (!problems.isEmpty()) {
      throw new ConfigException(
          problems.stream()
              .map(problem -> error(configuration, keyOf.apply(problem), problem).getMessage())
              .collect(Collectors.joining("\n")));
    }
  }

  /** A sentence of the form {@code what went wrong: name=value; what to do}, about a setting. */
  public static ConfigException error(Configuration configuration, String key, String sentence) {
    Matcher parts = SENTENCE.matcher(sentence);
    return parts.matches()
        ? configuration.error(
            key,
            "%s (%s)".formatted(parts.group(1), parts.group(2)),
            parts.group(3) == null ? "write something else" : parts.group(3))
        : configuration.error(key, sentence, "write something else");
  }
}
