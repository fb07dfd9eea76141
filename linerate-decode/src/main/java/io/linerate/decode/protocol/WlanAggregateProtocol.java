package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/** Several packets in one wireless frame: the first is decoded, the headers of all are told. */
public final class WlanAggregateProtocol implements Protocol {
  public static final Fields AGGREGATE =
      Fields.of(
          "wlan_aggregate", "IEEE 802.11 wireless LAN aggregate", "IEEE 802.11, clause 9.3.2.2");
  public static final Field DESTINATION = AGGREGATE.field("wlan.da", 48, MAC, "Destination");
  public static final Field SOURCE = AGGREGATE.field("wlan.sa", 48, MAC, "Source");
  public static final Field LENGTH =
      AGGREGATE.field("wlan_aggregate.a_mdsu.length", 16, DECIMAL, "Length");
  public static final Field FRAME =
      AGGREGATE.floating("wlan_aggregate.a_mdsu.subframe", 0, NONE, "Frame");
  public static final Field FURTHER =
      AGGREGATE.floating("wlan_aggregate.further", 0, BYTES, "Further frames");

  private static final int HEADER_BYTES = 14;

  @Override
  public Fields fields() {
    return AGGREGATE;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(WlanProtocol.CONTENT.key(WlanProtocol.AGGREGATE));
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    scan.header(HEADER_BYTES);
    if (length > scan.claimedLength() - HEADER_BYTES) {
      scan.malformed();
    }
    scan.trailer(HEADER_BYTES + length);
    scan.next(DispatchTable.ETHER_TYPE, LlcProtocol.ETHER_TYPE);
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.open(FRAME, HEADER_BYTES);
    dissection.fixed();
    dissection.close();
    dissection.trailer();
    dissection.addLeft(FURTHER);
  }
}
