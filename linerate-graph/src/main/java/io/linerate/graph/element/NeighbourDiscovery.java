package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.MacAddress;
import io.linerate.wire.NeighborMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives IPv6 packets the Ethernet addresses of their next hops on a link, which it asks for by
 * neighbor solicitations, and answers those for its own addresses: a host's part of RFC 4861,
 * section 7. The next hop is the destination, if the link has it, or else the router; packets to a
 * group (RFC 2464, section 7) ask nobody.
 *
 * <p>Packets wait while their neighbour is asked for: three times, a second apart. An address is
 * confirmed by a question to its neighbour when it is used after some time, and forgotten after a
 * longer one. Messages are believed if their hop limit is 255, so that they are from this link.
 * Frames are untagged: put a VlanPush behind it for a link with tags.
 *
 * <p>It does not look for duplicates of its addresses (RFC 4862), though it defends them; it reads
 * no router advertisements and redirects, and does not join groups (RFC 3810) where switches ask
 * for that.
 *
 * <pre>
 * inputs      in: frames of IPv6 packets, whose Ethernet addresses are written
 *             messages: what came from the link. On a port with several queues an advertisement
 *             comes to one worker, which tells the others
 * outputs     out: frames, solicitations and advertisements
 *             unreachable (may be left unconnected: such packets are dropped): packets whose next
 *             hop there is not or does not answer, as they came, for IcmpError
 *             rest (may be left unconnected: such packets are dropped): of messages, what is no
 *             advertisement and no solicitation for its own addresses
 * parameters  mac: its own, such as 02:00:5e:10:00:01
 *             addresses: its own, with the prefixes of the link; the first is the source of
 *             solicitations: fe80::5eff:fe10:1/64, 2001:db8::1/64. The link always has fe80::/10
 *             router: fe80::1; "" where there is none
 *             limits: see NeighbourLimits; without it 1024 neighbours, 64 unresolved, 16 packets
 *             held for each, 100 queries a second
 * drops       not_ipv6, tagged; truncated_ip and others of CheckIpv6: the headers
 *             no_route: neither on the link nor a router, or to an address that is no host's, or
 *             its own
 *             neighbour_full: the oldest of too many packets for a neighbour that was asked for
 *             unresolved_full: for a new neighbour while too many are asked for, none of which has
 *             had a tenth of a second to answer
 *             unresolved: of unreachable
 *             consumed: messages, read; not_used: of rest; no_buffer: for an advertisement
 *             malformed: messages against RFC 4861, sections 7.1.1 and 7.1.2; bad_checksum
 * reads       count: neighbours whose address is known; unresolved: that are asked for
 *             table: one in a line. Reading it stops the worker: 10 ms for a hundred thousand
 *             queries; queries_delayed: by their rate; unanswered: neighbours that did not answer;
 *             displaced: that gave way for others before the end of their time; forgotten: that
 *             were known; replies; conflicts: advertisements of its addresses
 * writes      add: an address for good, as in 2001:db8::7 02:00:00:00:00:07
 *             clear: 2001:db8::7, or all
 * example     Node kind = g.add("kind", Classifier.of(
 *                 "asked 12/86dd 20/3a 54/87", "told 12/86dd 20/3a 54/88", "rest -"));
 *             g.chain(kind.out("asked"), nd.in("messages"));
 *             g.chain(kind.out("told"), nd.in("messages"))
 * </pre>
 */
