package io.linerate.decode.protocol;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/**
 * Link-local multicast name resolution: a layer without bytes of its own, which says that the DNS
 * message that follows is one of it. Some flags mean something else in those.
 */
public final class LlmnrProtocol implements Protocol {
  public static final Fields LLMNR =
      Fields.of("llmnr", "Link-Local Multicast Name Resolution", "RFC 4795, section 2.1.1");

  private final Protocol message = new DnsProtocol();

  @Override
  public Fields fields() {
    return LLMNR;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(5355));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(0);
    scan.next(message);
  }
}
