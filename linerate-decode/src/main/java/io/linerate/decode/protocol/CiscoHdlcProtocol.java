package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.HEX;

import io.linerate.core.memory.LinkType;
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

/** HDLC as Cisco's routers have it: with an ether type. */
public final class CiscoHdlcProtocol implements Protocol {
  /** What is no ether type, or another in such a header. */
  static final DispatchTable PROTOCOLS = new DispatchTable("chdlc.protocol");

  public static final Fields HDLC = Fields.of("chdlc", "Cisco HDLC", "RFC 1547, section 4.3.1");
  public static final Field ADDRESS =
      HDLC.field(
          "chdlc.address",
          8,
          HEX,
          "Address",
          ValueNames.of(Map.of(0x0F, "Unicast", 0x8F, "Multicast")));
  public static final Field CONTROL = HDLC.field("chdlc.control", 8, HEX, "Control");
  public static final Field PROTOCOL =
      HDLC.field("chdlc.protocol", 16, HEX, "Protocol", NumberNames.ETHER_TYPES);

  private static final int HEADER_BYTES = 4;
  private static final int CISCO_DISCOVERY = 0x2000;
  private static final int OSI = 0xFEFE;

  static {
    HDLC.summary(PROTOCOL);
  }

  @Override
  public Fields fields() {
    return HDLC;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.LINK_TYPE.key(LinkType.C_HDLC.number()));
  }

  @Override
  public void scan(Scan scan) {
    int protocol = scan.number(PROTOCOL);
    scan.header(HEADER_BYTES);
    switch (protocol) {
      case EtherType.RARP -> scan.next(PROTOCOLS, protocol);
      case CISCO_DISCOVERY -> scan.next(DispatchTable.CISCO_PID, protocol);
      case OSI -> scan.next(DispatchTable.LLC_SAP, OSI & 0xFF);
      default -> scan.next(DispatchTable.ETHER_TYPE, protocol);
    }
  }
}
