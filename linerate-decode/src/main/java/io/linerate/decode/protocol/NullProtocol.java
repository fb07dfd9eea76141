package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
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
 * The loopback interface of BSD and what copied it: the address family, in the byte order of the
 * machine that captured (LINKTYPE_NULL) or of networks (LINKTYPE_LOOP). Families have small
 * numbers, which shows the order; some machines write an ether type instead.
 */
public final class NullProtocol implements Protocol {
  public static final Fields NULL =
      Fields.of("null", "BSD loopback", "tcpdump.org/linktypes.html, LINKTYPE_NULL");
  public static final Field TYPE =
      NULL.floating("null.type", 16, HEX, "Ether type", NumberNames.ETHER_TYPES);
  public static final Field FAMILY =
      NULL.floating(
          "null.family",
          32,
          DECIMAL,
          "Address family",
          ValueNames.of(
              Map.of(2, "IPv4", 7, "OSI", 10, "IPv6", 24, "IPv6", 28, "IPv6", 30, "IPv6")));

  private static final int HEADER_BYTES = 4;

  /** Address and control of PPP: some systems write them here. */
  private static final int PPP = 0xFF03;

  static {
    NULL.summary(TYPE, FAMILY);
  }

  @Override
  public Fields fields() {
    return NULL;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.LINK_TYPE.key(LinkType.NULL.number()),
        DispatchTable.LINK_TYPE.key(LinkType.LOOP.number()));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.has(0, 2) && scan.u16(0) == PPP) {
      scan.header(0);
      scan.next(DispatchTable.LINK_TYPE, LinkType.PPP.number());
      return;
    }
    int family = inOrder(scan.i32(0));
    scan.header(HEADER_BYTES);
    switch (family) {
      case 2 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV4);
      // Linux, NetBSD, FreeBSD, Darwin.
      case 10, 24, 28, 30 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV6);
      case 7 -> scan.next(DispatchTable.LLC_SAP, 0xFE);
      default -> {
        if (isType(family)) {
          scan.next(DispatchTable.ETHER_TYPE, family);
        }
      }
    }
  }

  private static int inOrder(int family) {
    return family >>> 16 == 0 ? family : Integer.reverseBytes(family);
  }

  private static boolean isType(int family) {
    return family >= EtherType.MIN && family >>> 16 == 0;
  }

  @Override
  public void dissect(Dissection dissection) {
    if (!dissection.has(HEADER_BYTES)) {
      return;
    }
    int family = inOrder((int) dissection.u32(0));
    if (isType(family)) {
      dissection.value(TYPE, family, 2, 2);
    } else {
      dissection.value(FAMILY, Integer.toUnsignedLong(family), 0, HEADER_BYTES);
    }
  }
}
