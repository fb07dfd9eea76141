package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;
import java.util.Map;

/** BGP: one message; what is behind it in the segment are further messages. */
public final class BgpProtocol implements Protocol {
  private static final int OPEN = 1;
  private static final int UPDATE = 2;
  private static final int NOTIFICATION = 3;
  private static final int KEEPALIVE = 4;
  private static final int ROUTE_REFRESH = 5;
  private static final int CISCO_ROUTE_REFRESH = 128;

  public static final Fields BGP =
      Fields.of("bgp", "Border Gateway Protocol", "RFC 4271, section 4.1");
  public static final Field MARKER = BGP.field("bgp.marker", 128, BYTES, "Marker");
  public static final Field LENGTH = BGP.field("bgp.length", 16, DECIMAL, "Length");
  public static final Field TYPE =
      BGP.field(
          "bgp.type",
          8,
          DECIMAL,
          "Message",
          ValueNames.of(
              Map.of(
                  OPEN,
                  "Open",
                  UPDATE,
                  "Update",
                  NOTIFICATION,
                  "Notification",
                  KEEPALIVE,
                  "Keepalive",
                  ROUTE_REFRESH,
                  "Route refresh",
                  6,
                  "Capability",
                  CISCO_ROUTE_REFRESH,
                  "Route refresh of Cisco")));

  private static final Field REFRESH_FAMILY =
      BGP.source("RFC 7313, section 3.2")
          .floating("bgp.route_refresh.afi", 16, DECIMAL, "Address family");
  private static final Field REFRESH_SUBTYPE =
      BGP.floating("bgp.route_refresh.subtype", 8, DECIMAL, "Route refresh");
  private static final Field REFRESH_SUBSEQUENT =
      BGP.floating("bgp.route_refresh.safi", 8, DECIMAL, "Subsequent address family");
  private static final Field FILTERS =
      BGP.source("RFC 5291, section 4").floating("bgp.route_refresh.orf", 0, BYTES, "Filters");

  private static final int HEADER_BYTES = 19;
  private static final int LENGTH_OFFSET = 16;
  private static final int PORT = 179;

  static {
    BgpOpen.declare();
    BgpUpdate.declare();
    BgpNotification.declare();
    BGP.summary(TYPE, LENGTH);
  }

  @Override
  public Fields fields() {
    return BGP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.TCP_PORT.key(PORT));
  }

  @Override
  public int messageBytes(Scan scan) {
    if (!scan.has(0, HEADER_BYTES)) {
      return 0;
    }
    boolean isMarker = scan.u64(0) == -1 && scan.u64(8) == -1;
    int length = scan.u16(LENGTH_OFFSET);
    return isMarker && length >= HEADER_BYTES ? length : UNKNOWN;
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    if (length < HEADER_BYTES) {
      scan.malformed();
      return;
    }
    if (scan.u64(0) != -1 || scan.u64(8) != -1) {
      scan.malformed();
    }
    scan.header(length);
    scan.next(this);
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.layer().has(TYPE)) {
      return;
    }
    switch ((int) dissection.layer().value(TYPE)) {
      case OPEN -> BgpOpen.dissect(dissection);
      case UPDATE -> BgpUpdate.dissect(dissection);
      case NOTIFICATION -> BgpNotification.dissect(dissection);
      case ROUTE_REFRESH, CISCO_ROUTE_REFRESH -> {
        dissection.add(REFRESH_FAMILY);
        dissection.add(REFRESH_SUBTYPE);
        dissection.add(REFRESH_SUBSEQUENT);
        dissection.addLeft(FILTERS);
      }
      default -> {}
    }
  }
}
