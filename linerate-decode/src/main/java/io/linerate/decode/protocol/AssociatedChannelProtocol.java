package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
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

/** The header of a channel beside the packets of a pseudowire or of a path through MPLS. */
public final class AssociatedChannelProtocol implements Protocol {
  /** Types of channels. */
  public static final DispatchTable CHANNEL_TYPE = new DispatchTable("pwach.channel_type");

  public static final Fields CHANNEL =
      Fields.of("pwach", "Associated channel header", "RFC 5586, section 2.1");
  public static final Field VERSION = CHANNEL.part("pwach.ver", 4, 4, 8, DECIMAL, "Version");
  public static final Field RESERVED = CHANNEL.at(1).field("pwach.res", 8, HEX, "Reserved");
  public static final Field TYPE =
      CHANNEL.field(
          "pwach.channel_type",
          16,
          HEX,
          "Channel type",
          ValueNames.of(
              Map.of(
                  0x0007, "BFD control without IP header",
                  0x0021, "IPv4",
                  0x0057, "IPv6",
                  0x0022, "BFD connectivity check",
                  0x0023, "BFD connectivity verification",
                  0x8902, "Y.1731")));

  private static final int HEADER_BYTES = 4;
  private static final int IPV4 = 0x21;
  private static final int IPV6 = 0x57;

  static {
    CHANNEL.summary(TYPE);
  }

  @Override
  public Fields fields() {
    return CHANNEL;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(PseudowireProtocol.TABLE.key(PseudowireProtocol.CHANNEL));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.number(TYPE);
    scan.header(HEADER_BYTES);
    switch (type) {
      case IPV4 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV4);
      case IPV6 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV6);
      default -> scan.next(CHANNEL_TYPE, type);
    }
  }
}
