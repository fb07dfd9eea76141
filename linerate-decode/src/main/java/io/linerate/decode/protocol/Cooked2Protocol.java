package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/** The second version of {@link CookedProtocol}: it says which interface a packet was on. */
public final class Cooked2Protocol implements Protocol {
  public static final Fields COOKED =
      Fields.of(
          "sll2",
          "Linux cooked capture, version 2",
          "tcpdump.org/linktypes/LINKTYPE_LINUX_SLL2.html");
  public static final Field INTERFACE =
      COOKED.at(4).field("sll.ifindex", 32, DECIMAL, "Index of the interface");
  public static final Field HARDWARE_TYPE =
      COOKED.field("sll.hatype", 16, DECIMAL, "Type of the link");
  public static final Field PACKET_TYPE =
      COOKED.field("sll.pkttype", 8, DECIMAL, "Packet type", CookedFields.PACKET_TYPES);
  public static final Field ADDRESS_LENGTH =
      COOKED.field("sll.halen", 8, DECIMAL, "Length of the address");
  private static final CookedFields REST = new CookedFields(COOKED);
  public static final Field TRAILER = COOKED.floating("sll.trailer", 0, BYTES, "Trailer");

  private static final int HEADER_BYTES = 20;

  static {
    COOKED.summary(PACKET_TYPE, INTERFACE);
  }

  @Override
  public Fields fields() {
    return COOKED;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.LINK_TYPE.key(LinkType.LINUX_SLL2.number()));
  }

  @Override
  public void scan(Scan scan) {
    int protocol = scan.u16(0);
    scan.header(HEADER_BYTES);
    CookedFields.next(scan, scan.number(HARDWARE_TYPE), protocol);
  }

  @Override
  public void dissect(Dissection dissection) {
    int hardwareType = dissection.u16(8);
    int addressBytes = dissection.u8(11);
    REST.protocol(dissection, hardwareType);
    dissection.fixed();
    REST.address(dissection, addressBytes);
    dissection.padding();
    dissection.addLeft(TRAILER);
  }
}
