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
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import java.util.List;

/**
 * A service tag of a provider's bridge. Of two that follow each other the first is called the
 * service's and the second the customer's, as tshark does.
 */
public final class ProviderBridgeProtocol implements Protocol {
  public static final Fields BRIDGE =
      Fields.of("ieee8021ad", "802.1ad Provider Bridge", "IEEE 802.1Q, clause 9.6");
  public static final Field PRIORITY = BRIDGE.field("ieee8021ad.priority", 3, DECIMAL, "Priority");
  public static final Field DROP_ELIGIBLE =
      BRIDGE.field("ieee8021ad.dei", 1, DECIMAL, "Drop eligible");
  public static final Field IDENTIFIER = BRIDGE.field("ieee8021ad.id", 12, DECIMAL, "Identifier");
  public static final Field SERVICE =
      BRIDGE.floating("ieee8021ad.svid", 16, DECIMAL, "Identifier of the service");
  public static final Field CUSTOMER =
      BRIDGE.floating("ieee8021ad.cvid", 16, DECIMAL, "Identifier of the customer");
  public static final Field TYPE =
      BRIDGE.field("ieee8021ah.etype", 16, HEX, "Type", NumberNames.ETHER_TYPES);
  public static final Field PADDING = BRIDGE.floating("eth.padding", 0, BYTES, "Padding");
  public static final Field TRAILER = BRIDGE.floating("ieee8021ah.trailer", 0, BYTES, "Trailer");

  private static final int HEADER_BYTES = 4;
  private static final int IDENTIFIER_MASK = 0xFFF;

  static {
    BRIDGE.summary(IDENTIFIER, SERVICE, CUSTOMER);
  }

  @Override
  public Fields fields() {
    return BRIDGE;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.ETHER_TYPE.key(EtherType.PROVIDER_BRIDGE));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.number(TYPE);
    scan.header(HEADER_BYTES);
    if (type >= EtherType.MIN) {
      scan.next(DispatchTable.ETHER_TYPE, type);
    }
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(TYPE, Math.max(layer.next(DispatchTable.ETHER_TYPE), 0));
  }

  @Override
  public void dissect(Dissection dissection) {
    int identifier = dissection.u16(0) & IDENTIFIER_MASK;
    boolean isSecond = isSecond(dissection);
    boolean isFirst = !isSecond && dissection.u16(2) == EtherType.PROVIDER_BRIDGE;
    dissection.fixed(PRIORITY);
    dissection.fixed(DROP_ELIGIBLE);
    if (isFirst || isSecond) {
      dissection.value(isFirst ? SERVICE : CUSTOMER, identifier, -1, 2);
      dissection.offset(2);
    } else {
      dissection.fixed(IDENTIFIER);
    }
    if (!isFirst) {
      dissection.fixed(TYPE);
    }
    EthernetTrailer.add(dissection, PADDING, TRAILER, null);
  }

  /** Whether an odd number of such tags is before it. */
  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  private static boolean isSecond(Dissection dissection) {
    boolean isSecond = false;
    int index = dissection.layer().index() - 1;
    while (index >= 0 && dissection.layer(index).protocol().fields() == BRIDGE) {
      isSecond = !isSecond;
      index--;
    }
    return isSecond;
  }
}
