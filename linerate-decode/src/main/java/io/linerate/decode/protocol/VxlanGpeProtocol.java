package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;
import java.util.List;

/** VXLAN with the number of what follows, which may be other than Ethernet. */
public final class VxlanGpeProtocol implements Protocol {
  public static final Fields GPE =
      Fields.of(
          "vxlan_gpe",
          "Generic Protocol Extension of VXLAN",
          "draft-ietf-nvo3-vxlan-gpe-13, section 3");
  private static final Parts FLAGS =
      GPE.parts("vxlan.flags", 8, HEX, "Flags")
          .skip(2)
          .part("vxlan.ver", 2, DECIMAL, "Version")
          .part("vxlan.i_bit", 1, DECIMAL, "Network identifier valid")
          .part("vxlan.p_bit", 1, DECIMAL, "Next protocol present")
          .skip(1)
          .part("vxlan.o_bit", 1, DECIMAL, "Operation, administration, maintenance");
  public static final Field RESERVED_BITS =
      GPE.floating("vxlan.flags_reserved", 8, DECIMAL, "Reserved flags");
  public static final Field RESERVED_16 =
      GPE.at(1).field("vxlan.reserved_16", 16, DECIMAL, "Reserved");
  public static final Field NEXT =
      GPE.field(
          "vxlan.next_proto",
          8,
          DECIMAL,
          "Next protocol",
          ValueNames.from0("", "IPv4", "IPv6", "Ethernet", "Network Service Header", "MPLS"));
  public static final Field NETWORK = GPE.field("vxlan.vni", 24, DECIMAL, "Network identifier");
  public static final Field RESERVED = GPE.field("vxlan.reserved8", 8, DECIMAL, "Reserved");

  private static final int PORT = 4790;
  private static final int RESERVED_MASK = 0xC2;

  static {
    GPE.summary(NETWORK, NEXT);
  }

  @Override
  public Fields fields() {
    return GPE;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(PORT));
  }

  @Override
  public void scan(Scan scan) {
    int next = scan.number(NEXT);
    scan.header(VxlanProtocol.HEADER_BYTES);
    next(scan, next);
  }

  /** By the numbers that it has in common with {@link NshProtocol}. */
  static void next(Scan scan, int next) {
    switch (next) {
      case 1 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV4);
      case 2 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV6);
      case 3 -> scan.next(DispatchTable.ETHER_TYPE, EthernetProtocol.BRIDGING);
      case 4 -> scan.next(DispatchTable.ETHER_TYPE, NshProtocol.ETHER_TYPE);
      case 5 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.MPLS);
      default -> {}
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int flags = dissection.u8(0);
    dissection.add(FLAGS);
    dissection.value(RESERVED_BITS, flags & RESERVED_MASK, 0, 0);
    dissection.fixed();
  }
}
