package io.linerate.middlebox.route;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.TextFile;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Ipv6Prefix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Routes as {@code ip route} writes them, one a line:
 *
 * <pre>
 *   PREFIX [via ADDRESS] [dev LINK] [weight N] [nexthop via ADDRESS [dev LINK] [weight N]]...
 *   blackhole|unreachable|prohibit|local PREFIX
 *   default via ADDRESS            all of IPv4, or of IPv6 as the next hop is
 *   # comment
 * </pre>
 *
 * Without a link it is that which has the next hop. Words that routers of other kinds need, such as
 * {@code proto bird}, {@code metric 32} and {@code scope link}, are passed over with what follows.
 */
public final class RouteText {
  /** IPv4 before IPv6, then by address, then shorter before longer prefixes. */
  static final Comparator<IpPrefix> BY_PREFIX =
      Comparator.comparingInt(IpPrefix::version)
          .thenComparing((a, b) -> Long.compareUnsigned(high(a), high(b)))
          .thenComparing((a, b) -> Long.compareUnsigned(low(a), low(b)))
          .thenComparingInt(IpPrefix::bits);

  private static final List<String> PASSED_OVER =
      List.of("proto", "metric", "scope", "src", "table", "pref", "mtu", "advmss", "expires");

  private static final List<String> FLAGS = List.of("onlink", "linkdown", "dead", "pervasive");

  private final RoutingTable table;
  private final Iterator<String> words;
  private final String line;

  /** Prefixes that had a route before the text; null: another one takes the place of any. */
  private final @Nullable Set<IpPrefix> before;

  private RouteText(RoutingTable table, String line, @Nullable Set<IpPrefix> before) {
    this.table = table;
    this.line = line;
    this.before = before;
    words = List.of(line.strip().split("\\s+", -1)).iterator();
  }

  private static long high(IpPrefix prefix) {
    return prefix instanceof Ipv6Prefix ipv6 ? ipv6.high() : 0;
  }

  private static long low(IpPrefix prefix) {
    return switch (prefix) {
      case Ipv4Prefix ipv4 -> Integer.toUnsignedLong(ipv4.address());
      case Ipv6Prefix ipv6 -> ipv6.low();
    };
  }

  /**
   * Adds the routes of a file to a table.
   *
   * @throws ConfigException if it cannot be read, or for all that is wrong in it, a line each: what
   *     is right has been added then
   */
  public static void read(Path file, RoutingTable table) {
    parse(file.toString(), TextFile.read("routes file", file), table);
  }

  /**
   * As {@link #read}. A prefix has one route, and those of the links keep theirs.
   *
   * @param name of the text, for messages
   */
  public static void parse(String name, String text, RoutingTable table) {
    Set<IpPrefix> before = table.prefixes();
    TextFile.statements(name, text, (line, number) -> new RouteText(table, line, before).add());
  }

  /**
   * Adds one route, or puts it into the place of another.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static void add(String line, RoutingTable table) {
    new RouteText(table, line, null).add();
  }

  /**
   * Removes one route.
   *
   * @param text its prefix; what follows is not looked at
   * @throws IllegalArgumentException if there is none
   */
  public static void remove(String text, RoutingTable table) {
    IpPrefix prefix = IpPrefix.parse(text.strip().split("\\s+", 2)[0]);
    if (!table.remove(prefix)) {
      throw new IllegalArgumentException("no such route: prefix=" + prefix);
    }
  }

  private IllegalArgumentException error(String what, String remedy) {
    return new IllegalArgumentException("%s: line=%s; %s".formatted(what, line, remedy));
  }

  private void add() {
    String first = word("a prefix");
    Hop.Kind kind = Hop.Kind.FORWARD;
    switch (first.toLowerCase(Locale.ROOT)) {
      case "blackhole" -> kind = Hop.Kind.BLACKHOLE;
      case "unreachable" -> kind = Hop.Kind.UNREACHABLE;
      case "prohibit" -> kind = Hop.Kind.PROHIBIT;
      case "local" -> kind = Hop.Kind.LOCAL;
      default -> {}
    }
    String target = kind == Hop.Kind.FORWARD ? first : word("a prefix");
    List<HopText> hops = hops();
    int version =
        hops.stream().anyMatch(hop -> hop.via != null && hop.via.indexOf(':') >= 0) ? 6 : 4;
    IpPrefix prefix =
        target.equals("default") ? version == 6 ? Ipv6Prefix.ANY : Ipv4Prefix.ANY : prefix(target);
    if (kind != Hop.Kind.FORWARD) {
      put(prefix, List.of(Hop.of(kind)));
      return;
    }
    List<Hop> made = new ArrayList<>();
    for (HopText hop : hops) {
      made.add(hop(hop));
    }
    put(prefix, made);
  }

