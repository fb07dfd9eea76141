package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.ValueNames;

/** The data of DNS records that say how to reach a service; RFC 9460, section 2.2. */
final class DnsServiceParameters {
  private static final Fields DNS = DnsProtocol.DNS.source("RFC 9460, section 2.2");
  private static final Field PRIORITY =
      DNS.floating("dns.svcb.svcpriority", 16, DECIMAL, "Priority");
  private static final Field TARGET = DNS.floating("dns.svcb.targetname", 0, TEXT, "Target");
  private static final Field PARAMETER = DNS.floating("dns.svcb.svcparam", 0, NONE, "Parameter");
  private static final Field KEY =
      DNS.floating(
          "dns.svcb.svcparam.key",
          16,
          DECIMAL,
          "Key",
          ValueNames.from0(
              "mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint"));
  private static final Field LENGTH =
      DNS.floating("dns.svcb.svcparam.value.length", 16, DECIMAL, "Length");
  private static final Field VALUE = DNS.floating("dns.svcb.svcparam.value", 0, BYTES, "Value");
  private static final Field MANDATORY =
      DNS.source("RFC 9460, section 8")
          .floating("dns.svcb.svcparam.mandatory.key", 16, DECIMAL, "Mandatory key");
  private static final Field ALPN_LENGTH =
      DNS.source("RFC 9460, section 7.1")
          .floating("dns.svcb.svcparam.alpn.length", 8, DECIMAL, "Length");
  private static final Field ALPN =
      DNS.floating("dns.svcb.svcparam.alpn", 0, TEXT, "Application protocol");
  private static final Field PORT =
      DNS.source("RFC 9460, section 7.2").floating("dns.svcb.svcparam.port", 16, DECIMAL, "Port");
  private static final Field IPV4_HINT =
      DNS.source("RFC 9460, section 7.3")
          .floating("dns.svcb.svcparam.ipv4hint.ip", 32, IPV4, "Address");
  private static final Field IPV6_HINT =
      DNS.floating("dns.svcb.svcparam.ipv6hint.ip", 128, IPV6, "Address");
  private static final Field ECH =
      DNS.floating("dns.svcb.svcparam.echconfig", 0, BYTES, "Encrypted client hello");

  private DnsServiceParameters() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  /** Says what the data are, from the cursor to the end. */
  static void dissect(Dissection dissection) {
    dissection.add(PRIORITY);
    DnsName.add(dissection, TARGET);
    while (dissection.left() > 0) {
      int key = dissection.u16(0);
      int bytes = dissection.u16(2);
      dissection.open(PARAMETER, 4 + bytes);
      dissection.add(KEY);
      dissection.add(LENGTH);
      int before = dissection.enter(bytes);
      while (dissection.left() > 0) {
        value(dissection, key);
      }
      dissection.leave(before);
      dissection.close();
    }
  }

  /** The next part of a value. */
  private static void value(Dissection dissection, int key) {
    switch (key) {
      case 0 -> dissection.add(MANDATORY);
      case 1 -> protocol(dissection);
      case 3 -> dissection.add(PORT);
      case 4 -> dissection.add(IPV4_HINT);
      case 5 -> dissection.add(ECH, dissection.left());
      case 6 -> dissection.add(IPV6_HINT);
      default -> dissection.add(VALUE, dissection.left());
    }
  }

  private static void protocol(Dissection dissection) {
    dissection.add(ALPN, (int) dissection.add(ALPN_LENGTH));
  }
}
