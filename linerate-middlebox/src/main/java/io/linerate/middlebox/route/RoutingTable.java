package io.linerate.middlebox.route;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Ipv6Prefix;
import io.linerate.wire.route.Ipv4Routes;
import io.linerate.wire.route.Ipv6Routes;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Routes of IPv4 and IPv6, by the longest prefix, which change while workers look up. Routes with
 * the same hops share a group of them, whose number {@link Ipv4Routes} and {@link Ipv6Routes} find.
 * Any thread.
 *
 * <p>What the links are made of is there from the beginning: their networks, and the router's own
 * addresses. So are those that mean all hosts of a network of IPv4, to which nobody sends by a
 * router (RFC 2644).
 */
public final class RoutingTable {
  /** Hops of one route at most. */
  public static final int MOST_HOPS = 64;

  private static final long GRACE_NS = 1_000_000_000;

  private final List<RouterLink> links;
  private final long hashSeed;
  private final Ipv4Routes ipv4 = new Ipv4Routes();
  private final Ipv6Routes ipv6 = new Ipv6Routes();
  private final Map<IpPrefix, List<Hop>> routes = new HashMap<>();
  private final Map<List<Hop>, Integer> numbers = new HashMap<>();

  /** How many routes have a group of hops. */
  private int[] uses = new int[16];

  private int used;
  private final Deque<FreeGroup> free = new ArrayDeque<>();
  private volatile @Nullable HopGroup[] groups = new HopGroup[uses.length];

  /** A number that no route has any more; who has looked it up before may still want its hops. */
  private record FreeGroup(int number, long sinceNs) {
    boolean isForgotten() {
      return System.nanoTime() - sinceNs > GRACE_NS;
    }
  }

  /** Hops of equal cost, as packets need them. Immutable. */
  static final class HopGroup {
    /** By a share of the hash: as many places for each hop as its weight. */
    final Hop[] places;

    /** How to each; null where packets leave by no link. */
    final @Nullable Way[] ways;

    /** How all leave; null if there are several ways, or none. */
    final @Nullable Way only;

    HopGroup(List<Hop> hops, List<RouterLink> links) {
      List<Hop> all = new ArrayList<>();
      for (Hop hop : hops) {
        for (int i = 0; i < hop.weight(); i++) {
          all.add(hop);
        }
      }
      places = all.toArray(Hop[]::new);
      ways = all.stream().map(hop -> Way.of(hop, links)).toArray(Way[]::new);
      only = ways.length == 1 ? ways[0] : null;
    }
  }

  /**
   * How a packet leaves.
   *
   * @param word its first 8 bytes then: two bytes that say which prefix the next hop has (see
   *     {@link RouterLink#prefixNumber}; 0: the packet's destination is next), and an address of
   *     IPv4, or bytes 8 to 13 of one of IPv6
   * @param rest of IPv6: bytes 14 and 15, which are its next two
   */
  record Way(int link, long word, int rest) {
    static @Nullable Way of(Hop hop, List<RouterLink> links) {
      if (hop.kind() != Hop.Kind.FORWARD) {
        return null;
      }
      return hop.version() == 6
          ? new Way(
              hop.link(),
              ((long) links.get(hop.link()).prefixNumber(hop.high()) << 48) | (hop.low() >>> 16),
              (int) hop.low() & 0xFFFF)
          : new Way(hop.link(), hop.low() << 16, 0);
    }
  }

  /**
   * What hashes of flows begin with: the router's own addresses. Each router behind another chooses
   * by itself then, and as it did before a restart.
   */
  private static long seed(List<RouterLink> links) {
    long seed = 0;
    for (RouterLink link : links) {
      for (String address : link.addresses()) {
        seed = (seed + address.hashCode()) * 0x9E37_79B9_7F4A_7C15L;
      }
    }
    return seed;
  }

