package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** The destination options of IPv6: for whom the packet is to. */
public final class DestinationOptionsProtocol implements Protocol {
  public static final Fields DESTINATION_OPTIONS =
      Fields.of("ipv6.dstopts", "IPv6 Destination Options", "RFC 8200, section 4.6");
  public static final Field NEXT_HEADER =
      DESTINATION_OPTIONS.field(
          "ipv6.dstopts.nxt", 8, DECIMAL, "Next header", NumberNames.IP_PROTOCOLS);
  public static final Field LENGTH =
      DESTINATION_OPTIONS.field(
          "ipv6.dstopts.len", 8, DECIMAL, "Length in units of 8 bytes, less 1");
  public static final Field LENGTH_BYTES =
      DESTINATION_OPTIONS.floating("ipv6.dstopts.len_oct", 16, DECIMAL, "Length");

  private static final Ipv6Options OPTIONS = new Ipv6Options(DESTINATION_OPTIONS);

  @Override
  public Fields fields() {
    return DESTINATION_OPTIONS;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.IPV6_OPTS));
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    scan.header(8 + 8 * length);
    scan.next(DispatchTable.IP_PROTOCOL, scan.number(NEXT_HEADER));
  }

  @Override
  public void complete(LayerBuilder layer) {
    long next = layer.next(DispatchTable.IP_PROTOCOL);
    layer.complete(NEXT_HEADER, next < 0 ? IpProtocol.IPV6_NONXT : next);
    layer.complete(LENGTH, Math.max(0, layer.length() / 8 - 1));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.layer().has(LENGTH)) {
      dissection.value(LENGTH_BYTES, 8 + 8 * dissection.layer().value(LENGTH), -1, 1);
    }
    OPTIONS.dissect(dissection);
  }
}
