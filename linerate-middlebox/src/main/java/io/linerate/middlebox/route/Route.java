package io.linerate.middlebox.route;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.CheckIpv4;
import io.linerate.graph.element.CheckIpv6;
import io.linerate.graph.element.DecrementTtl;
import io.linerate.middlebox.route.RoutingTable.HopGroup;
import io.linerate.middlebox.route.RoutingTable.Way;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.PlainIpv4;
import io.linerate.wire.PlainIpv6;
import io.linerate.wire.Rewrite;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends packets of IPv4 and IPv6 to the links by which their routes lead, each with its next hop
 * where the inputs {@code via} of ArpQuerier and NeighborDiscovery look for it. Flows are spread
 * over hops of equal cost by a hash of addresses, protocol and ports (RFC 2992). It sends no
 * redirects.
 *
 * <pre>
 * inputs      in: sound packets, in frames without tags
 * outputs     ipv4-1, ipv6-1, ipv4-2, ...: for each link of the table
 *             local (may be left unconnected: such packets are dropped): for the router itself, or to
 *             several hosts
 *             expired, unreachable, prohibited (may be left unconnected: such packets are dropped):
 *             to be told to their senders, as they came
 * parameters  table: its routes may change while packets flow
 *             link: number of that which packets come by
 *             check: of their sources (RFC 3704): OFF; LOOSE: there is a route to them; STRICT: it
 *             leads to the link
 *             countsHops: whether packets lose a hop, as all do but the router's own
 * drops       not_routed: of local; ttl_expired: of expired
 *             no_route: of unreachable; prohibited: of that
 *             blackhole: a route says so
 *             bad_reverse_path: the check
 *             bad_source: of what would leave: 0.0.0.0, ::, fe80::/10; bad_destination: 0.0.0.0/8,
 *             127.0.0.0/8
 *             not_ip: neither IPv4 nor IPv6
 * reads       routes: how many; table: up to 1,000 of them, as ip route writes them
 * writes      add: a route, as ip route writes it; remove: a prefix
 * example     Node route = g.add("route", new Route(table, 0, Route.Check.STRICT, true));
 *             g.chain(received, route.in("in")); g.chain(route.out("ipv4-2"), wan.in("via"))
 * </pre>
 */
