package io.linerate.decode.protocol;

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
import java.util.List;

/** Frames of Ethernet in UDP, in one of 16 million networks, with the extension for policies. */
public final class VxlanProtocol implements Protocol {
  public static final Fields VXLAN =
      Fields.of("vxlan", "Virtual eXtensible Local Area Network", "RFC 7348, section 5");
  public static final Field FLAGS = VXLAN.field("vxlan.flags", 16, HEX, "Flags");
  public static final Field HAS_POLICY =
      VXLAN
          .source("draft-smith-vxlan-group-policy-05, section 2.1")
          .part("vxlan.flag_g", 0, 1, 16, FLAG, "Group policy present");
  public static final Field HAS_NETWORK =
      VXLAN
          .source("RFC 7348, section 5")
          .part("vxlan.flag_i", 4, 1, 16, FLAG, "Network identifier valid");
  public static final Field DONT_LEARN =
      VXLAN
          .source("draft-smith-vxlan-group-policy-05, section 2.1")
          .part("vxlan.flag_d", 9, 1, 16, FLAG, "Don't learn");
  public static final Field APPLIED = VXLAN.part("vxlan.flag_a", 12, 1, 16, FLAG, "Policy applied");
  public static final Field RESERVED_FLAGS =
      VXLAN.floating("vxlan.flags_reserved", 16, HEX, "Reserved flags");
  public static final Field POLICY = VXLAN.field("vxlan.gbp", 16, DECIMAL, "Group policy");
  public static final Field NETWORK =
      VXLAN.source("RFC 7348, section 5").field("vxlan.vni", 24, DECIMAL, "Network identifier");
  public static final Field RESERVED = VXLAN.field("vxlan.reserved8", 8, DECIMAL, "Reserved");

  private static final int PORT = 4789;
  private static final int RESERVED_MASK = 0x77B7;

  static final int HEADER_BYTES = 8;

  static {
    VXLAN.summary(NETWORK);
  }

  @Override
  public Fields fields() {
    return VXLAN;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(PORT));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(HEADER_BYTES);
    scan.next(DispatchTable.ETHER_TYPE, EthernetProtocol.BRIDGING);
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(HAS_NETWORK, 1);
  }

  @Override
  public void dissect(Dissection dissection) {
    int flags = dissection.u16(0);
    dissection.value(RESERVED_FLAGS, flags & RESERVED_MASK, 0, dissection.has(2) ? 2 : 0);
    dissection.fixed();
  }
}
