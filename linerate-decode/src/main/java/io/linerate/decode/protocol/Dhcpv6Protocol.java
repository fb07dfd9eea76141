package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.ValueNames;
import java.util.List;

/** DHCPv6; what relay agents carry is a part of their message. */
public final class Dhcpv6Protocol implements Protocol {
  public static final Fields DHCPV6 =
      Fields.of("dhcpv6", "Dynamic Host Configuration Protocol for IPv6", "RFC 8415, section 8");
  public static final Field TYPE =
      DHCPV6.field(
          "dhcpv6.msgtype",
          8,
          DECIMAL,
          "Message type",
          ValueNames.from0(
              "",
              "solicit",
              "advertise",
              "request",
              "confirm",
              "renew",
              "rebind",
              "reply",
              "release",
              "decline",
              "reconfigure",
              "information-request",
              "relay-forward",
              "relay-reply",
              "leasequery",
              "leasequery-reply"));
  public static final Field TRANSACTION = DHCPV6.floating("dhcpv6.xid", 24, HEX, "Transaction");
  public static final Field HOPS =
      DHCPV6.source("RFC 8415, section 9").floating("dhcpv6.hopcount", 8, DECIMAL, "Hops");
  public static final Field LINK = DHCPV6.floating("dhcpv6.linkaddr", 128, IPV6, "Link's address");
  public static final Field PEER = DHCPV6.floating("dhcpv6.peeraddr", 128, IPV6, "Peer's address");

  /** Messages and options in each other: the hop limit of relays is 8. */
  private static final int MAX_DEPTH = 24;

  private static final int RELAY_FORWARD = 12;
  private static final int RELAY_REPLY = 13;

  static {
    Dhcpv6Options.declare();
    DHCPV6.summary(
        "dhcpv6.msgtype",
        "address=|dhcpv6.iaaddr.ip",
        "prefix=|dhcpv6.iaprefix.pref_addr",
        "name=|dhcpv6.client_domain",
        "id=|dhcpv6.xid");
  }

  @Override
  public Fields fields() {
    return DHCPV6;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(546), DispatchTable.UDP_PORT.key(547));
  }

  @Override
  public void dissect(Dissection dissection) {
    message(dissection, MAX_DEPTH);
  }

  /** A message, from the cursor to the end, in which so many others and options may be nested. */
  static void message(Dissection dissection, int depth) {
    int type = (int) dissection.add(TYPE);
    if (type == RELAY_FORWARD || type == RELAY_REPLY) {
      dissection.add(HOPS);
      dissection.add(LINK);
      dissection.add(PEER);
    } else {
      dissection.add(TRANSACTION);
    }
    Dhcpv6Options.dissect(dissection, type, depth);
  }
}
