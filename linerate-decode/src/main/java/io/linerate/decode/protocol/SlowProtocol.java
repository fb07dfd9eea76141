package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;
import java.util.List;
import java.util.Map;

/** Which of the protocols a frame is of that send at most a few frames a second. */
public final class SlowProtocol implements Protocol {
  public static final DispatchTable SUBTYPES = new DispatchTable("slow.subtype");

  public static final Fields SLOW = Fields.of("slow", "Slow Protocols", "IEEE 802.3, annex 57A");
  public static final Field SUBTYPE =
      SLOW.field(
          "slow.subtype",
          8,
          HEX,
          "Subtype",
          ValueNames.of(Map.of(1, "LACP", 2, "Marker", 3, "OAM", 10, "Organisation specific")));

  private static final int HEADER_BYTES = 1;

  static {
    SLOW.summary(SUBTYPE);
  }

  @Override
  public Fields fields() {
    return SLOW;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.ETHER_TYPE.key(EtherType.SLOW_PROTOCOLS));
  }

  @Override
  public void scan(Scan scan) {
    int subtype = scan.number(SUBTYPE);
    scan.header(HEADER_BYTES);
    scan.next(SUBTYPES, subtype);
  }
}
