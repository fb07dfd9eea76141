package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;

/** What DNS messages of stateful operations have in place of records; RFC 8490, section 5.4.4. */
final class DnsStatefulOperations {
  private static final Fields DNS = DnsProtocol.DNS.source("RFC 8490, section 5.4.4");
  private static final Field OPERATION = DNS.floating("dns.dso", 0, NONE, "Stateful operation");
  private static final Field PARAMETER = DNS.floating("dns.dso.tlv", 0, NONE, "Parameter");
  private static final Field TYPE = DNS.floating("dns.dso.tlv.type", 16, DECIMAL, "Type");
  private static final Field LENGTH = DNS.floating("dns.dso.tlv.length", 16, DECIMAL, "Length");
  private static final Field DATA = DNS.floating("dns.dso.tlv.data", 0, BYTES, "Data");
  private static final Field INACTIVITY =
      DNS.source("RFC 8490, section 7.1.1")
          .floating("dns.dso.tlv.keepalive.inactivity", 32, DECIMAL, "Inactivity timeout in ms");
  private static final Field INTERVAL =
      DNS.floating("dns.dso.tlv.keepalive.interval", 32, DECIMAL, "Keepalive interval in ms");
  private static final Field RETRY_DELAY =
      DNS.source("RFC 8490, section 7.2.1")
          .floating("dns.dso.tlv.retrydelay.retrydelay", 32, DECIMAL, "Retry delay in ms");
  private static final Field PADDING =
      DNS.source("RFC 8490, section 7.3")
          .floating("dns.dso.tlv.encpad.padding", 0, BYTES, "Padding");

  private DnsStatefulOperations() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  /** Says what the parameters are, from the cursor to the end. */
  static void dissect(Dissection dissection) {
    if (dissection.left() == 0) {
      return;
    }
    dissection.open(OPERATION, dissection.left());
    while (dissection.left() > 0) {
      int type = dissection.u16(0);
      int bytes = dissection.u16(2);
      dissection.open(PARAMETER, 4 + bytes);
      dissection.add(TYPE);
      dissection.add(LENGTH);
      int before = dissection.enter(bytes);
      value(dissection, type);
      dissection.leave(before);
      dissection.close();
    }
    dissection.close();
  }

  private static void value(Dissection dissection, int type) {
    switch (type) {
      case 1 -> {
        dissection.add(INACTIVITY);
        dissection.add(INTERVAL);
      }
      case 2 -> dissection.add(RETRY_DELAY);
      case 3 -> dissection.add(PADDING, dissection.left());
      default -> dissection.add(DATA, dissection.left());
    }
  }
}
