package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.MacAddress;
import io.linerate.wire.NeighborMessage;
import org.jspecify.annotations.Nullable;

/**
 * What {@link NeighborDiscovery} does on one worker: addresses packets, asks for neighbors, and
 * answers those who ask for it.
 */
final class NeighborHost implements NeighborProtocol {
  private static final int L3 = Ethernet.HEADER_BYTES;
  private static final int L4 = L3 + Ipv6.HEADER_BYTES;

  private final long ownMac;
  private final Ipv6Link link;
  private final boolean hasRouter;
  private final Ipv6Address router;
  private final Outlet out;
  private final Outlet rest;
  private final Neighbors neighbors;
  private final HeaderScanner scanner = new HeaderScanner();
  private final Ethernet ethernet = new Ethernet();
  private final Ipv6 ipv6 = new Ipv6();
  private final Icmp icmp = new Icmp();
  private final NeighborMessage message = new NeighborMessage();
  private final NeighborMessages messages;
  private long replies;
  private long conflicts;

  NeighborHost(NeighborDiscovery discovery, Wiring wiring) {
    ownMac = MacAddress.parse(discovery.mac());
    link = new Ipv6Link(discovery.addresses());
    hasRouter = !discovery.router().isEmpty();
    router = hasRouter ? Ipv6Address.parse(discovery.router()) : new Ipv6Address(0, 0);
    out = wiring.output("out");
    rest = wiring.output("rest");
    messages = new NeighborMessages(out, ownMac);
    neighbors = new Neighbors(wiring, discovery.limits(), ownMac, this);
  }

  /** Advertisements sent to those who asked. */
  long replies() {
    return replies;
  }

  /** Advertisements of others for its addresses. */
  long conflicts() {
    return conflicts;
  }

  // --- packets to the link ---

  void onPackets(Burst burst) {
    for (Packet packet : burst) {
      DropReason defect = LinkPackets.defect(packet, scanner, EtherType.IPV6, CheckIpv6.NOT_IPV6);
      if (defect != null) {
        packet.drop(defect);
      } else {
        ipv6.wrap(packet, L3);
        address(packet, ipv6.destinationHigh(), ipv6.destinationLow());
      }
    }
    out.push(burst);
  }

  /** With the next hop in the place of the Ethernet addresses, see {@link NeighborDiscovery}. */
  void onRouted(Burst burst) {
    for (Packet packet : burst) {
      DropReason defect = LinkPackets.defect(packet, scanner, EtherType.IPV6, CheckIpv6.NOT_IPV6);
      if (defect != null) {
        packet.drop(defect);
        continue;
      }
      int prefix = packet.u16(0);
      if (prefix == 0) {
        ipv6.wrap(packet, L3);
        address(packet, ipv6.destinationHigh(), ipv6.destinationLow());
      } else {
        address(packet, link.high(prefix), packet.u64(Short.BYTES));
      }
    }
    out.push(burst);
  }

  private void address(Packet packet, long high, long low) {
    if (Ipv6Address.isMulticast(high)) {
      neighbors.address(packet, NeighborMessages.groupMac(low));
    } else if (!Ipv6Address.isHost(high, low) || link.isOwn(high, low)) {
      neighbors.drop(packet, ArpQuerier.NO_ROUTE);
    } else if (link.contains(high, low)) {
      neighbors.address(packet, high, low);
    } else if (hasRouter) {
      neighbors.address(packet, router.high(), router.low());
    } else {
      neighbors.drop(packet, ArpQuerier.NO_ROUTE);
    }
  }

  // --- messages from the link ---

  void onMessages(Burst burst) {
    for (Packet packet : burst) {
      if (!isMessage(packet)) {
        rest.send(packet, ArpQuerier.NOT_USED);
        continue;
      }
      DropReason defect = defect(packet);
      if (defect != null) {
        packet.drop(defect);
      } else if (icmp.type() == Icmpv6.NEIGHBOR_ADVERTISEMENT) {
        advertised();
        packet.drop(DropReason.CONSUMED);
      } else if (link.isOwn(message.targetHigh(), message.targetLow())) {
        packet.drop(solicited() ? DropReason.CONSUMED : DropReason.NO_BUFFER);
      } else {
        rest.send(packet, ArpQuerier.NOT_USED);
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
        || ipv6.hopLimit() != NeighborMessages.HOP_LIMIT
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
        !Ipv6Address.isMulticast(message.targetHigh())
            && (icmp.type() == Icmpv6.NEIGHBOR_ADVERTISEMENT
                ? isSoundAdvertisement()
                : isSoundSolicitation());
    return isSound ? null : DropReason.MALFORMED;
  }

  private boolean isSoundAdvertisement() {
    return isPossible(message.linkLayerAddress(NeighborMessage.TARGET_LINK_LAYER_ADDRESS))
        && !(Ipv6Address.isMulticast(ipv6.destinationHigh())
            && message.has(NeighborMessage.SOLICITED));
  }

  private boolean isSoundSolicitation() {
    long mac = message.linkLayerAddress(NeighborMessage.SOURCE_LINK_LAYER_ADDRESS);
    if (!isProbe()) {
      return isPossible(mac) && Ipv6Address.isHost(ipv6.sourceHigh(), ipv6.sourceLow());
    }
    return mac == Neighbors.NO_MAC
        && NeighborMessages.isSolicitedNode(ipv6.destinationHigh(), ipv6.destinationLow());
  }

  private static boolean isPossible(long mac) {
    return mac == Neighbors.NO_MAC || NeighborProtocol.isStation(mac);
  }

  /** Whether it looks for duplicates of the address that its sender wants: RFC 4862. */
  private boolean isProbe() {
    return (ipv6.sourceHigh() | ipv6.sourceLow()) == 0;
  }

  private void advertised() {
    long high = message.targetHigh();
    long low = message.targetLow();
    long mac = message.linkLayerAddress(NeighborMessage.TARGET_LINK_LAYER_ADDRESS);
    if (link.isOwn(high, low)) {
      conflicts += mac == ownMac ? 0 : 1;
    } else if (Ipv6Address.isHost(high, low)) {
      boolean isAnswer = message.has(NeighborMessage.SOLICITED);
      neighbors.hear(high, low, mac, isAnswer, message.has(NeighborMessage.OVERRIDE), false);
    }
  }

  /** Returns false if there was no buffer for the answer: RFC 4861, sections 7.2.3 and 7.2.4. */
  private boolean solicited() {
    long ownHigh = message.targetHigh();
    long ownLow = message.targetLow();
    boolean isMade;
    if (isProbe()) {
      isMade = messages.announce(ownHigh, ownLow);
    } else {
      long mac = message.linkLayerAddress(NeighborMessage.SOURCE_LINK_LAYER_ADDRESS);
      long high = ipv6.sourceHigh();
      long low = ipv6.sourceLow();
      if (mac != Neighbors.NO_MAC && !link.isOwn(high, low)) {
        neighbors.hear(high, low, mac, false, true, true);
      }
      isMade = messages.answer(ownHigh, ownLow, high, low, askerMac(mac));
    }
    replies += isMade ? 1 : 0;
    return isMade;
  }

  /** Without an option, as questions to us alone may be: the frame's, which is its sender's. */
  private long askerMac(long mac) {
    return mac == Neighbors.NO_MAC ? ethernet.source() : mac;
  }

  // --- messages to the link ---

  @Override
  public boolean ask(long high, long low, long mac) {
    return messages.solicit(link.own(), high, low, mac);
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