public record Route(RoutingTable table, int link, Check check, boolean countsHops)
    implements Element {
  public static final DropReason NOT_ROUTED = DropReason.named("not_routed");
  public static final DropReason NO_ROUTE = DropReason.named("no_route");
  public static final DropReason PROHIBITED = DropReason.named("prohibited");
  public static final DropReason BLACKHOLE = DropReason.named("blackhole");
  public static final DropReason BAD_REVERSE_PATH = DropReason.named("bad_reverse_path");
  private static final DropReason NOT_IP = DropReason.named("not_ip");

  private static final int MOST_SHOWN = 1_000;

  /** From here on the first 8 bits of an IPv4 address mean groups, and all hosts. */
  private static final int GROUPS = 224;

  /** Of the sources of packets: RFC 3704. */
  public enum Check {
    OFF,
    LOOSE,
    STRICT
  }

  @Override
  public Shape shape() {
    Shape shape = Shape.NONE.input("in");
    for (int i = 1; i <= table.links().size(); i++) {
      shape = shape.optionalOutput("ipv4-" + i).optionalOutput("ipv6-" + i);
    }
    return shape
        .optionalOutput("local")
        .optionalOutput("expired")
        .optionalOutput("unreachable")
        .optionalOutput("prohibited");
  }

  @Override
  public List<String> problems() {
    return link >= 0 && link < table.links().size()
        ? List.of()
        : List.of("no such link: link=" + link + "; write 0 to " + (table.links().size() - 1));
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Router(this, wiring));
    wiring.readShared("routes", ValueType.NUMBER, () -> (long) table.size());
    wiring.readShared("table", ValueType.TEXT, () -> table.text(MOST_SHOWN));
    wiring.writeShared("add", ValueType.TEXT, line -> RouteText.add(line, table));
    wiring.writeShared("remove", ValueType.TEXT, prefix -> RouteText.remove(prefix, table));
  }

  /** On one worker. */
  private static final class Router implements BurstHandler, Consumer<Packet> {
    private final RoutingTable table;
    private final int link;
    private final Check check;
    private final Outlet[] ipv4Out;
    private final Outlet[] ipv6Out;
    private final Outlet local;
    private final boolean countsHops;
    private final Outlet expired;
    private final Outlet unreachable;
    private final Outlet prohibited;
    private final Lookups destinations;
    private final Lookups sources;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final FlowKey flow;
    private final Others routingOthers = new Others();

    /** By which most of a burst leaves, at once: that of its first packet. */
    private @Nullable Outlet most;

    Router(Route route, Wiring wiring) {
      table = route.table;
      flow = new FlowKey(table.hashSeed());
      destinations = new Lookups(table, false, wiring.maxBurst());
      sources = new Lookups(table, true, wiring.maxBurst());
      link = route.link;
      check = route.check;
      int links = table.links().size();
      ipv4Out = new Outlet[links];
      ipv6Out = new Outlet[links];
      for (int i = 0; i < links; i++) {
        ipv4Out[i] = wiring.output("ipv4-" + (i + 1), NO_ROUTE);
        ipv6Out[i] = wiring.output("ipv6-" + (i + 1), NO_ROUTE);
      }
      local = wiring.output("local", NOT_ROUTED);
      countsHops = route.countsHops;
      expired = wiring.output("expired", DecrementTtl.TTL_EXPIRED);
      unreachable = wiring.output("unreachable", NO_ROUTE);
      prohibited = wiring.output("prohibited", PROHIBITED);
    }

    /** Looks all up together: who waits for memory waits for several at once. */
    @Override
    public void onBurst(Burst burst) {
      destinations.find(burst);
      if (check != Check.OFF) {
        sources.find(burst);
      }
      most = null;
      if (destinations.hasIpv4()) {
        burst.forEach(this);
      }
      if (destinations.hasOthers()) {
        routeOthers(burst);
      }
      Outlet out = most;
      if (out != null) {
        out.push(burst);
      }
    }

    /** Routes what is plain IPv4, if nothing is to be said against it. */
    @Override
    public void accept(Packet packet) {
      int place = packet.index();
      if (!destinations.isIpv4(place)
          || (check != Check.OFF && isForged(place))
          || !routeIpv4(packet, way(packet, destinations.hops(place)))) {
        destinations.forget(place);
      }
    }

    /**
     * @return whether it was routed; if not, nothing has changed
     */
    private boolean routeIpv4(Packet packet, @Nullable Way way) {
      if (way == null
          || PlainIpv4.source(packet) == 0
          || !Ipv4Address.isHost(PlainIpv4.destination(packet))
          || (countsHops && !PlainIpv4.decrementTtl(packet))) {
        return false;
      }
      packet.u64(0, way.word());
      leave(packet, ipv4Out[way.link()]);
      return true;
    }

    /** What was not routed. Apart, so that the compiler need not make one piece of it all. */
    private final class Others implements Consumer<Packet> {
      @Override
      public void accept(Packet packet) {
        int place = packet.index();
        if (destinations.isIpv4(place)) {
          return; // It was routed.
        }
        if (!destinations.isIpv6(place)
            || (check != Check.OFF && isForged(place))
            || !routeIpv6(packet, way(packet, destinations.hops(place)))) {
          routeOther(packet);
        }
      }
    }

    private void routeOthers(Burst burst) {
      burst.forEach(routingOthers);
    }

    private boolean routeIpv6(Packet packet, @Nullable Way way) {
      long sourceHigh = PlainIpv6.sourceHigh(packet);
      if (way == null
          || isOfLink(PlainIpv6.destinationHigh(packet))
          || isOfLink(sourceHigh)
          || (sourceHigh | PlainIpv6.sourceLow(packet)) == 0
          || (countsHops && !PlainIpv6.decrementHopLimit(packet))) {
        return false;
      }
      packet.u64(0, way.word());
      packet.u16(Long.BYTES, way.rest());
      leave(packet, ipv6Out[way.link()]);
      return true;
    }

    private boolean isForged(int place) {
      boolean isKnown = sources.isIpv4(place) || sources.isIpv6(place);
      return !isKnown || isForged(sources.hops(place));
    }

    /** The way of a packet; null if it does not go on. */
    private @Nullable Way way(Packet packet, @Nullable HopGroup hops) {
      if (hops == null) {
        return null;
      }
      return hops.only != null || hops.ways.length == 1 ? hops.only : choose(packet, hops);
    }

    private @Nullable Way choose(Packet packet, HopGroup hops) {
      scanner.scan(packet);
      return hops.ways[choose(packet, hops.ways.length)];
    }

    /** Groups, and addresses of one link alone. */
    private static boolean isOfLink(long high) {
      return Ipv6Address.isMulticast(high) || Ipv6Address.isLinkLocal(high);
    }

    /** A packet that was just scanned. */
    private int choose(Packet packet, int places) {
      return flow.read(packet, scanner)
          ? (int) (((flow.hash() >>> Integer.SIZE) * places) >>> Integer.SIZE)
          : 0;
    }

    private void leave(Packet packet, Outlet out) {
      if (most == null) {
        most = out;
      } else if (most != out) {
        out.send(packet);
      }
    }

    /** All that is not forwarded, and what is in frames of another form, by itself. */
    private void routeOther(Packet packet) {
      scanner.scan(packet);
      switch (scanner.ipVersion()) {
        case Ipv4.VERSION -> routeOtherIpv4(packet);
        case Ipv6.VERSION -> routeOtherIpv6(packet);
        default -> packet.drop(NOT_IP);
      }
    }

    private void routeOtherIpv4(Packet packet) {
      int source = ipv4.wrap(packet, scanner.l3Offset()).source();
      int destination = ipv4.destination();
      int first = destination >>> 24;
      boolean isAsking = source == 0 && first >= GROUPS; // As clients of DHCP do.
      if (check != Check.OFF && !isAsking && isForged(table.lookUp(source))) {
        packet.drop(BAD_REVERSE_PATH);
      } else if (first >= GROUPS) {
        local.send(packet);
      } else if (!Ipv4Address.isHost(destination)) {
        packet.drop(CheckIpv6.BAD_DESTINATION);
      } else {
        leave(packet, source == 0, table.lookUp(destination), ipv4Out);
      }
    }

    private void routeOtherIpv6(Packet packet) {
      long sourceHigh = ipv6.wrap(packet, scanner.l3Offset()).sourceHigh();
      long sourceLow = ipv6.sourceLow();
      long high = ipv6.destinationHigh();
      long low = ipv6.destinationLow();
      boolean isUnspecified = (sourceHigh | sourceLow) == 0;
      // Or who looks for an address: RFC 4862, section 5.4.2.
      boolean isNeighbor = Ipv6Address.isLinkLocal(sourceHigh) || (isUnspecified && isOfLink(high));
      if (check != Check.OFF && !isNeighbor && isForged(table.lookUp(sourceHigh, sourceLow))) {
        packet.drop(BAD_REVERSE_PATH);
      } else if (isOfLink(high)) {
        local.send(packet);
      } else {
        boolean stays = isNeighbor || isUnspecified;
        leave(packet, stays, table.lookUp(high, low), ipv6Out);
      }
    }

    /** Whether nothing would be sent to where it says that it comes from. */
    private boolean isForged(@Nullable HopGroup back) {
      if (back == null) {
        return true;
      }
      for (Hop hop : back.places) {
        if (hop.kind() == Hop.Kind.FORWARD && (check == Check.LOOSE || hop.link() == link)) {
          return false;
        }
      }
      return true;
    }

    /**
     * @param stays whether its source is one of this link only, or none: it goes no further than to
     *     the router (RFC 1122, section 3.2.1.3; RFC 4291, sections 2.5.2 and 2.5.6)
     */
    private void leave(Packet packet, boolean stays, @Nullable HopGroup group, Outlet[] outs) {
      if (stays && countsHops && (group == null || group.places[0].kind() != Hop.Kind.LOCAL)) {
        packet.drop(CheckIpv4.BAD_SOURCE);
        return;
      }
      if (group == null) {
        unreachable.send(packet);
        return;
      }
      int place = group.places.length == 1 ? 0 : choose(packet, group.places.length);
      Hop hop = group.places[place];
      switch (hop.kind()) {
        case FORWARD -> {
          if (countsHops && !Rewrite.decrementHops(packet, scanner)) {
            expired.send(packet);
            return;
          }
          Way way = Objects.requireNonNull(group.ways[place]);
          packet.u64(0, way.word());
          packet.u16(Long.BYTES, way.rest());
          leave(packet, outs[way.link()]);
        }
        case LOCAL -> local.send(packet);
        case BLACKHOLE -> packet.drop(BLACKHOLE);
        case UNREACHABLE -> unreachable.send(packet);
        case PROHIBIT -> prohibited.send(packet);
      }
    }
  }
}
