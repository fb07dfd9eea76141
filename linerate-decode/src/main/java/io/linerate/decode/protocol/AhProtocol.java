package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** The authentication header of IPsec. */
public final class AhProtocol implements Protocol {
  public static final Fields AH =
      Fields.of("ah", "IP Authentication Header", "RFC 4302, section 2");
  public static final Field NEXT =
      AH.field("ah.next_header", 8, DECIMAL, "Next header", NumberNames.IP_PROTOCOLS);
  public static final Field LENGTH =
      AH.field("ah.length", 8, DECIMAL, "Length in units of 4 bytes, less 2");
  public static final Field RESERVED = AH.field("ah.reserved", 16, BYTES, "Reserved");
  public static final Field SPI = AH.field("ah.spi", 32, HEX, "Security parameters index");
  public static final Field SEQUENCE = AH.field("ah.sequence", 32, DECIMAL, "Sequence number");
  public static final Field CHECK_VALUE = AH.floating("ah.icv", 0, BYTES, "Integrity check value");

  private static final int HEADER_BYTES = 12;

  static {
    AH.summary(SPI, SEQUENCE);
  }

  @Override
  public Fields fields() {
    return AH;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.AH));
  }

  @Override
  public void scan(Scan scan) {
    int count = (scan.number(LENGTH) + 2) * 4;
    int _ = scan.number(SEQUENCE);
    if (count < HEADER_BYTES) {
      scan.malformed();
    }
    scan.header(Math.max(count, HEADER_BYTES));
    scan.next(DispatchTable.IP_PROTOCOL, scan.number(NEXT));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    dissection.addLeft(CHECK_VALUE);
  }
}