public record NeighbourDiscovery(
    String mac, List<String> addresses, String router, NeighbourLimits limits) implements Element {
  public NeighbourDiscovery {
    addresses = List.copyOf(addresses);
  }

  public static NeighbourDiscovery of(String mac, String router, String... addresses) {
    return new NeighbourDiscovery(mac, List.of(addresses), router, NeighbourLimits.USUAL);
  }

  @Override
  public Shape shape() {
    return Shape.inOut()
        .optionalInput("messages")
        .optionalOutput("unreachable")
        .optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    Parameters parameters =
        Parameters.check()
            .parses("mac", mac, NeighbourProtocol::parseMac)
            .require(
                !addresses.isEmpty(),
                "no address: addresses=; write one with its prefix, such as 2001:db8::1/64");
    addresses.forEach(text -> parameters.parses("addresses", text, Ipv6Network::parse));
    if (!router.isEmpty()) {
      parameters.parses("router", router, Ipv6Address::parse);
    }
    return limits.check(parameters).problems();
  }

  @Override
  public void open(Wiring wiring) {
    Host host = new Host(this, wiring);
    wiring.input("in", host::onPackets);
    wiring.input("messages", host::onMessages);
    wiring.count("replies", () -> host.replies);
    wiring.count("conflicts", () -> host.conflicts);
  }

  /** On one worker. */
  private static final class Host implements NeighbourProtocol {
    private static final int HOP_LIMIT = 255;
    private static final int L3 = Ethernet.HEADER_BYTES;
    private static final int L4 = L3 + Ipv6.HEADER_BYTES;
    private static final int L4_BYTES =
        NeighborMessage.HEADER_BYTES + NeighborMessage.LINK_LAYER_OPTION_BYTES;

    /** RFC 2464, section 7: the last 32 bits of the group follow. */
    private static final long GROUP_MAC = 0x3333_0000_0000L;

    private static final long GROUP_BITS = 0xFFFF_FFFFL;

    /** ff02::1, all nodes: RFC 4291, section 2.7.1. */
    private static final long LINK_GROUPS_HIGH = 0xFF02_0000_0000_0000L;

    private static final long ALL_NODES_LOW = 1;

    /** ff02::1:ff00:0/104, the solicited-node addresses: RFC 4291, section 2.7.1. */
    private static final long SOLICITED_NODE_LOW = 0x0000_0001_FF00_0000L;

    private static final long SOLICITED_NODE_BITS = 0xFF_FFFFL;

    /** fe80::/10. */
    private static final long LINK_LOCAL = 0xFE80L >>> 6;

    private final long ownMac;
    private final Ipv6Network[] networks;
    private final boolean hasRouter;
    private final Ipv6Address router;
    private final Outlet out;
    private final SideOutput rest;
    private final Neighbours neighbours;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ethernet ethernet = new Ethernet();
    private final Ipv6 ipv6 = new Ipv6();
    private final Icmpv6 icmp = new Icmpv6();
    private final NeighborMessage message = new NeighborMessage();
    private final Ethernet newEthernet = new Ethernet();
    private final Ipv6 newIpv6 = new Ipv6();
    private final Icmpv6 newIcmp = new Icmpv6();
    private final NeighborMessage newMessage = new NeighborMessage();
    private long replies;
    private long conflicts;

    Host(NeighbourDiscovery discovery, Wiring wiring) {
      ownMac = MacAddress.parse(discovery.mac);
      networks = discovery.addresses.stream().map(Ipv6Network::parse).toArray(Ipv6Network[]::new);
      hasRouter = !discovery.router.isEmpty();
      router = hasRouter ? Ipv6Address.parse(discovery.router) : new Ipv6Address(0, 0);
      out = wiring.output("out");
      rest = new SideOutput(wiring, "rest");
      neighbours = new Neighbours(wiring, discovery.limits, ownMac, this);
    }

    // --- packets to the link ---

    void onPackets(Burst burst) {
      for (Packet packet : burst) {
        boolean isSound = scanner.scan(packet);
        if (scanner.etherType() != EtherType.IPV6) {
          packet.drop(CheckIpv6.NOT_IPV6);
        } else if (scanner.vlanTags() > 0) {
          packet.drop(ArpQuerier.TAGGED);
        } else if (!isSound) {
          packet.drop(DefectReasons.of(scanner));
        } else {
          ipv6.wrap(packet, L3);
          address(packet, ipv6.destinationHigh(), ipv6.destinationLow());
        }
      }
      out.push(burst);
    }

    private void address(Packet packet, long high, long low) {
      if (Hosts.isMulticast(high)) {
        neighbours.address(packet, GROUP_MAC | (low & GROUP_BITS));
      } else if (!Hosts.isHost(high, low) || isOwn(high, low)) {
        neighbours.drop(packet, ArpQuerier.NO_ROUTE);
      } else if (isOnLink(high, low)) {
        neighbours.address(packet, high, low);
      } else if (hasRouter) {
        neighbours.address(packet, router.high(), router.low());
      } else {
        neighbours.drop(packet, ArpQuerier.NO_ROUTE);
      }
    }

    private boolean isOnLink(long high, long low) {
      if (high >>> 54 == LINK_LOCAL) {
        return true;
      }
      for (Ipv6Network network : networks) {
        if (network.contains(high, low)) {
          return true;
        }
      }
      return false;
    }

    private boolean isOwn(long high, long low) {
      for (Ipv6Network network : networks) {
        if (network.low() == low && network.high() == high) {
          return true;
        }
      }
      return false;
    }

    // --- messages from the link ---

    void onMessages(Burst burst) {
      for (Packet packet : burst) {
        if (!isMessage(packet)) {
          rest.take(packet, ArpQuerier.NOT_USED);
          continue;
        }
        DropReason defect = defect(packet);
        if (defect != null) {
          packet.drop(defect);
        } else if (icmp.type() == Icmpv6.NEIGHBOR_ADVERTISEMENT) {
          advertised();
          packet.drop(DropReason.CONSUMED);
        } else if (isOwn(message.targetHigh(), message.targetLow())) {
          packet.drop(solicited() ? DropReason.CONSUMED : DropReason.NO_BUFFER);
        } else {
          rest.take(packet, ArpQuerier.NOT_USED);
        }
      }
    }

    /** Also fragments are none, which RFC 6980 forbids, since their header is an extension. */
    private boolean isMessage(Packet packet) {
      if (!scanner.scan(packet)
          || scanner.ipProtocol() != IpProtocol.ICMPV6
          || scanner.ipVersion() != Ipv6.VERSION
          || scanner.l4Offset() != L4
          || !scanner.l4Fits()) {
        return false;
      }
      int type = icmp.wrap(packet, L4).type();
      return type == Icmpv6.NEIGHBOR_SOLICITATION || type == Icmpv6.NEIGHBOR_ADVERTISEMENT;
    }

    /** RFC 4861, sections 7.1.1 and 7.1.2. */
    private @Nullable DropReason defect(Packet packet) {
      int bytes = scanner.l4Bytes();
      ipv6.wrap(packet, L3);
      if (scanner.defect() != HeaderDefect.NONE
          || ipv6.hopLimit() != HOP_LIMIT
          || icmp.code() != 0
          || !NeighborMessage.fits(packet, L4, bytes)) {
        return DropReason.MALFORMED;
      }
      if (!InternetChecksum.verifyIcmpv6(packet, L3, L4, bytes)) {
        return IcmpPingResponder.BAD_CHECKSUM;
      }
      ethernet.wrap(packet, 0);
      message.wrap(packet, L4, bytes);
      boolean isSound =
          !Hosts.isMulticast(message.targetHigh())
              && (icmp.type() == Icmpv6.NEIGHBOR_ADVERTISEMENT
                  ? isSoundAdvertisement()
                  : isSoundSolicitation());
      return isSound ? null : DropReason.MALFORMED;
    }

    private boolean isSoundAdvertisement() {
      return isPossible(message.linkLayerAddress(NeighborMessage.TARGET_LINK_LAYER_ADDRESS))
          && !(Hosts.isMulticast(ipv6.destinationHigh()) && message.has(NeighborMessage.SOLICITED));
    }

    private boolean isSoundSolicitation() {
      long mac = message.linkLayerAddress(NeighborMessage.SOURCE_LINK_LAYER_ADDRESS);
      if (!isProbe()) {
        return isPossible(mac) && Hosts.isHost(ipv6.sourceHigh(), ipv6.sourceLow());
      }
      return mac == Neighbours.NO_MAC
          && ipv6.destinationHigh() == LINK_GROUPS_HIGH
          && (ipv6.destinationLow() & ~SOLICITED_NODE_BITS) == SOLICITED_NODE_LOW;
    }

    private static boolean isPossible(long mac) {
      return mac == Neighbours.NO_MAC || NeighbourProtocol.isStation(mac);
    }

    /** Whether somebody looks for duplicates of the address that he wants: RFC 4862. */
    private boolean isProbe() {
      return (ipv6.sourceHigh() | ipv6.sourceLow()) == 0;
    }

    private void advertised() {
      long high = message.targetHigh();
      long low = message.targetLow();
      long mac = message.linkLayerAddress(NeighborMessage.TARGET_LINK_LAYER_ADDRESS);
      if (isOwn(high, low)) {
        conflicts += mac == ownMac ? 0 : 1;
      } else if (Hosts.isHost(high, low)) {
        boolean isAnswer = message.has(NeighborMessage.SOLICITED);
        neighbours.hear(high, low, mac, isAnswer, message.has(NeighborMessage.OVERRIDE), false);
      }
    }

    /** Returns false if there was no buffer for the answer: RFC 4861, sections 7.2.3 and 7.2.4. */
    private boolean solicited() {
      long mac = message.linkLayerAddress(NeighborMessage.SOURCE_LINK_LAYER_ADDRESS);
      boolean isProbe = isProbe();
      long high = isProbe ? LINK_GROUPS_HIGH : ipv6.sourceHigh();
      long low = isProbe ? ALL_NODES_LOW : ipv6.sourceLow();
      if (!isProbe && mac != Neighbours.NO_MAC && !isOwn(high, low)) {
        neighbours.hear(high, low, mac, false, true, true);
      }
      return answer(high, low, isProbe ? GROUP_MAC | ALL_NODES_LOW : askerMac(mac), isProbe);
    }

    /** Without an option, as questions to us alone may be: the frame's, which is its sender's. */
    private long askerMac(long mac) {
      return mac == Neighbours.NO_MAC ? ethernet.source() : mac;
    }

    private boolean answer(long high, long low, long mac, boolean isProbe) {
      long ownHigh = message.targetHigh();
      long ownLow = message.targetLow();
      Packet packet = begin(mac, Icmpv6.NEIGHBOR_ADVERTISEMENT);
      if (packet == null) {
        return false;
      }
      newIpv6.source(ownHigh, ownLow).destination(high, low);
      newMessage
          .flags(NeighborMessage.OVERRIDE | (isProbe ? 0 : NeighborMessage.SOLICITED))
          .target(ownHigh, ownLow)
          .linkLayerAddress(NeighborMessage.TARGET_LINK_LAYER_ADDRESS, ownMac);
      InternetChecksum.writeIcmpv6(packet, L3, L4, L4_BYTES);
      replies++;
      return true;
    }

    // --- messages to the link ---

    @Override
    public boolean ask(long high, long low, long mac) {
      long groupLow = SOLICITED_NODE_LOW | (low & SOLICITED_NODE_BITS);
      boolean isToAll = mac == ANYBODY;
      Packet packet =
          begin(isToAll ? GROUP_MAC | (groupLow & GROUP_BITS) : mac, Icmpv6.NEIGHBOR_SOLICITATION);
      if (packet == null) {
        return false;
      }
      newIpv6
          .source(networks[0].high(), networks[0].low())
          .destination(isToAll ? LINK_GROUPS_HIGH : high, isToAll ? groupLow : low);
      newMessage
          .flags(0)
          .target(high, low)
          .linkLayerAddress(NeighborMessage.SOURCE_LINK_LAYER_ADDRESS, ownMac);
      InternetChecksum.writeIcmpv6(packet, L3, L4, L4_BYTES);
      return true;
    }

    private @Nullable Packet begin(long mac, int type) {
      Packet packet = out.create(L4 + L4_BYTES);
      if (packet == null) {
        return null;
      }
      newEthernet.wrap(packet, 0).destination(mac).source(ownMac).etherType(EtherType.IPV6);
      packet.i32(L3, Ipv6.VERSION << 28);
      newIpv6
          .wrap(packet, L3)
          .payloadLength(L4_BYTES)
          .nextHeader(IpProtocol.ICMPV6)
          .hopLimit(HOP_LIMIT);
      newIcmp.wrap(packet, L4).type(type).code(0);
      newMessage.wrap(packet, L4, L4_BYTES);
      return packet;
    }

    @Override
    public Ipv6Address parse(String text) {
      return Ipv6Address.parse(text);
    }

    @Override
    public String format(long high, long low) {
      return Ipv6Address.format(high, low);
    }
  }
}
