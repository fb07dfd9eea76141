package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.MacAddress;
import java.util.List;

/**
 * Gives IPv4 packets the Ethernet addresses of their next hops on a link, which it asks for by ARP:
 * RFC 826 and RFC 1122, section 2.3.2. The next hop is the destination, if the link has it, or else
 * the router; packets to all hosts or to a group (RFC 1112) ask nobody.
 *
 * <p>Packets wait while their neighbor is asked for: three times, a second apart. An address is
 * confirmed by a question to its neighbor when it is used after some time, and forgotten after a
 * longer one; so it changes by itself with its neighbor, as a gratuitous ARP changes it. Who is
 * believed is whoever answers, as everywhere with ARP. It answers no requests: put an ArpResponder
 * before the input replies. Frames are untagged: put a VlanPush behind it for a link with tags.
 *
 * <pre>
 * inputs      in: frames of IPv4 packets, whose Ethernet addresses are written
 *             via: the same, of which bytes 2 to 5 are the address of the next hop on the link, as a
 *             router's table has it, behind two of 0; 0: the destination
 *             replies: what came from the link. On a port with several queues an answer comes to
 *             one worker, which tells the others
 * outputs     out: frames, and ARP requests
 *             unreachable (may be left unconnected: such packets are dropped): packets whose next
 *             hop there is not or does not answer, as they came, for IcmpError
 *             rest (may be left unconnected: such packets are dropped): of replies, what is not ARP
 * parameters  mac: its own, such as 02:00:5e:10:00:01
 *             address: its own, with the prefix of the link: 192.0.2.1/24
 *             router: 192.0.2.254; "" where there is none
 *             limits: see NeighborLimits; without it 1024 neighbors, 64 unresolved, 16 packets
 *             held for each, 100 queries a second
 * drops       not_ipv4, tagged; truncated_ip and others of CheckIpv4: the header
 *             no_route: neither on the link nor a router, or to an address that is no host's, or
 *             its own
 *             neighbour_full: the oldest of too many packets for a neighbor that was asked for
 *             unresolved_full: for a new neighbor while too many are asked for, none of which has
 *             had a tenth of a second to answer
 *             unresolved: of unreachable
 *             consumed: ARP, read; not_used: of rest
 *             malformed: announced as ARP, but no whole message of IPv4 over Ethernet, or its
 *             sender has a group address
 * reads       count: neighbors whose address is known; unresolved: that are asked for
 *             table: one in a line. Reading it stops the worker: 10 ms for a hundred thousand
 *             queries; queries_delayed: by their rate; unanswered: neighbors that did not answer;
 *             displaced: that gave way for others before the end of their time; forgotten: that
 *             were known; conflicts: messages of others who use its address
 * writes      add: an address for good, as in 192.0.2.7 02:00:00:00:00:07
 *             clear: 192.0.2.7, or all
 * example     g.chain(kind.out("ip"), arpq, toPort);
 *             g.chain(kind.out("arp"), arpResponder.out("rest"), arpq.in("replies"))
 * </pre>
 */
