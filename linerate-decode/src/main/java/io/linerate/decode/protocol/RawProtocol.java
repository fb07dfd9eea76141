package io.linerate.decode.protocol;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import java.util.List;

/** No link at all: IPv4 or IPv6, as the first four bits say. */
public final class RawProtocol implements Protocol {
  public static final Fields RAW =
      Fields.of("raw", "Raw packet data", "tcpdump.org/linktypes.html, LINKTYPE_RAW");

  /** What some systems' DLT_RAW is in their files. */
  private static final int RAW_OF_BSD = 12;

  private static final int RAW_OF_OPENBSD = 14;

  @Override
  public Fields fields() {
    return RAW;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.LINK_TYPE.key(LinkType.RAW.number()),
        DispatchTable.LINK_TYPE.key(RAW_OF_BSD),
        DispatchTable.LINK_TYPE.key(RAW_OF_OPENBSD));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(0);
    switch (scan.u8(0) >>> 4) {
      case 4 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV4);
      case 6 -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV6);
      default -> {}
    }
  }
}
