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

/** The hop-by-hop options of IPv6: for all that are on the path. */
public final class HopByHopProtocol implements Protocol {
  public static final Fields HOP_BY_HOP =
      Fields.of("ipv6.hopopts", "IPv6 Hop-by-Hop Options", "RFC 8200, section 4.3");
  public static final Field NEXT_HEADER =
      HOP_BY_HOP.field("ipv6.hopopts.nxt", 8, DECIMAL, "Next header", NumberNames.IP_PROTOCOLS);
  public static final Field LENGTH =
      HOP_BY_HOP.field("ipv6.hopopts.len", 8, DECIMAL, "Length in units of 8 bytes, less 1");
  public static final Field LENGTH_BYTES =
      HOP_BY_HOP.floating("ipv6.hopopts.len_oct", 16, DECIMAL, "Length");

  private static final Ipv6Options OPTIONS = new Ipv6Options(HOP_BY_HOP);

  @Override
  public Fields fields() {
    return HOP_BY_HOP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.HOPOPT));
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
