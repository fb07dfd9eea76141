package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.EUI64;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.protocol.Icmpv6Protocol.ICMPV6;
import static io.linerate.decode.protocol.Icmpv6Protocol.RESERVED;

import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;

/** The messages of neighbour discovery: each is followed by options. */
final class NeighborDiscovery {
  private static final int ROUTER_ADVERTISEMENT = 134;
  private static final int NEIGHBOR_SOLICITATION = 135;
  private static final int NEIGHBOR_ADVERTISEMENT = 136;
  private static final int REDIRECT = 137;

  private static final Field HOP_LIMIT =
      ICMPV6
          .source("RFC 4861, section 4.2")
          .floating("icmpv6.nd.ra.cur_hop_limit", 8, DECIMAL, "Hop limit to be used");
  private static final Parts ROUTER_FLAGS =
      ICMPV6
          .parts("icmpv6.nd.ra.flag", 8, HEX, "Router flags")
          .flag("icmpv6.nd.ra.flag.m", "Managed addresses")
          .flag("icmpv6.nd.ra.flag.o", "Other configuration")
          .flag("icmpv6.nd.ra.flag.h", "Home agent")
          .part("icmpv6.nd.ra.flag.prf", 2, DECIMAL, "Preference of the router")
          .flag("icmpv6.nd.ra.flag.p", "Proxy")
          .part("icmpv6.nd.ra.flag.rsv", 2, DECIMAL, "Reserved");
  private static final Field LIFETIME =
      ICMPV6.floating("icmpv6.nd.ra.router_lifetime", 16, DECIMAL, "Router lifetime in seconds");
  private static final Field REACHABLE =
      ICMPV6.floating("icmpv6.nd.ra.reachable_time", 32, DECIMAL, "Reachable time in ms");
  private static final Field RETRANSMISSION =
      ICMPV6.floating("icmpv6.nd.ra.retrans_timer", 32, DECIMAL, "Retransmission timer in ms");
  private static final Field SOLICITED_TARGET =
      ICMPV6
          .source("RFC 4861, section 4.3")
          .floating("icmpv6.nd.ns.target_address", 128, IPV6, "Target solicited");
  private static final Parts NEIGHBOR_FLAGS =
      ICMPV6
          .source("RFC 4861, section 4.4")
          .parts("icmpv6.nd.na.flag", 32, HEX, "Neighbor flags")
          .flag("icmpv6.nd.na.flag.r", "Router")
          .flag("icmpv6.nd.na.flag.s", "Solicited")
          .flag("icmpv6.nd.na.flag.o", "Override")
          .part("icmpv6.nd.na.flag.rsv", 29, DECIMAL, "Reserved");
  private static final Field ADVERTISED_TARGET =
      ICMPV6.floating("icmpv6.nd.na.target_address", 128, IPV6, "Target advertised");
  private static final Field REDIRECT_TARGET =
      ICMPV6
          .source("RFC 4861, section 4.5")
          .floating("icmpv6.nd.rd.target_address", 128, IPV6, "Target of the redirect");
  private static final Field REDIRECT_DESTINATION =
      ICMPV6.floating("icmpv6.rd.na.destination_address", 128, IPV6, "Destination redirected");
  private static final Field STATUS =
      ICMPV6
          .source("RFC 6775, section 4.4")
          .floating("icmpv6.6lowpannd.da.status", 8, DECIMAL, "Status of the address");
  private static final Field STATUS_RESERVED =
      ICMPV6.floating("icmpv6.6lowpannd.da.rsv", 8, DECIMAL, "Reserved");
  private static final Field REGISTRATION =
      ICMPV6.floating("icmpv6.6lowpannd.da.lifetime", 16, DECIMAL, "Registration in minutes");
  private static final Field INTERFACE =
      ICMPV6.floating("icmpv6.6lowpannd.da.eui64", 64, EUI64, "Interface registered");
  private static final Field REGISTERED =
      ICMPV6.floating("icmpv6.6lowpannd.da.reg_addr", 128, IPV6, "Address registered");

  private static final int REDIRECT_BYTES = 40;
  private static final int REDIRECTED_HEADER = 4;
  private static final int REDIRECTED_OFFSET = 8;

  private NeighborDiscovery() {}

  /** Declares the fields: ICMPv6's are complete only then. */
  static void declare() {
    NeighborOptions.declare();
  }

  /**
   * What follows is the packet in the option that has one; the options behind it are the trailer.
   */
  static void scanRedirect(Scan scan) {
    int at = REDIRECT_BYTES;
    while (scan.has(at, REDIRECTED_OFFSET)) {
      int bytes = 8 * scan.u8(at + 1);
      if (bytes == 0 || !scan.has(at, bytes)) {
        return;
      }
      if (scan.u8(at) == REDIRECTED_HEADER) {
        scan.header(at + REDIRECTED_OFFSET);
        scan.trailer(at + bytes);
        scan.partial();
        scan.next(DispatchTable.IP_PROTOCOL, IpProtocol.IPV6);
        return;
      }
      at += bytes;
    }
  }

  static void dissect(Dissection dissection, int type) {
    switch (type) {
      case ROUTER_ADVERTISEMENT -> {
        dissection.add(HOP_LIMIT);
        dissection.add(ROUTER_FLAGS);
        dissection.add(LIFETIME);
        dissection.add(REACHABLE);
        dissection.add(RETRANSMISSION);
      }
      case NEIGHBOR_SOLICITATION -> {
        dissection.add(RESERVED, 4);
        dissection.add(SOLICITED_TARGET);
      }
      case NEIGHBOR_ADVERTISEMENT -> {
        dissection.add(NEIGHBOR_FLAGS);
        dissection.add(ADVERTISED_TARGET);
      }
      case REDIRECT -> {
        dissection.add(RESERVED, 4);
        dissection.add(REDIRECT_TARGET);
        dissection.add(REDIRECT_DESTINATION);
      }
      default -> dissection.add(RESERVED, 4);
    }
    NeighborOptions.dissect(dissection);
    if (type == REDIRECT) {
      dissection.trailer();
      NeighborOptions.dissect(dissection);
    }
  }

  static void duplicate(Dissection dissection) {
    dissection.add(STATUS);
    dissection.add(STATUS_RESERVED);
    dissection.add(REGISTRATION);
    dissection.add(INTERFACE);
    dissection.add(REGISTERED);
  }
}
