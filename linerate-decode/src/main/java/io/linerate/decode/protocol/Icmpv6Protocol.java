package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv6;
import java.util.List;
import java.util.Map;

/**
 * ICMPv6. An error quotes the packet that it is about, a redirect the one that is redirected: that
 * is the layer which follows, of which the rest was never sent; behind it there may be extensions.
 */
public final class Icmpv6Protocol implements Protocol {
  private static final int UNREACHABLE = 1;
  private static final int TOO_BIG = 2;
  private static final int TIME_EXCEEDED = 3;
  private static final int PARAMETER_PROBLEM = 4;
  private static final int ECHO = 128;
  private static final int ECHO_REPLY = 129;
  private static final int LISTENER_QUERY = 130;
  private static final int LISTENER_DONE = 132;
  private static final int ROUTER_SOLICITATION = 133;
  private static final int REDIRECT = 137;
  private static final int ROUTER_RENUMBERING = 138;
  private static final int NODE_QUERY = 139;
  private static final int NODE_REPLY = 140;
  private static final int INVERSE_SOLICITATION = 141;
  private static final int INVERSE_ADVERTISEMENT = 142;
  private static final int LISTENER_REPORT_2 = 143;
  private static final int HOME_AGENT_REQUEST = 144;
  private static final int PATH_ADVERTISEMENT = 149;
  private static final int MULTICAST_ROUTER_ADVERTISEMENT = 151;
  private static final int FAST_HANDOVER = 154;
  private static final int RPL = 155;
  private static final int LOCATOR_UPDATE = 156;
  private static final int ADDRESS_REQUEST = 157;
  private static final int ADDRESS_CONFIRMATION = 158;
  private static final int MPL = 159;
  private static final int EXTENDED_ECHO = 160;
  private static final int EXTENDED_ECHO_REPLY = 161;

