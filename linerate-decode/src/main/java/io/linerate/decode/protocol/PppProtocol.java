package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.HEX;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;
import java.util.List;
import java.util.Map;

/**
 * The Point-to-Point Protocol, with or without the address and control bytes of HDLC. The protocol
 * has two bytes, or one: the lowest bit of its last byte is set, that of its first of two is not.
 */
public final class PppProtocol implements Protocol {
  public static final Fields PPP =
      Fields.of("ppp", "Point-to-Point Protocol", "RFC 1662, section 3.1");
  public static final Field ADDRESS = PPP.floating("ppp.address", 8, HEX, "Address");
  public static final Field CONTROL = PPP.floating("ppp.control", 8, HEX, "Control");
  public static final Field PROTOCOL =
      PPP.source("RFC 1661, section 2")
          .floating(
              "ppp.protocol",
              16,
              HEX,
              "Protocol",
              ValueNames.of(
                  Map.of(
                      0x0021, "IPv4",
                      0x0057, "IPv6",
                      0x003D, "Multilink",
                      0x0281, "MPLS",
                      0x8021, "IP Control Protocol",
                      0x8057, "IPv6 Control Protocol",
                      0x80FD, "Compression Control Protocol",
                      0xC021, "Link Control Protocol",
                      0xC023, "Password Authentication Protocol",
                      0xC223, "Challenge Handshake Authentication Protocol")));

  private static final int ADDRESS_CONTROL = 0xFF03;
  private static final int ADDRESS_CONTROL_BYTES = 2;

  static {
    PPP.summary(PROTOCOL);
  }

  @Override
  public Fields fields() {
    return PPP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.LINK_TYPE.key(LinkType.PPP.number()),
        DispatchTable.LINK_TYPE.key(LinkType.PPP_HDLC.number()));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.has(0, 2) && isCisco(scan.u16(0))) {
      scan.header(0);
      scan.next(DispatchTable.LINK_TYPE, LinkType.C_HDLC.number());
      return;
    }
    boolean hasAddress = (scan.has(0, 2) || isAddress(scan)) && scan.u16(0) == ADDRESS_CONTROL;
    int at = hasAddress ? ADDRESS_CONTROL_BYTES : 0;
    int first = scan.u8(at);
    boolean isShort = (first & 1) != 0;
    int protocol = isShort ? first : scan.u16(at);
    scan.header(at + (isShort ? 1 : 2));
    next(scan, protocol);
  }

  /** Whether it begins as an address: no protocol is 0xff. */
  private static boolean isAddress(Scan scan) {
    return scan.u8(0) == ADDRESS_CONTROL >>> Byte.SIZE;
  }

  /** Unicast or multicast of Cisco's HDLC: no PPP, though the link type says so. */
  private static boolean isCisco(int addressControl) {
    return addressControl == 0x0F00 || addressControl == 0x8F00;
  }

  private static void next(Scan scan, int protocol) {
    switch (protocol) {
      case 0x0021 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV4);
      case 0x0057 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV6);
      case 0x0281 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.MPLS);
      case 0x0283 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.MPLS_MULTICAST);
      default -> scan.next(DispatchTable.PPP_PROTOCOL, protocol);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    if (dissection.left() == 0) {
      return;
    }
    if (dissection.has(2) && dissection.u16(0) == ADDRESS_CONTROL) {
      dissection.add(ADDRESS);
      dissection.add(CONTROL);
    }
    dissection.add(PROTOCOL, (dissection.u8(0) & 1) != 0 ? 1 : 2);
  }
}
