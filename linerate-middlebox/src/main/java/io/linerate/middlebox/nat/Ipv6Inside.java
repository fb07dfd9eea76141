package io.linerate.middlebox.nat;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.VlanPush;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTracker;
import io.linerate.wire.FlowKey;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import org.jspecify.annotations.Nullable;

/** Hosts inside that have IPv6: what the {@link Translator} does for them besides. */
final class Ipv6Inside {
  private static final int MAX_FRAME_BYTES = 65_535;
  private static final int FLAGS = 6;
  private static final int DONT_FRAGMENT = 0x4000;
  private static final int PACKET_GROWTH_BYTES = Ipv6.HEADER_BYTES - Ipv4.HEADER_BYTES;

  private final Nat64 nat64;
  private final ConnectionTracker tracker;
  private final ConnectionRecords records;
  private final VersionRewrite versions;
  private final Outlet whole;
  private final Outlet divisible;

  /**
   * @param records of the tracker's table
   * @param identification of the first packet that may be cut outside
   */
  Ipv6Inside(
      Nat64 nat64,
      ConnectionTracker tracker,
      ConnectionRecords records,
      Wiring wiring,
      int identification) {
    this.nat64 = nat64;
    this.tracker = tracker;
    this.records = records;
    versions = new VersionRewrite(tracker, records, nat64, identification);
    whole = wiring.output("inside6");
    divisible = wiring.output("cut6");
  }

  /** Why a host inside may not begin what it wants to; null: it may. */
  @Nullable DropReason refusal(FlowKey flow) {
    long from = flow.sourceHigh();
    if (!isUnicast(from, flow.sourceLow())) {
      return Nat.NOT_UNICAST;
    }
    boolean isTranslated =
        nat64.contains(flow.destinationHigh(), flow.destinationLow())
            && !nat64.contains(from, flow.sourceLow()); // RFC 6146, section 3.5.
    return isTranslated && NatPlan.kind(flow) != NatPlan.NONE && !isPrivate(remote(flow))
        ? null
        : Nat.UNTRANSLATABLE;
  }

  /** Neither of a link alone, nor of several, nor of none (RFC 4291, sections 2.5 and 2.7). */
  private static boolean isUnicast(long high, long low) {
    return Ipv6Address.isHost(high, low)
        && !Ipv6Address.isLinkLocal(high)
        && !HostTable.isIpv4(high, low);
  }

  /** RFC 6052, section 3.1, of what RFC 1918 names. */
  private boolean isPrivate(int address) {
    return nat64.prefix().equals(Nat64.WELL_KNOWN)
        && (address >>> 24 == 10 || address >>> 20 == 0xAC1 || address >>> 16 == 0xC0A8);
  }

  /** Whom a flow from inside is to. */
  int remote(FlowKey flow) {
    return nat64.ipv4(flow.destinationHigh(), flow.destinationLow());
  }

  /** Makes a flow of IPv4 of one that comes back, whose destination is yet to be given. */
  void toIpv4(FlowKey reply, int remote) {
    reply.protocol(Ipv4.VERSION, VersionRewrite.protocol(Ipv4.VERSION, reply.protocol()));
    boolean isQuery = reply.protocol() == IpProtocol.ICMP;
    reply.source(0, Integer.toUnsignedLong(remote), isQuery ? Icmp.ECHO : reply.sourcePort());
  }

  /** Makes a flow of IPv6 of one that comes back, whose source is yet to be given. */
  void toIpv6(FlowKey reply) {
    int remote = (int) reply.destinationLow();
    reply.protocol(Ipv6.VERSION, reply.protocol());
    reply.destination(nat64.high(remote), nat64.low(remote), reply.destinationPort());
  }

  /** Whether the packet that the tracker looked at last goes to, or comes from such a host. */
  boolean isMeant() {
    int place = tracker.place();
    return (records.ipVersion(place) ^ records.ipVersion(place ^ 1)) != 0;
  }

  /** Makes a packet one of IPv4, or says that it cannot be. */
  boolean leave(Packet packet) {
    return versions.packet(packet);
  }

  /** Likewise an error. */
  boolean leaveError(Packet packet) {
    return versions.error(packet);
  }

  /**
   * Sends a packet inside: a copy of it if there is no room before it.
   *
   * @param isError about a packet of the connection
   */
  void enter(Packet packet, boolean isError) {
    int growth = isError ? ErrorTranslation.MOST_GROWTH_BYTES : PACKET_GROWTH_BYTES;
    Outlet outlet = isError || !mayBeCut(packet) ? whole : divisible;
    if (packet.headroomBytes() < growth) {
      enterAsCopy(packet, isError, outlet, growth);
    } else if (translate(packet, isError)) {
      outlet.send(packet);
    } else {
      packet.drop(Nat.UNTRANSLATABLE);
    }
  }

  private void enterAsCopy(Packet packet, boolean isError, Outlet outlet, int growth) {
    int bytes = packet.length();
    if (bytes + growth > MAX_FRAME_BYTES) {
      packet.drop(Nat.UNTRANSLATABLE);
      return;
    }
    packet.completeChecksum();
    Packet copy = outlet.create(bytes + growth);
    if (copy == null) {
      packet.drop(DropReason.NO_BUFFER);
      return;
    }
    copy.set(growth, packet, 0, bytes);
    copy.shrinkHead(growth);
    if (!translate(copy, isError)) {
      copy.drop(Nat.UNTRANSLATABLE);
    }
    packet.drop(VlanPush.COPIED);
  }

  private boolean translate(Packet packet, boolean isError) {
    return isError ? versions.error(packet) : versions.packet(packet);
  }

  /** What stands for several packets is no longer than these when it is transmitted. */
  private boolean mayBeCut(Packet packet) {
    int flags = packet.u16(tracker.scanner().l3Offset() + FLAGS);
    return divisible.isConnected() && (flags & DONT_FRAGMENT) == 0 && packet.segmentBytes() == 0;
  }
}
