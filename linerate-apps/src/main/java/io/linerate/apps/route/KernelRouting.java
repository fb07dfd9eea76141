package io.linerate.apps.route;

import io.linerate.core.config.Configuration;
import io.linerate.driver.linux.route.KernelRoute;
import io.linerate.driver.linux.route.KernelRoutes;
import io.linerate.middlebox.route.Hop;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Ipv6Prefix;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes the kernel's routes over into a table, those by interfaces that have the names of links:
 * what a routing daemon writes there. Of several to one prefix the one of the lowest metric counts.
 */
public final class KernelRouting implements AutoCloseable {
  private final RoutingTable table;
  private final @Nullable KernelRoutes routes;

  /**
   * Networks and addresses of links: what comes by the kernel from others takes no place of these.
   */
  private final Set<IpPrefix> own = new HashSet<>();

  /** By prefix, then by metric. */
  private final Map<IpPrefix, TreeMap<Long, List<Hop>>> known = new HashMap<>();

  KernelRouting(RoutingTable table, boolean isOn) {
    this.table = table;
    for (RouterLink link : table.links()) {
      for (String address : link.addresses()) {
        own.add(IpPrefix.parse(address));
        own.add(IpPrefix.parse(address.substring(0, address.indexOf('/'))));
      }
    }
    routes = isOn ? new KernelRoutes(this::changed) : null;
  }

  /** Begins, if a configuration wants it. */
  public static KernelRouting start(Configuration configuration, RoutingTable table) {
    return new KernelRouting(table, configuration.engine().get(RouteConfiguration.KERNEL_ROUTES));
  }

  private static ByteBuffer bytes(List<Byte> some) {
    ByteBuffer bytes = ByteBuffer.allocate(some.size());
    some.forEach(bytes::put);
    return bytes.flip();
  }

  private static IpPrefix prefix(List<Byte> address, int bits) {
    ByteBuffer bytes = bytes(address);
    return address.size() == Integer.BYTES
        ? Ipv4Prefix.of(bytes.getInt(0), bits)
        : Ipv6Prefix.of(bytes.getLong(0), bytes.getLong(Long.BYTES), bits);
  }

  /**
   * Takes a route over, or gives it up.
   *
   * @throws IllegalArgumentException if the table cannot have it: it has none to the prefix then,
   *     since the one of before holds no more
   */
  void changed(KernelRoute route) {
    if (route.isOfKernel() || route.kind() == KernelRoute.Kind.OTHER) {
      return;
    }
    IpPrefix prefix = prefix(route.destination(), route.bits());
    if (own.contains(prefix)) {
      return;
    }
    TreeMap<Long, List<Hop>> ofPrefix = known.computeIfAbsent(prefix, _ -> new TreeMap<>());
    List<Hop> hops = hops(route);
    if (route.isGone() || hops.isEmpty()) {
      ofPrefix.remove(route.metric());
    } else {
      ofPrefix.put(route.metric(), hops);
    }
    if (ofPrefix.isEmpty()) {
      known.remove(prefix);
      boolean _ = table.remove(prefix);
    } else {
      put(prefix, ofPrefix.firstEntry().getValue());
    }
  }

  private void put(IpPrefix prefix, List<Hop> hops) {
    try {
      table.put(prefix, hops);
    } catch (IllegalArgumentException e) {
      boolean _ = table.remove(prefix);
      throw e;
    }
  }

  private List<Hop> hops(KernelRoute route) {
    return switch (route.kind()) {
      case UNICAST -> forwards(route);
      case LOCAL -> List.of(Hop.of(Hop.Kind.LOCAL));
      case BLACKHOLE -> List.of(Hop.of(Hop.Kind.BLACKHOLE));
      case UNREACHABLE -> List.of(Hop.of(Hop.Kind.UNREACHABLE));
      case PROHIBIT -> List.of(Hop.of(Hop.Kind.PROHIBIT));
      case OTHER -> List.of();
    };
  }

  private List<Hop> forwards(KernelRoute route) {
    List<Hop> hops = new ArrayList<>();
    for (KernelRoute.Hop hop : route.hops()) {
      int link = linkOf(hop.interfaceIndex());
      if (link >= 0) {
        hops.add(hop(link, hop).withWeight(Math.min(hop.weight(), Hop.MAX_WEIGHT)));
      }
    }
    return hops;
  }

  private static Hop hop(int link, KernelRoute.Hop hop) {
    ByteBuffer gateway = bytes(hop.gateway());
    return switch (hop.gateway().size()) {
      case 0 -> Hop.onLink(link);
      case Integer.BYTES -> Hop.via(link, gateway.getInt(0));
      default -> Hop.via(link, new Ipv6Address(gateway.getLong(0), gateway.getLong(Long.BYTES)));
    };
  }

  private int linkOf(int interfaceIndex) {
    try {
      NetworkInterface some = NetworkInterface.getByIndex(interfaceIndex);
      return some == null ? -1 : table.linkNumber(some.getName());
    } catch (SocketException e) {
      return -1;
    }
  }

  @Override
  public void close() {
    if (routes != null) {
      routes.close();
    }
  }
}
