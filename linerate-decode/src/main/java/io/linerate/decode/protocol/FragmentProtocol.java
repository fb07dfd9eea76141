package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** The fragment header of IPv6. */
public final class FragmentProtocol implements Protocol {
  public static final Fields FRAGMENT =
      Fields.of("ipv6.fraghdr", "IPv6 Fragment", "RFC 8200, section 4.5");
  public static final Field NEXT_HEADER =
      FRAGMENT.field("ipv6.fraghdr.nxt", 8, DECIMAL, "Next header", NumberNames.IP_PROTOCOLS);
  public static final Field RESERVED =
      FRAGMENT.field("ipv6.fraghdr.reserved_octet", 8, HEX, "Reserved byte");
  public static final Field OFFSET =
      FRAGMENT.field("ipv6.fraghdr.offset", 13, DECIMAL, "Offset in units of 8 bytes");
  public static final Field RESERVED_BITS =
      FRAGMENT.field("ipv6.fraghdr.reserved_bits", 2, DECIMAL, "Reserved bits");
  public static final Field MORE = FRAGMENT.field("ipv6.fraghdr.more", 1, FLAG, "More fragments");
  public static final Field IDENTIFICATION =
      FRAGMENT.field("ipv6.fraghdr.ident", 32, HEX, "Identification");

  private static final int HEADER_BYTES = 8;

  @Override
  public Fields fields() {
    return FRAGMENT;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.IPV6_FRAG));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(HEADER_BYTES);
    if (scan.number(OFFSET) == 0) {
      scan.next(DispatchTable.IP_PROTOCOL, scan.number(NEXT_HEADER));
      if (scan.number(MORE) != 0) {
        scan.partial();
      }
    }
  }

  @Override
  public void complete(LayerBuilder layer) {
    long next = layer.next(DispatchTable.IP_PROTOCOL);
    layer.complete(NEXT_HEADER, next < 0 ? IpProtocol.IPV6_NONXT : next);
  }
}
