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

/** What Linux has instead of the header of a link where it captures on several. */
public final class CookedProtocol implements Protocol {
  public static final Fields COOKED =
      Fields.of("sll", "Linux cooked capture", "tcpdump.org/linktypes/LINKTYPE_LINUX_SLL.html");
  public static final Field PACKET_TYPE =
      COOKED.field("sll.pkttype", 16, DECIMAL, "Packet type", CookedFields.PACKET_TYPES);
  public static final Field HARDWARE_TYPE =
      COOKED.field("sll.hatype", 16, DECIMAL, "Type of the link");
  public static final Field ADDRESS_LENGTH =
      COOKED.field("sll.halen", 16, DECIMAL, "Length of the address");
  private static final CookedFields REST = new CookedFields(COOKED);
  public static final Field TRAILER = COOKED.floating("sll.trailer", 0, BYTES, "Trailer");

  private static final int HEADER_BYTES = 16;
  private static final int PROTOCOL_OFFSET = 14;

  static {
    COOKED.summary(PACKET_TYPE);
  }

  @Override
  public Fields fields() {
    return COOKED;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.LINK_TYPE.key(LinkType.LINUX_SLL.number()));
  }

  @Override
  public void scan(Scan scan) {
    int protocol = scan.u16(PROTOCOL_OFFSET);
    scan.header(HEADER_BYTES);
    CookedFields.next(scan, scan.number(HARDWARE_TYPE), protocol);
  }

  @Override
  public void dissect(Dissection dissection) {
    int hardwareType = dissection.u16(2);
    int addressBytes = dissection.u16(4);
    dissection.fixed();
    REST.address(dissection, addressBytes);
    REST.protocol(dissection, hardwareType);
    dissection.padding();
    dissection.addLeft(TRAILER);
  }
}
