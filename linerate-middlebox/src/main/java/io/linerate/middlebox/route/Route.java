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
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Rewrite;
import java.util.Arrays;
import java.util.List;
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

  /** The first 10 bits of fe80::/10. */
  private static final long LINK_LOCAL = 0xFE80L >>> 6;

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
  private static final class Router implements BurstHandler {
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
    private final HeaderScanner[] scanners;
    private final Lookups destinations;
    private final Lookups sources;
    private final FlowKey flow = new FlowKey();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();

    Router(Route route, Wiring wiring) {
      table = route.table;
      scanners = new HeaderScanner[wiring.maxBurst()];
      Arrays.setAll(scanners, _ -> new HeaderScanner());
      destinations = new Lookups(table, scanners.length);
      sources = new Lookups(table, scanners.length);
      link = route.link;
      check = route.check;
      int links = table.links().size();
      ipv4Out = new Outlet[links];
      ipv6Out = new Outlet[links];
      for (int i = 0; i < links; i++) {
        ipv4Out[i] = wiring.output("ipv4-" + (i + 1));
        ipv6Out[i] = wiring.output("ipv6-" + (i + 1));
      }
      local = wiring.output("local");
      countsHops = route.countsHops;
      expired = wiring.output("expired");
      unreachable = wiring.output("unreachable");
      prohibited = wiring.output("prohibited");
    }

    /** Looks all up together: who waits for memory waits for several at once. */
    @Override
    public void onBurst(Burst burst) {
      destinations.clear();
      sources.clear();
      for (Packet packet : burst) {
        read(packet);
      }
      destinations.find();
      sources.find();
      for (Packet packet : burst) {
        switch (scanners[packet.index()].ipVersion()) {
          case Ipv4.VERSION -> routeIpv4(packet);
          case Ipv6.VERSION -> routeIpv6(packet);
          default -> packet.drop(NOT_IP);
        }
      }
    }

    private void read(Packet packet) {
      HeaderScanner scanner = scanners[packet.index()];
      scanner.scan(packet);
      switch (scanner.ipVersion()) {
        case Ipv4.VERSION -> {
          ipv4.wrap(packet, scanner.l3Offset());
          destinations.add(ipv4.destination());
          if (check != Check.OFF) {
            sources.add(ipv4.source());
          }
        }
        case Ipv6.VERSION -> {
          ipv6.wrap(packet, scanner.l3Offset());
          destinations.add(ipv6.destinationHigh(), ipv6.destinationLow());
          if (check != Check.OFF) {
            sources.add(ipv6.sourceHigh(), ipv6.sourceLow());
          }
        }
        default -> {
          // It has no route.
        }
      }
    }

    private void routeIpv4(Packet packet) {
      HopGroup group = destinations.nextIpv4();
      int destination = destinations.lastIpv4();
      if (check != Check.OFF && isForged(sources.nextIpv4())) {
        packet.drop(BAD_REVERSE_PATH);
      } else if (destination >>> 28 >= 14) { // Groups, and all hosts.
        local.send(packet, NOT_ROUTED);
      } else if (destination >>> 24 == 0 || destination >>> 24 == 127) {
        packet.drop(CheckIpv6.BAD_DESTINATION);
      } else {
        ipv4.wrap(packet, scanners[packet.index()].l3Offset());
        leave(packet, ipv4.source() == 0, group, ipv4Out);
      }
    }

    private void routeIpv6(Packet packet) {
      HopGroup group = destinations.nextIpv6();
      long high = destinations.lastIpv6();
      boolean isForThisLink = high >>> 56 == 0xFF || high >>> 54 == LINK_LOCAL;
      if (check != Check.OFF && isForgedIpv6()) {
        packet.drop(BAD_REVERSE_PATH);
      } else if (isForThisLink) {
        local.send(packet, NOT_ROUTED);
      } else {
        ipv6.wrap(packet, scanners[packet.index()].l3Offset());
        long source = ipv6.sourceHigh();
        boolean stays = source >>> 54 == LINK_LOCAL || (source == 0 && ipv6.sourceLow() == 0);
        leave(packet, stays, group, ipv6Out);
      }
    }

    private boolean isForgedIpv6() {
      HopGroup back = sources.nextIpv6();
      return sources.lastIpv6() >>> 54 != LINK_LOCAL && isForged(back);
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
      HeaderScanner scanner = scanners[packet.index()];
      if (stays && countsHops && (group == null || group.places[0].kind() != Hop.Kind.LOCAL)) {
        packet.drop(CheckIpv4.BAD_SOURCE);
        return;
      }
      if (group == null) {
        unreachable.send(packet, NO_ROUTE);
        return;
      }
      int place = group.places.length == 1 ? 0 : choose(packet, scanner, group.places.length);
      Hop hop = group.places[place];
      switch (hop.kind()) {
        case FORWARD -> {
          if (countsHops && !Rewrite.decrementHops(packet, scanner)) {
            expired.send(packet, DecrementTtl.TTL_EXPIRED);
            return;
          }
          packet.u16(0, group.prefixNumbers[place]);
          if (hop.version() == 6) {
            packet.u64(Short.BYTES, hop.low());
          } else {
            packet.i32(Short.BYTES, (int) hop.low());
          }
          outs[hop.link()].send(packet, NO_ROUTE);
        }
        case LOCAL -> local.send(packet, NOT_ROUTED);
        case BLACKHOLE -> packet.drop(BLACKHOLE);
        case UNREACHABLE -> unreachable.send(packet, NO_ROUTE);
        case PROHIBIT -> prohibited.send(packet, PROHIBITED);
      }
    }

    private int choose(Packet packet, HeaderScanner scanner, int places) {
      return flow.read(packet, scanner)
          ? (int) (((flow.hash() >>> Integer.SIZE) * places) >>> Integer.SIZE)
          : 0;
    }
  }
}
