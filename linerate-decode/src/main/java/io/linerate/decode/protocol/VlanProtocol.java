package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import java.util.List;

/** A tag of a virtual LAN. */
public final class VlanProtocol implements Protocol {
  public static final Fields VLAN =
      Fields.of("vlan", "802.1Q Virtual LAN", "IEEE 802.1Q, clause 9.6");
  public static final Field PRIORITY = VLAN.field("vlan.priority", 3, DECIMAL, "Priority");
  public static final Field DROP_ELIGIBLE = VLAN.field("vlan.dei", 1, FLAG, "Drop eligible");
  public static final Field IDENTIFIER = VLAN.field("vlan.id", 12, DECIMAL, "Identifier");
  public static final Field TYPE = VLAN.field("vlan.etype", 16, HEX, "Type");

  private static final int HEADER_BYTES = 4;

  @Override
  public Fields fields() {
    return VLAN;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.ETHER_TYPE.key(EtherType.VLAN));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(HEADER_BYTES);
    scan.next(DispatchTable.ETHER_TYPE, scan.number(TYPE));
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(TYPE, Math.max(layer.next(DispatchTable.ETHER_TYPE), 0));
  }
}