  /** As {@code ip route} has it: who sets more bits has mistaken either them or the length. */
  private IpPrefix prefix(String text) {
    IpPrefix prefix = IpPrefix.parse(text);
    IpPrefix address = IpPrefix.parse(text.replaceFirst("/.*", ""));
    if (high(prefix) != high(address) || low(prefix) != low(address)) {
      throw error("bits behind the prefix are set: prefix=" + text, "write " + text(prefix));
    }
    return prefix;
  }

  private void put(IpPrefix prefix, List<Hop> hops) {
    if (before != null && table.hops(prefix).isPresent()) {
      if (!before.contains(prefix)) {
        throw error(
            "prefix has two routes: prefix=" + text(prefix),
            "write one, with several nexthop where these have equal cost");
      }
      if (!table.hops(prefix).get().equals(hops)) {
        throw error(
            "prefix is one of a link: prefix=" + text(prefix),
            "leave it out, or write a longer one");
      }
    }
    table.put(prefix, hops);
  }

  /** A hop as it is written. */
  private static final class HopText {
    private @Nullable String via;
    private @Nullable String link;
    private int weight = 1;
  }

  private String word(String wanted) {
    if (!words.hasNext()) {
      throw error("route ends too soon", "write " + wanted);
    }
    return words.next();
  }

  private List<HopText> hops() {
    List<HopText> hops = new ArrayList<>();
    HopText hop = new HopText();
    boolean isFirstEmpty = true;
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "nexthop" -> {
          if (!isFirstEmpty) {
            hops.add(hop);
          }
          hop = new HopText();
          isFirstEmpty = false;
        }
        case "via" -> {
          hop.via = word("the address of the next hop");
          if (hop.via.equals("inet6") || hop.via.equals("inet")) {
            hop.via = word("the address of the next hop");
          }
          isFirstEmpty = false;
        }
        case "dev" -> {
          hop.link = word("a link");
          isFirstEmpty = false;
        }
        case "weight" -> hop.weight = weight(word("a weight"));
        default -> passOver(word);
      }
    }
    hops.add(hop);
    return hops;
  }

  private int weight(String text) {
    if (!text.matches("[0-9]{1,3}")) {
      throw error("not a weight: weight=" + text, "write 1 to " + Hop.MAX_WEIGHT);
    }
    return Integer.parseInt(text);
  }

  private void passOver(String word) {
    if (PASSED_OVER.contains(word)) {
      String _ = word("what " + word + " is");
    } else if (!FLAGS.contains(word)) {
      throw error("not a word of routes: word=" + word, "write via, dev, weight or nexthop");
    }
  }

  private Hop hop(HopText text) {
    IpPrefix via = text.via == null ? null : IpPrefix.parse(text.via);
    int link =
        text.link != null ? table.linkNumber(text.link) : via == null ? -1 : table.linkOf(via);
    if (link < 0) {
      String names = table.links().stream().map(RouterLink::name).collect(Collectors.joining(", "));
      throw text.link == null
          ? error("next hop is on no link", "write dev LINK: there are " + names)
          : error("no such link: dev=" + text.link, "there are " + names);
    }
    Hop hop =
        switch (via) {
          case null -> Hop.onLink(link);
          case Ipv4Prefix ipv4 -> Hop.via(link, ipv4.address());
          case Ipv6Prefix ipv6 -> Hop.via(link, new Ipv6Address(ipv6.high(), ipv6.low()));
        };
    return hop.withWeight(text.weight);
  }

  /** A route as it is read. */
  static String line(IpPrefix prefix, List<Hop> hops, List<RouterLink> links) {
    Hop first = hops.getFirst();
    return first.kind() == Hop.Kind.FORWARD
        ? text(prefix) + " " + hops(hops, links)
        : first.kind().name().toLowerCase(Locale.ROOT) + " " + text(prefix);
  }

  static String text(IpPrefix prefix) {
    return switch (prefix) {
      case Ipv4Prefix ipv4 -> Ipv4Address.format(ipv4.address()) + "/" + ipv4.bits();
      case Ipv6Prefix ipv6 -> ipv6.toString();
    };
  }

  /** The hops of a route. */
  static String hops(List<Hop> hops, List<RouterLink> links) {
    if (hops.getFirst().kind() != Hop.Kind.FORWARD) {
      return hops.getFirst().kind().name().toLowerCase(Locale.ROOT);
    }
    return hops.stream()
        .map(hop ->
            (hops.size() > 1 ? "nexthop " : "")
                + (hop.version() == 0 ? "" : "via " + hop.address() + " ")
                + "dev "
                + links.get(hop.link()).name()
                + (hop.weight() == 1 ? "" : " weight " + hop.weight()))
        .collect(Collectors.joining(" "));
  }
}