  /**
   * @param links in the order of their numbers
   * @throws IllegalArgumentException if a network is on two of them
   */
  public RoutingTable(List<RouterLink> links) {
    this.links = List.copyOf(links);
    hashSeed = seed(links);
    for (int i = 0; i < links.size(); i++) {
      for (IpPrefix prefix : links.get(i).prefixes()) {
        List<Hop> hops = List.of(Hop.onLink(i));
        List<Hop> others = routes.getOrDefault(prefix, hops);
        if (!others.equals(hops)) {
          throw new IllegalArgumentException(
              "network is on two links: network=%s, links=%s, %s; give each a network of its own"
                  .formatted(
                      RouteText.text(prefix),
                      links.get(others.getFirst().link()).name(),
                      links.get(i).name()));
        }
        put(prefix, hops);
      }
    }
    for (RouterLink link : links) {
      for (IpPrefix all : link.broadcasts()) {
        put(all, List.of(Hop.of(Hop.Kind.LOCAL)));
      }
    }
    for (RouterLink link : links) {
      for (IpPrefix host : link.hosts()) {
        put(host, List.of(Hop.of(Hop.Kind.LOCAL)));
      }
    }
  }

  /** Of the hashes that next hops of equal cost are chosen by. */
  long hashSeed() {
    return hashSeed;
  }

  /** In the order of their numbers. */
  public List<RouterLink> links() {
    return links;
  }

  /** The number of a link; -1 if there is none of that name. */
  public int linkNumber(String name) {
    return links.stream().map(RouterLink::name).toList().indexOf(name);
  }

  /** The number of the link that has an address; -1 if none has. */
  public int linkOf(IpPrefix address) {
    for (int i = 0; i < links.size(); i++) {
      if (links.get(i).contains(address)) {
        return i;
      }
    }
    return -1;
  }

  /** Prefixes that have a route now. */
  synchronized Set<IpPrefix> prefixes() {
    return Set.copyOf(routes.keySet());
  }

  /** Routes that are known, of both versions. */
  public synchronized int size() {
    return routes.size();
  }

  /**
   * Adds a route, or changes it.
   *
   * @param hops 1 to {@link #MOST_HOPS}; several have equal cost, and flows are spread over them by
   *     weight
   * @throws IllegalArgumentException if the next hop of one is on no link, of the other version, or
   *     no other host
   */
  public synchronized void put(IpPrefix prefix, List<Hop> hops) {
    check(prefix, hops);
    int number = group(hops);
    List<Hop> before = routes.put(prefix, List.copyOf(hops));
    switch (prefix) {
      case Ipv4Prefix some -> {
        int _ = ipv4.put(some, number);
      }
      case Ipv6Prefix some -> {
        int _ = ipv6.put(some, number);
      }
    }
    if (before != null) {
      release(before);
    }
  }

  private void check(IpPrefix prefix, List<Hop> hops) {
    if (hops.isEmpty() || hops.size() > MOST_HOPS) {
      throw new IllegalArgumentException(
          "wrong number of hops: prefix=%s, hops=%d; write 1 to %d"
              .formatted(prefix, hops.size(), MOST_HOPS));
    }
    boolean isKnown = numbers.containsKey(hops);
    for (Hop hop : hops) {
      if (hop.link() >= links.size()) {
        throw new IllegalArgumentException(
            "no such link: prefix=%s, link=%d; there are %d"
                .formatted(prefix, hop.link(), links.size()));
      }
      if (hop.version() != 0 && hop.version() != prefix.version()) {
        throw new IllegalArgumentException(
            "next hop is of another version of IP: prefix=%s, via=%s"
                .formatted(prefix, hop.address()));
      }
      if (hop.version() == 0 || isKnown) {
        continue;
      }
      RouterLink link = links.get(hop.link());
      IpPrefix via = IpPrefix.parse(hop.address());
      boolean isNameless = hop.version() == 6 && link.prefixNumber(hop.high()) < 0;
      if (isNameless || !link.contains(via)) {
        throw new IllegalArgumentException(
            "next hop is not on its link: prefix=%s, via=%s, dev=%s; there are %s"
                .formatted(prefix, hop.address(), link.name(), link.addresses()));
      }
      if (!link.hasRoomFor(via)) {
        throw new IllegalArgumentException(
            "next hop is no other host: prefix=%s, via=%s, dev=%s; write another of %s"
                .formatted(prefix, hop.address(), link.name(), link.addresses()));
      }
    }
  }

