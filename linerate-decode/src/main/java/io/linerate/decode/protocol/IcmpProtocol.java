package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.SIGNED;

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
import io.linerate.wire.Ipv4;
import java.util.List;
import java.util.Map;

/**
 * ICMP. An error quotes the packet that it is about: that is the layer which follows, of which the
 * rest was never sent; behind it there may be extensions.
 */
public final class IcmpProtocol implements Protocol {
  private static final int ECHO_REPLY = 0;
  private static final int UNREACHABLE = 3;
  private static final int SOURCE_QUENCH = 4;
  private static final int REDIRECT = 5;
  private static final int ECHO = 8;
  private static final int ROUTER_ADVERTISEMENT = 9;
  private static final int ROUTER_SOLICITATION = 10;
  private static final int TIME_EXCEEDED = 11;
  private static final int PARAMETER_PROBLEM = 12;
  private static final int TIMESTAMP = 13;
  private static final int TIMESTAMP_REPLY = 14;
  private static final int INFORMATION = 15;
  private static final int INFORMATION_REPLY = 16;
  private static final int MASK = 17;
  private static final int MASK_REPLY = 18;
  private static final int EXTENDED_ECHO = 42;
  private static final int EXTENDED_ECHO_REPLY = 43;
  private static final int FRAGMENTATION_NEEDED = 4;

