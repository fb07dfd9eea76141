package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/** The length before each DNS message over TCP. */
public final class DnsTcpProtocol implements Protocol {
  public static final Fields DNS_TCP =
      Fields.of("dns_tcp", "Domain Name System over TCP", "RFC 7766, section 8");
  public static final Field LENGTH = DNS_TCP.field("dns.length", 16, DECIMAL, "Length");

  private static final int HEADER_BYTES = 2;

  private final Protocol message = new DnsProtocol();

  @Override
  public Fields fields() {
    return DNS_TCP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.TCP_PORT.key(53), DispatchTable.TCP_PORT.key(5353));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(HEADER_BYTES);
    scan.next(message);
  }

  @Override
  public int messageBytes(Scan scan) {
    return scan.has(0, HEADER_BYTES) ? HEADER_BYTES + scan.number(LENGTH) : 0;
  }
}
