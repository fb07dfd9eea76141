package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
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

/** The shim for multihoming of IPv6: on payload, and messages of its own. */
public final class Shim6Protocol implements Protocol {
  public static final Fields SHIM6 =
      Fields.of("shim6", "Site Multihoming by IPv6 Intermediation", "RFC 5533, section 5.1");
  public static final Field NEXT_HEADER =
      SHIM6.field("shim6.nxt", 8, DECIMAL, "Next header", NumberNames.IP_PROTOCOLS);
  public static final Field LENGTH =
      SHIM6.field("shim6.len", 8, DECIMAL, "Length in units of 8 bytes, less 1");
  public static final Field PAYLOAD = SHIM6.field("shim6.p", 1, FLAG, "Payload");

  private static final Field LENGTH_BYTES = SHIM6.floating("shim6.len_oct", 16, DECIMAL, "Length");
  private static final Field TYPE =
      SHIM6.source("RFC 5533, section 5.3").floating("shim6.type", 7, DECIMAL, "Message");
  private static final Field PROTOCOL = SHIM6.floating("shim6.proto", 1, DECIMAL, "HIP");
  private static final Field CHECKSUM = SHIM6.floating("shim6.checksum", 16, HEX, "Checksum");
  private static final Field DATA = SHIM6.floating("shim6.data", 0, BYTES, "Message data");

  @Override
  public Fields fields() {
    return SHIM6;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.SHIM6));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(8 + 8 * scan.number(LENGTH));
    scan.next(DispatchTable.IP_PROTOCOL, scan.number(NEXT_HEADER));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.layer().has(PAYLOAD)) {
      return;
    }
    dissection.value(LENGTH_BYTES, 8 + 8 * dissection.layer().value(LENGTH), -2, 1);
    if (dissection.layer().value(PAYLOAD) == 0) {
      dissection.value(TYPE, dissection.layer().bytes().u8(dissection.layer().offset() + 2), -1, 1);
      dissection.value(PROTOCOL, dissection.u8(0) & 1, 0, 1);
      dissection.skip(1);
      dissection.add(CHECKSUM);
    }
    dissection.addLeft(DATA);
  }
}