  private static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(UNREACHABLE, "Destination unreachable"),
              Map.entry(TOO_BIG, "Packet too big"),
              Map.entry(TIME_EXCEEDED, "Time exceeded"),
              Map.entry(PARAMETER_PROBLEM, "Parameter problem"),
              Map.entry(ECHO, "Echo"),
              Map.entry(ECHO_REPLY, "Echo reply"),
              Map.entry(LISTENER_QUERY, "Listener query"),
              Map.entry(131, "Listener report"),
              Map.entry(LISTENER_DONE, "Listener done"),
              Map.entry(ROUTER_SOLICITATION, "Router solicitation"),
              Map.entry(134, "Router advertisement"),
              Map.entry(135, "Neighbor solicitation"),
              Map.entry(136, "Neighbor advertisement"),
              Map.entry(REDIRECT, "Redirect"),
              Map.entry(ROUTER_RENUMBERING, "Router renumbering"),
              Map.entry(NODE_QUERY, "Node information query"),
              Map.entry(NODE_REPLY, "Node information reply"),
              Map.entry(INVERSE_SOLICITATION, "Inverse neighbor discovery solicitation"),
              Map.entry(INVERSE_ADVERTISEMENT, "Inverse neighbor discovery advertisement"),
              Map.entry(LISTENER_REPORT_2, "Listener report, version 2"),
              Map.entry(HOME_AGENT_REQUEST, "Home agent request"),
              Map.entry(145, "Home agent reply"),
              Map.entry(146, "Mobile prefix solicitation"),
              Map.entry(147, "Mobile prefix advertisement"),
              Map.entry(148, "Certification path solicitation"),
              Map.entry(PATH_ADVERTISEMENT, "Certification path advertisement"),
              Map.entry(MULTICAST_ROUTER_ADVERTISEMENT, "Multicast router advertisement"),
              Map.entry(152, "Multicast router solicitation"),
              Map.entry(153, "Multicast router termination"),
              Map.entry(RPL, "RPL control"),
              Map.entry(LOCATOR_UPDATE, "Locator update"),
              Map.entry(ADDRESS_REQUEST, "Duplicate address request"),
              Map.entry(ADDRESS_CONFIRMATION, "Duplicate address confirmation"),
              Map.entry(MPL, "MPL control"),
              Map.entry(EXTENDED_ECHO, "Extended echo"),
              Map.entry(EXTENDED_ECHO_REPLY, "Extended echo reply")));

  public static final Fields ICMPV6 =
      Fields.of("icmpv6", "Internet Control Message Protocol, version 6", "RFC 4443, section 2.1");
  public static final Field TYPE = ICMPV6.field("icmpv6.type", 8, DECIMAL, "Type", NAMES);
  public static final Field CODE = ICMPV6.field("icmpv6.code", 8, DECIMAL, "Code");
  public static final Field CHECKSUM = ICMPV6.field("icmpv6.checksum", 16, HEX, "Checksum");

  static final Field RESERVED = ICMPV6.floating("icmpv6.reserved", 0, BYTES, "Reserved");
  private static final Field MTU =
      ICMPV6.source("RFC 4443, section 3").floating("icmpv6.mtu", 32, DECIMAL, "MTU");
  private static final Field POINTER = ICMPV6.floating("icmpv6.pointer", 32, DECIMAL, "Pointer");
  private static final Field QUOTED_LENGTH =
      ICMPV6
          .source("RFC 4884, section 4")
          .floating("icmpv6.length", 8, DECIMAL, "Quoted packet's length in units of 8 bytes");
  private static final Field IDENTIFIER =
      ICMPV6
          .source("RFC 4443, section 4")
          .floating("icmpv6.echo.identifier", 16, HEX, "Identifier");
  private static final Field SEQUENCE =
      ICMPV6.floating("icmpv6.echo.sequence_number", 16, DECIMAL, "Sequence number");
  private static final Field DATA = ICMPV6.floating("icmpv6.data", 0, BYTES, "Data");
  private static final Field EXTENDED_SEQUENCE =
      ICMPV6
          .source("RFC 8335, section 2")
          .floating("icmpv6.ext.echo.seq", 8, DECIMAL, "Extended sequence number");
  private static final Parts EXTENDED_REQUEST =
      ICMPV6
          .parts(8)
          .part("icmpv6.ext.echo.req.res", 7, HEX, "Reserved")
          .flag("icmpv6.ext.echo.req.local", "Local");
  private static final Parts EXTENDED_REPLY =
      ICMPV6
          .source("RFC 8335, section 3")
          .parts(8)
          .part("icmpv6.ext.echo.rsp.state", 3, DECIMAL, "State")
          .part("icmpv6.ext.echo.rsp.res", 2, HEX, "Reserved")
          .flag("icmpv6.ext.echo.rsp.active", "Active")
          .flag("icmpv6.ext.echo.rsp.ipv4", "IPv4")
          .flag("icmpv6.ext.echo.rsp.ipv6", "IPv6");
  private static final IcmpExtensions EXTENSIONS = new IcmpExtensions(ICMPV6);

  private static final int HEADER_BYTES = 8;

  static {
    NeighborDiscovery.declare();
    MulticastListener.declare();
    NodeInformation.declare();
    RouterRenumbering.declare();
    RplMessages.declare();
    Icmpv6Mobility.declare();
    ICMPV6.summary(TYPE, CODE, IDENTIFIER, SEQUENCE);
  }

  @Override
  public Fields fields() {
    return ICMPV6;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.ICMPV6));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.number(TYPE);
    if (isError(type)) {
      scan.header(HEADER_BYTES);
      if (scan.has(HEADER_BYTES, Ipv6.HEADER_BYTES)) {
        scan.partial(); // The header that is quoted has to be whole.
      }
      scan.next(DispatchTable.IP_PROTOCOL, IpProtocol.IPV6);
      if (hasLength(type) && scan.u8(4) != 0) {
        scan.trailer(HEADER_BYTES + 8 * scan.u8(4));
      }
    } else if (type == ECHO || type == ECHO_REPLY) {
      scan.header(HEADER_BYTES);
    } else if (type == REDIRECT) {
      NeighborDiscovery.scanRedirect(scan);
    }
  }

  private static boolean isError(int type) {
    return type >= UNREACHABLE && type <= PARAMETER_PROBLEM;
  }

  /** RFC 4884, section 4.1: of these the fifth byte is the length of what is quoted. */
  private static boolean hasLength(int type) {
    return type == UNREACHABLE || type == TIME_EXCEEDED;
  }

  @Override
  public void complete(LayerBuilder layer) {
    if (!layer.isSet(CHECKSUM)) {
      layer.complete(CHECKSUM, PseudoHeader.checksum(layer, IpProtocol.ICMPV6));
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.layer().has(CHECKSUM)) {
      return;
    }
    int type = (int) dissection.layer().value(TYPE);
    if (isError(type)) {
      error(dissection, type);
    } else if ((type >= LISTENER_QUERY && type <= LISTENER_DONE) || type == LISTENER_REPORT_2) {
      MulticastListener.dissect(dissection, type);
    } else if ((type >= ROUTER_SOLICITATION && type <= REDIRECT)
        || type == INVERSE_SOLICITATION
        || type == INVERSE_ADVERTISEMENT) {
      NeighborDiscovery.dissect(dissection, type);
    } else if (type >= HOME_AGENT_REQUEST && type <= PATH_ADVERTISEMENT) {
      Icmpv6Mobility.dissect(dissection, type);
    } else {
      other(dissection, type);
    }
  }

  private static void error(Dissection dissection, int type) {
    switch (type) {
      case TOO_BIG -> dissection.add(MTU);
      case PARAMETER_PROBLEM -> dissection.add(POINTER);
      default -> {
        if (dissection.u8(0) != 0) {
          dissection.add(QUOTED_LENGTH);
          dissection.add(RESERVED, 3);
        } else {
          dissection.add(RESERVED, 4);
        }
      }
    }
    dissection.trailer();
    if (dissection.left() > 0) {
      EXTENSIONS.dissect(dissection);
    }
  }

  private static void other(Dissection dissection, int type) {
    switch (type) {
      case ECHO, ECHO_REPLY -> {
        dissection.add(IDENTIFIER);
        dissection.add(SEQUENCE);
      }
      case ROUTER_RENUMBERING -> RouterRenumbering.dissect(dissection);
      case NODE_QUERY, NODE_REPLY -> NodeInformation.dissect(dissection, type == NODE_REPLY);
      case MULTICAST_ROUTER_ADVERTISEMENT -> MulticastListener.advertisement(dissection);
      case FAST_HANDOVER -> Icmpv6Mobility.fastHandover(dissection);
      case RPL -> RplMessages.dissect(dissection);
      case LOCATOR_UPDATE -> Icmpv6Mobility.locators(dissection);
      case ADDRESS_REQUEST, ADDRESS_CONFIRMATION -> NeighborDiscovery.duplicate(dissection);
      case MPL -> MulticastListener.seeds(dissection);
      case EXTENDED_ECHO -> {
        extendedEcho(dissection, EXTENDED_REQUEST);
        EXTENSIONS.dissect(dissection);
      }
      case EXTENDED_ECHO_REPLY -> extendedEcho(dissection, EXTENDED_REPLY);
      default -> dissection.addLeft(DATA);
    }
  }

  private static void extendedEcho(Dissection dissection, Parts flags) {
    dissection.add(IDENTIFIER);
    dissection.add(EXTENDED_SEQUENCE);
    dissection.add(flags);
  }
}