  /**
   * Removes a route.
   *
   * @return whether it was there
   */
  public synchronized boolean remove(IpPrefix prefix) {
    List<Hop> before = routes.remove(prefix);
    if (before == null) {
      return false;
    }
    switch (prefix) {
      case Ipv4Prefix some -> {
        int _ = ipv4.remove(some);
      }
      case Ipv6Prefix some -> {
        int _ = ipv6.remove(some);
      }
    }
    release(before);
    return true;
  }

  private int group(List<Hop> hops) {
    List<Hop> key = List.copyOf(hops);
    Integer known = numbers.get(key);
    if (known != null) {
      uses[known]++;
      return known;
    }
    FreeGroup oldest = free.peekFirst();
    int number = oldest != null && oldest.isForgotten() ? free.removeFirst().number : used++;
    if (number == uses.length) {
      groups = Arrays.copyOf(groups, 2 * number);
      uses = Arrays.copyOf(uses, 2 * number);
    }
    groups[number] = new HopGroup(key, links);
    VarHandle.releaseFence(); // Who finds the number finds the hops: see groups().
    uses[number] = 1;
    numbers.put(key, number);
    return number;
  }

  private void release(List<Hop> hops) {
    int number = Objects.requireNonNull(numbers.get(hops), "group");
    if (--uses[number] == 0) {
      numbers.remove(hops);
      free.addLast(new FreeGroup(number, System.nanoTime()));
    }
  }

  /**
   * The numbers of the hops of many addresses of IPv4, for packets.
   *
   * @param found to be filled, for {@link #group}
   */
  void lookUp(int[] addresses, int[] found, int count) {
    ipv4.lookUp(addresses, found, count);
  }

  /** As {@link #lookUp(int[], int[], int)}, of IPv6. */
  void lookUp(long[] highs, long[] lows, int[] found, int count) {
    ipv6.lookUp(highs, lows, found, count);
  }

  /** The hops of an address of IPv4; null: there is no route. */
  @Nullable HopGroup lookUp(int address) {
    return group(ipv4.lookUp(address));
  }

  /** As {@link #lookUp(int)}, of IPv6. */
  @Nullable HopGroup lookUp(long high, long low) {
    return group(ipv6.lookUp(high, low));
  }

  /** The hops of a number; null: there is no route. */
  @Nullable HopGroup group(int number) {
    return number < 0 ? null : groups()[number];
  }

  /** The hops of each number that was looked up until now. */
  @Nullable HopGroup[] groups() {
    VarHandle.acquireFence();
    return groups;
  }

  /** The hops of the route that an address has, if it has any. */
  public synchronized Optional<List<Hop>> hops(IpPrefix prefix) {
    return Optional.ofNullable(routes.get(prefix));
  }

  /** The route of an address, as {@link RouteText} writes it; "no route" if it has none. */
  public synchronized String route(String address) {
    HopGroup group =
        address.indexOf(':') < 0
            ? lookUp(Ipv4Address.parse(address))
            : lookUp(Ipv6Address.parse(address).high(), Ipv6Address.parse(address).low());
    if (group == null) {
      return "no route";
    }
    return RouteText.hops(Arrays.stream(group.places).distinct().toList(), links);
  }

  /** Routes as {@link RouteText} writes them, a line each, in the order of their prefixes. */
  public synchronized String text(int most) {
    return routes.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(RouteText.BY_PREFIX))
        .limit(most)
        .map(route -> RouteText.line(route.getKey(), route.getValue(), links))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Override
  public String toString() {
    return "routes between "
        + links.stream().map(RouterLink::name).collect(Collectors.joining(", "));
  }
}
