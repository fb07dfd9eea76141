package io.linerate.middlebox.nat;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.CheckIpv6;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@link Npt} on one worker. */
final class PrefixTranslator {
  private static final int SOURCE = 8;
  private static final int DESTINATION = 24;

  private final PrefixRewrite[] outward;
  private final PrefixRewrite[] inward;
  private final HeaderScanner scanner = new HeaderScanner();
  private final Outlet outside;
  private final Outlet inside;
  private final Outlet refused;
  private final Outlet rest;
  private long outwardCount;
  private long inwardCount;

  PrefixTranslator(List<NptPrefix> prefixes, Wiring wiring) {
    outward = prefixes.stream().map(PrefixRewrite::outward).toArray(PrefixRewrite[]::new);
    inward = prefixes.stream().map(PrefixRewrite::inward).toArray(PrefixRewrite[]::new);
    outside = wiring.output("outside");
    inside = wiring.output("inside");
    refused = wiring.output("refused");
    rest = wiring.output("rest");
  }

  long outward() {
    return outwardCount;
  }

  long inward() {
    return inwardCount;
  }

  void fromInside(Burst burst) {
    for (Packet packet : burst) {
      DropReason defect = defect(packet);
      if (defect != null) {
        packet.drop(defect);
        continue;
      }
      int l3 = scanner.l3Offset();
      PrefixRewrite source = find(outward, packet.u64(l3 + SOURCE));
      if (source == null) {
        rest.send(packet, Npt.NO_PREFIX);
        continue;
      }
      PrefixRewrite back = find(inward, packet.u64(l3 + DESTINATION));
      if (!source.apply(packet, l3 + SOURCE)) {
        refused.send(packet, Npt.UNTRANSLATABLE);
        continue;
      }
      outwardCount++;
      quoted(packet, outward, DESTINATION);
      if (back != null) {
        turnRound(packet, back);
      }
    }
    outside.push(burst);
  }

  /** As if it had left and come back: RFC 6296, section 4.3. */
  private void turnRound(Packet packet, PrefixRewrite back) {
    if (comeIn(packet, back)) {
      inside.send(packet);
    }
  }

  void fromOutside(Burst burst) {
    for (Packet packet : burst) {
      DropReason defect = defect(packet);
      if (defect != null) {
        packet.drop(defect);
        continue;
      }
      PrefixRewrite destination = find(inward, packet.u64(scanner.l3Offset() + DESTINATION));
      if (destination == null) {
        rest.send(packet, Npt.NO_PREFIX);
      } else {
        comeIn(packet, destination);
      }
    }
    inside.push(burst);
  }

  private boolean comeIn(Packet packet, PrefixRewrite destination) {
    if (!destination.apply(packet, scanner.l3Offset() + DESTINATION)) {
      packet.drop(Npt.UNTRANSLATABLE);
      return false;
    }
    inwardCount++;
    quoted(packet, inward, SOURCE);
    return true;
  }

  private @Nullable DropReason defect(Packet packet) {
    boolean isSound = scanner.scan(packet);
    if (scanner.ipVersion() != Ipv6.VERSION) {
      return isSound ? CheckIpv6.NOT_IPV6 : DropReason.MALFORMED;
    }
    if (!isSound) {
      return DropReason.MALFORMED;
    }
    long to = packet.u64(scanner.l3Offset() + DESTINATION);
    return Ipv6Address.isMulticast(to) || Ipv6Address.isLinkLocal(to) ? Nat.NOT_UNICAST : null;
  }

  private static @Nullable PrefixRewrite find(PrefixRewrite[] some, long high) {
    for (PrefixRewrite one : some) {
      if (one.matches(high)) {
        return one;
      }
    }
    return null;
  }

  /** The address in what an error quotes that is the one of this side's host. */
  private void quoted(Packet packet, PrefixRewrite[] some, int field) {
    int l4 = scanner.l4Offset();
    if (scanner.ipProtocol() != IpProtocol.ICMPV6
        || !scanner.l4Fits()
        || scanner.isFragment()
        || !Icmp.isError(IpProtocol.ICMPV6, packet.u8(l4))) {
      return;
    }
    int quote = l4 + Icmp.HEADER_BYTES;
    if (scanner.ipEnd() - quote < Ipv6.HEADER_BYTES || packet.u8(quote) >>> 4 != Ipv6.VERSION) {
      return;
    }
    PrefixRewrite one = find(some, packet.u64(quote + field));
    if (one != null) {
      one.apply(packet, quote + field);
    }
  }
}
