package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** Frames of Ethernet in IP. */
public final class EtherIpProtocol implements Protocol {
  public static final Fields ETHER_IP = Fields.of("etherip", "EtherIP", "RFC 3378, section 2");
  public static final Field VERSION = ETHER_IP.field("etherip.ver", 4, DECIMAL, "Version");
  public static final Field RESERVED = ETHER_IP.field("etherip.reserved", 12, HEX, "Reserved");

  private static final int HEADER_BYTES = 2;

  @Override
  public Fields fields() {
    return ETHER_IP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.ETHERIP));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(HEADER_BYTES);
    scan.next(DispatchTable.ETHER_TYPE, EthernetProtocol.BRIDGING);
  }
}
