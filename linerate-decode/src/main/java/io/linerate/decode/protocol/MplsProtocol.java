package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.List;
import java.util.Map;

/**
 * One entry of a stack of labels. Nothing in the last says what follows it: its first four bits do,
 * as RFC 4928, section 3 and RFC 4385, section 3 have it.
 */
public final class MplsProtocol implements Protocol {
  public static final Fields MPLS =
      Fields.of("mpls", "MultiProtocol Label Switching", "RFC 3032, section 2.1");
  public static final Field LABEL =
      MPLS.field(
          "mpls.label",
          20,
          DECIMAL,
          "Label",
          ValueNames.of(
              Map.of(
                  0, "IPv4 explicit null",
                  1, "Router alert",
                  2, "IPv6 explicit null",
                  3, "Implicit null",
                  7, "Entropy label indicator",
                  13, "Generic associated channel",
                  14, "OAM alert")));
  public static final Field TRAFFIC_CLASS =
      MPLS.source("RFC 5462, section 2.1").field("mpls.exp", 3, DECIMAL, "Traffic class");
  public static final Field BOTTOM =
      MPLS.source("RFC 3032, section 2.1").field("mpls.bottom", 1, FLAG, "Bottom of the stack");
  public static final Field TTL = MPLS.field("mpls.ttl", 8, DECIMAL, "Time to live");

  /** UDP port of RFC 7510. */
  private static final int UDP_PORT = 6635;

  private static final int ENTRY_BYTES = 4;

  static {
    MPLS.summary(LABEL, BOTTOM, TTL);
  }

  @Override
  public Fields fields() {
    return MPLS;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.ETHER_TYPE.key(EtherType.MPLS),
        DispatchTable.ETHER_TYPE.key(EtherType.MPLS_MULTICAST),
        DispatchTable.IP_PROTOCOL.key(IpProtocol.MPLS_IN_IP),
        DispatchTable.UDP_PORT.key(UDP_PORT));
  }

  @Override
  public void scan(Scan scan) {
    boolean isBottom = scan.value(BOTTOM) != 0;
    if (scan.claimedLength() == ENTRY_BYTES) {
      scan.malformed();
    }
    scan.header(ENTRY_BYTES);
    if (!isBottom) {
      scan.next(DispatchTable.ETHER_TYPE, EtherType.MPLS);
    } else if (scan.has(ENTRY_BYTES, 1)) {
      followsBottom(scan, scan.u8(ENTRY_BYTES) >>> 4);
    }
  }

  private static void followsBottom(Scan scan, int firstBits) {
    switch (firstBits) {
      case 4 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV4);
      case 6 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV6);
      case 1 -> scan.next(PseudowireProtocol.TABLE, PseudowireProtocol.CHANNEL);
      // RFC 4448, section 4.6: the control word begins with 16 bits of 0. If they are not, there
      // is none, and what follows is a frame.
      case 0 -> {
        boolean hasControlWord = scan.has(ENTRY_BYTES, 2) && scan.u16(ENTRY_BYTES) == 0;
        if (hasControlWord) {
          scan.next(PseudowireProtocol.TABLE, 0);
        } else {
          scan.next(DispatchTable.ETHER_TYPE, EthernetProtocol.BRIDGING);
        }
      }
      default -> {}
    }
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(BOTTOM, layer.next(DispatchTable.ETHER_TYPE) == EtherType.MPLS ? 0 : 1);
  }
}
