package io.linerate.decode.protocol;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/**
 * Multicast DNS: a layer without bytes of its own, which says that the DNS message that follows is
 * one of it. The upper bit of classes means something else in those.
 */
public final class MdnsProtocol implements Protocol {
  public static final Fields MDNS = Fields.of("mdns", "Multicast DNS", "RFC 6762, section 18");

  private final Protocol message = new DnsProtocol();

  @Override
  public Fields fields() {
    return MDNS;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(5353));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(0);
    scan.next(message);
  }
}