  private static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(ECHO_REPLY, "Echo reply"),
              Map.entry(UNREACHABLE, "Destination unreachable"),
              Map.entry(SOURCE_QUENCH, "Source quench"),
              Map.entry(REDIRECT, "Redirect"),
              Map.entry(ECHO, "Echo"),
              Map.entry(ROUTER_ADVERTISEMENT, "Router advertisement"),
              Map.entry(ROUTER_SOLICITATION, "Router solicitation"),
              Map.entry(TIME_EXCEEDED, "Time exceeded"),
              Map.entry(PARAMETER_PROBLEM, "Parameter problem"),
              Map.entry(TIMESTAMP, "Timestamp"),
              Map.entry(TIMESTAMP_REPLY, "Timestamp reply"),
              Map.entry(INFORMATION, "Information request"),
              Map.entry(INFORMATION_REPLY, "Information reply"),
              Map.entry(MASK, "Address mask request"),
              Map.entry(MASK_REPLY, "Address mask reply"),
              Map.entry(EXTENDED_ECHO, "Extended echo"),
              Map.entry(EXTENDED_ECHO_REPLY, "Extended echo reply")));

  public static final Fields ICMP =
      Fields.of("icmp", "Internet Control Message Protocol", "RFC 792");
  public static final Field TYPE = ICMP.field("icmp.type", 8, DECIMAL, "Type", NAMES);
  public static final Field CODE = ICMP.field("icmp.code", 8, DECIMAL, "Code");
  public static final Field CHECKSUM = ICMP.field("icmp.checksum", 16, HEX, "Checksum");

  private static final Field IDENTIFIER = ICMP.floating("icmp.ident", 16, DECIMAL, "Identifier");
  private static final Field SEQUENCE = ICMP.floating("icmp.seq", 16, DECIMAL, "Sequence number");
  private static final Field UNUSED = ICMP.floating("icmp.unused", 0, BYTES, "Unused");
  private static final Field GATEWAY = ICMP.floating("icmp.redir_gw", 32, IPV4, "Gateway");
  private static final Field POINTER = ICMP.floating("icmp.pointer", 8, DECIMAL, "Pointer");
  private static final Field ORIGINATED =
      ICMP.floating("icmp.originate_timestamp", 32, DECIMAL, "Originated, ms after midnight");
  private static final Field RECEIVED =
      ICMP.floating("icmp.receive_timestamp", 32, DECIMAL, "Received, ms after midnight");
  private static final Field TRANSMITTED =
      ICMP.floating("icmp.transmit_timestamp", 32, DECIMAL, "Transmitted, ms after midnight");
  private static final Field ADDRESS_MASK =
      ICMP.source("RFC 950, appendix I").floating("icmp.address_mask", 32, IPV4, "Address mask");
  private static final Field MTU =
      ICMP.source("RFC 1191, section 4").floating("icmp.mtu", 16, DECIMAL, "MTU of the next hop");
  private static final Field ADDRESSES =
      ICMP.source("RFC 1256, section 3").floating("icmp.num_addrs", 8, DECIMAL, "Addresses");
  private static final Field ENTRY_SIZE =
      ICMP.floating("icmp.addr_entry_size", 8, DECIMAL, "Units of 4 bytes of an entry");
  private static final Field LIFETIME =
      ICMP.floating("icmp.lifetime", 16, DECIMAL, "Lifetime in seconds");
  private static final Field ROUTER = ICMP.floating("icmp.router_address", 32, IPV4, "Router");
  private static final Field PREFERENCE =
      ICMP.floating("icmp.pref_level", 32, SIGNED, "Preference");
  private static final Field QUOTED_LENGTH =
      ICMP.source("RFC 4884, section 4")
          .floating("icmp.length", 8, DECIMAL, "Quoted packet's length in units of 4 bytes");
  private static final Field QUOTED_BYTES =
      ICMP.floating("icmp.length.original_datagram", 8, DECIMAL, "Quoted packet's length");
  private static final Field EXTENDED_SEQUENCE =
      ICMP.source("RFC 8335, section 2")
          .floating("icmp.ext.echo.seq", 8, DECIMAL, "Extended sequence number");
  private static final Parts EXTENDED_REQUEST =
      ICMP.parts(8)
          .part("icmp.ext.echo.req.res", 7, HEX, "Reserved")
          .flag("icmp.ext.echo.req.local", "Local");
  private static final Parts EXTENDED_REPLY =
      ICMP.source("RFC 8335, section 3")
          .parts(8)
          .part("icmp.ext.echo.rsp.state", 3, DECIMAL, "State")
          .part("icmp.ext.echo.rsp.res", 2, HEX, "Reserved")
          .flag("icmp.ext.echo.rsp.active", "Active")
          .flag("icmp.ext.echo.rsp.ipv4", "IPv4")
          .flag("icmp.ext.echo.rsp.ipv6", "IPv6");
  private static final IcmpExtensions EXTENSIONS = new IcmpExtensions(ICMP);

  static {
    MobilityAgents.declare();
    ICMP.summary(TYPE, CODE, IDENTIFIER, SEQUENCE);
  }

  private static final int HEADER_BYTES = 8;
  private static final int LENGTH_OFFSET = 5;
  private static final int QUOTED_TOTAL_LENGTH_OFFSET = HEADER_BYTES + 2;
  private static final int OLD_QUOTED_BYTES = 128;
  private static final int EXTENSION_HEADER_BYTES = 4;
  private static final int EXTENSION_VERSION = 2;

  @Override
  public Fields fields() {
    return ICMP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.ICMP));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.number(TYPE);
    if (isError(type)) {
      scan.header(HEADER_BYTES);
      if (scan.has(HEADER_BYTES, Ipv4.HEADER_BYTES)) {
        scan.partial(); // The header that is quoted has to be whole.
      }
      scan.next(DispatchTable.IP_PROTOCOL, IpProtocol.IPIP);
      if (hasLength(type)) {
        trailer(scan);
      }
    } else if (type == ECHO || type == ECHO_REPLY) {
      scan.header(HEADER_BYTES);
    }
  }

  /**
   * Extensions are where the length says that what is quoted ends. Those who had them before there
   * was a length have them behind 128 bytes: RFC 4884, section 5.5.
   */
  private static void trailer(Scan scan) {
    int quoted = 4 * scan.u8(LENGTH_OFFSET);
    int old = HEADER_BYTES + OLD_QUOTED_BYTES;
    if (quoted > 0) {
      scan.trailer(HEADER_BYTES + quoted);
    } else if (scan.has(old, EXTENSION_HEADER_BYTES)
        && scan.u16(QUOTED_TOTAL_LENGTH_OFFSET) <= OLD_QUOTED_BYTES
        && (scan.u8(old) >>> 4) == EXTENSION_VERSION) {
      scan.trailer(old);
    }
  }

  private static boolean isError(int type) {
    return switch (type) {
      case UNREACHABLE, SOURCE_QUENCH, REDIRECT, TIME_EXCEEDED, PARAMETER_PROBLEM -> true;
      default -> false;
    };
  }

  /** RFC 4884, section 4.1: of these the sixth byte is the length of what is quoted. */
  private static boolean hasLength(int type) {
    return type == UNREACHABLE || type == TIME_EXCEEDED || type == PARAMETER_PROBLEM;
  }

  @Override
  public void complete(LayerBuilder layer) {
    if (!layer.isSet(CHECKSUM)) {
      layer.complete(CHECKSUM, layer.checksum(0, true));
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.layer().has(CHECKSUM)) {
      return;
    }
    int type = (int) dissection.layer().value(TYPE);
    switch (type) {
      case ECHO, ECHO_REPLY, INFORMATION, INFORMATION_REPLY -> echo(dissection);
      case UNREACHABLE ->
          unused(dissection, dissection.layer().value(CODE) == FRAGMENTATION_NEEDED);
      case TIME_EXCEEDED -> unused(dissection, false);
      case PARAMETER_PROBLEM -> {
        dissection.add(POINTER);
        if (dissection.u8(0) > 0) {
          length(dissection);
          dissection.add(UNUSED, 2);
        } else {
          dissection.add(UNUSED, 3);
        }
      }
      case SOURCE_QUENCH, ROUTER_SOLICITATION -> dissection.skip(4);
      case REDIRECT -> dissection.add(GATEWAY);
      case ROUTER_ADVERTISEMENT -> routers(dissection);
      case TIMESTAMP, TIMESTAMP_REPLY -> {
        echo(dissection);
        dissection.add(ORIGINATED);
        dissection.add(RECEIVED);
        dissection.add(TRANSMITTED);
      }
      case MASK, MASK_REPLY -> {
        echo(dissection);
        dissection.add(ADDRESS_MASK);
      }
      case EXTENDED_ECHO -> {
        extendedEcho(dissection, EXTENDED_REQUEST);
        EXTENSIONS.dissect(dissection);
      }
      case EXTENDED_ECHO_REPLY -> extendedEcho(dissection, EXTENDED_REPLY);
      default -> {}
    }
    if (isError(type)) {
      dissection.trailer();
      if (dissection.left() > 0) {
        EXTENSIONS.dissect(dissection);
      }
    }
  }

  private static void echo(Dissection dissection) {
    dissection.add(IDENTIFIER);
    dissection.add(SEQUENCE);
  }

  private static void unused(Dissection dissection, boolean hasMtu) {
    if (dissection.u8(1) > 0) {
      dissection.add(UNUSED, 1);
      length(dissection);
      dissection.add(hasMtu ? MTU : UNUSED, 2);
    } else {
      dissection.add(UNUSED, hasMtu ? 2 : 4);
      if (hasMtu) {
        dissection.add(MTU);
      }
    }
  }

  private static void length(Dissection dissection) {
    long units = dissection.add(QUOTED_LENGTH);
    dissection.value(QUOTED_BYTES, 4 * units, -1, 1);
  }

  private static void routers(Dissection dissection) {
    int count = (int) dissection.add(ADDRESSES);
    int units = (int) dissection.add(ENTRY_SIZE);
    dissection.add(LIFETIME);
    for (int i = 0; i < count && units >= 2 && dissection.expectsMore(); i++) {
      dissection.add(ROUTER);
      dissection.add(PREFERENCE);
      dissection.skip(4 * units - 8);
    }
    MobilityAgents.dissect(dissection);
  }

  private static void extendedEcho(Dissection dissection, Parts flags) {
    dissection.add(IDENTIFIER);
    dissection.add(EXTENDED_SEQUENCE);
    dissection.add(flags);
  }
}
