package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
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

/** A tag of a virtual LAN, with the ether type or the length of what follows. */
public final class VlanProtocol implements Protocol {
  public static final Fields VLAN =
      Fields.of("vlan", "802.1Q Virtual LAN", "IEEE 802.1Q, clause 9.6");
  public static final Field PRIORITY = VLAN.field("vlan.priority", 3, DECIMAL, "Priority");
  public static final Field DROP_ELIGIBLE = VLAN.field("vlan.dei", 1, FLAG, "Drop eligible");
  public static final Field IDENTIFIER = VLAN.field("vlan.id", 12, DECIMAL, "Identifier");
  public static final Field TYPE =
      VLAN.floating("vlan.etype", 16, HEX, "Type", NumberNames.ETHER_TYPES);
  public static final Field LENGTH = VLAN.floating("vlan.len", 16, DECIMAL, "Length");
  public static final Field PADDING = VLAN.floating("eth.padding", 0, BYTES, "Padding");
  public static final Field TRAILER = VLAN.floating("vlan.trailer", 0, BYTES, "Trailer");

  private static final int TYPE_OFFSET = 2;
  private static final int HEADER_BYTES = 4;

  static {
    VLAN.summary(IDENTIFIER, PRIORITY, TYPE);
  }

  @Override
  public Fields fields() {
    return VLAN;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.ETHER_TYPE.key(EtherType.VLAN),
        DispatchTable.ETHER_TYPE.key(EtherType.QINQ_LEGACY));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.u16(TYPE_OFFSET);
    scan.header(HEADER_BYTES);
    if (type > EthernetProtocol.MAX_LENGTH) {
      scan.next(DispatchTable.ETHER_TYPE, type);
    } else {
      scan.total(HEADER_BYTES + type);
      if (type > scan.claimedLength() - HEADER_BYTES) {
        scan.malformed();
      }
      scan.next(DispatchTable.ETHER_TYPE, LlcProtocol.ETHER_TYPE);
    }
  }

  @Override
  public void complete(LayerBuilder layer) {
    if (!layer.isSet(TYPE) && !layer.isSet(LENGTH)) {
      long type = layer.next(DispatchTable.ETHER_TYPE);
      layer.complete(TYPE, type < 0 ? layer.totalLength() - layer.length() : type);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    dissection.add(dissection.u16(0) > EthernetProtocol.MAX_LENGTH ? TYPE : LENGTH);
    EthernetTrailer.add(dissection, PADDING, TRAILER, null);
  }
}