public record ArpQuerier(String mac, String address, String router, NeighborLimits limits)
    implements Element {
  public static final DropReason NO_ROUTE = DropReason.named("no_route");
  public static final DropReason NOT_USED = DropReason.named("not_used");
  public static final DropReason TAGGED = DropReason.named("tagged");

  public ArpQuerier(String mac, String address, String router) {
    this(mac, address, router, NeighborLimits.USUAL);
  }

  @Override
  public Shape shape() {
    return Shape.NONE
        .alternativeInput("in")
        .alternativeInput("via")
        .output("out")
        .optionalInput("replies")
        .optionalOutput("unreachable")
        .optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    Parameters parameters =
        Parameters.check()
            .parses("mac", mac, NeighborProtocol::parseMac)
            .parses("address", address, Ipv4Network::parse)
            .parsesIfAny("router", router, Ipv4Address::parse);
    return limits.check(parameters).problems();
  }

  @Override
  public void open(Wiring wiring) {
    Querier querier = new Querier(this, wiring);
    wiring.input("in", querier::onPackets);
    wiring.input("via", querier::onRouted);
    wiring.input("replies", querier::onReplies);
    wiring.count("conflicts", () -> querier.conflicts);
  }

  /** On one worker. */
  private static final class Querier implements NeighborProtocol {
    /** RFC 1112, section 6.4: the last 23 bits of the group follow. */
    private static final long GROUP_MAC = 0x0100_5E00_0000L;

    private static final int GROUP_BITS = 0x7F_FFFF;

    private final long ownMac;
    private final Ipv4Network network;
    private final boolean hasRouter;
    private final int router;
    private final Outlet out;
    private final Outlet rest;
    private final Neighbors neighbors;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ipv4 ipv4 = new Ipv4();
    private final Arp arp = new Arp();
    private final ArpRequests requests;
    private long conflicts;

    Querier(ArpQuerier querier, Wiring wiring) {
      ownMac = MacAddress.parse(querier.mac);
      network = Ipv4Network.parse(querier.address);
      hasRouter = !querier.router.isEmpty();
      router = hasRouter ? Ipv4Address.parse(querier.router) : 0;
      out = wiring.output("out");
      rest = wiring.output("rest");
      requests = new ArpRequests(out, ownMac);
      neighbors = new Neighbors(wiring, querier.limits, ownMac, this);
    }

    void onPackets(Burst burst) {
      for (Packet packet : burst) {
        DropReason defect = LinkPackets.defect(packet, scanner, EtherType.IPV4, CheckIpv4.NOT_IPV4);
        if (defect != null) {
          packet.drop(defect);
        } else {
          address(packet, ipv4.wrap(packet, scanner.l3Offset()).destination());
        }
      }
      out.push(burst);
    }

    void onRouted(Burst burst) {
      for (Packet packet : burst) {
        DropReason defect = LinkPackets.defect(packet, scanner, EtherType.IPV4, CheckIpv4.NOT_IPV4);
        if (defect != null) {
          packet.drop(defect);
        } else {
          int hop = packet.i32(Short.BYTES);
          address(packet, hop == 0 ? ipv4.wrap(packet, scanner.l3Offset()).destination() : hop);
        }
      }
      out.push(burst);
    }

    private void address(Packet packet, int destination) {
      if (network.isBroadcast(destination)) {
        neighbors.address(packet, MacAddress.BROADCAST);
      } else if (destination >>> 28 == 14) {
        neighbors.address(packet, GROUP_MAC | (destination & GROUP_BITS));
      } else if (!Ipv4Address.isHost(destination) || destination == network.address()) {
        neighbors.drop(packet, NO_ROUTE);
      } else if (network.contains(destination)) {
        neighbors.address(packet, 0, Integer.toUnsignedLong(destination));
      } else if (hasRouter) {
        neighbors.address(packet, 0, Integer.toUnsignedLong(router));
      } else {
        neighbors.drop(packet, NO_ROUTE);
      }
    }

    void onReplies(Burst burst) {
      for (Packet packet : burst) {
        scanner.scan(packet);
        if (scanner.etherType() != EtherType.ARP || scanner.vlanTags() > 0) {
          rest.send(packet, NOT_USED);
        } else if (!isSound(packet)) {
          packet.drop(DropReason.MALFORMED);
        } else {
          hear();
          packet.drop(DropReason.CONSUMED);
        }
      }
    }

    private boolean isSound(Packet packet) {
      int at = scanner.l3Offset();
      return Arp.fits(packet, at)
          && NeighborProtocol.isStation(arp.wrap(packet, at).senderHardwareAddress());
    }

    /** RFC 826: who is known is updated by any message; who asks for us is taken up. */
    private void hear() {
      int sender = arp.senderProtocolAddress();
      long mac = arp.senderHardwareAddress();
      if (sender == network.address()) {
        conflicts += mac == ownMac ? 0 : 1;
      } else if (Ipv4Address.isHost(sender)) {
        boolean isToUs = arp.targetProtocolAddress() == network.address();
        boolean isAnswer = isToUs && arp.operation() == Arp.REPLY;
        boolean isNewcomer = isToUs && arp.operation() == Arp.REQUEST;
        neighbors.hear(0, Integer.toUnsignedLong(sender), mac, isAnswer, true, isNewcomer);
      }
    }

    @Override
    public boolean ask(long high, long low, long mac) {
      return requests.send(
          network.address(), (int) low, mac == ANYBODY ? MacAddress.BROADCAST : mac);
    }

    @Override
    public Ipv6Address parse(String text) {
      return new Ipv6Address(0, Integer.toUnsignedLong(Ipv4Address.parse(text)));
    }

    @Override
    public String format(long high, long low) {
      return Ipv4Address.format((int) low);
    }
  }
}
