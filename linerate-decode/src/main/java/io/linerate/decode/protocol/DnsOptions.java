package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** The record that extends DNS messages, and its options; RFC 6891, section 6.1. */
final class DnsOptions {
  private static final Fields DNS = DnsProtocol.DNS.source("RFC 6891, section 6.1.2");
  private static final Field PAYLOAD_SIZE =
      DNS.floating("dns.rr.udp_payload_size", 16, DECIMAL, "UDP payload size");
  private static final Field EXTENDED_CODE =
      DNS.floating("dns.resp.ext_rcode", 8, HEX, "Upper bits of the response code");
  private static final Field VERSION =
      DNS.floating("dns.resp.edns0_version", 8, DECIMAL, "Version");
  private static final Field FLAGS = DNS.floating("dns.resp.z", 16, HEX, "Flags");
  private static final Field DNSSEC_OK = DNS.floating("dns.resp.z.do", 1, FLAG, "DNSSEC answer OK");
  private static final Field RESERVED = DNS.floating("dns.resp.z.reserved", 15, HEX, "Reserved");
  private static final Field OPTION = DNS.floating("dns.opt", 0, NONE, "Option");
  private static final Field CODE =
      DNS.floating(
          "dns.opt.code",
          16,
          DECIMAL,
          "Code",
          ValueNames.of(
              Map.of(
                  3,
                  "name server identifier",
                  8,
                  "client subnet",
                  10,
                  "cookie",
                  11,
                  "TCP keepalive",
                  12,
                  "padding",
                  13,
                  "chain",
                  14,
                  "key tag",
                  15,
                  "extended error")));
  private static final Field LENGTH = DNS.floating("dns.opt.len", 16, DECIMAL, "Length");
  private static final Field DATA = DNS.floating("dns.opt.data", 0, BYTES, "Data");
  private static final Field DAU =
      DNS.source("RFC 6975, section 3").floating("dns.opt.dau", 8, DECIMAL, "DNSSEC algorithm");
  private static final Field DHU = DNS.floating("dns.opt.dhu", 8, DECIMAL, "DS hash");
  private static final Field N3U = DNS.floating("dns.opt.n3u", 8, DECIMAL, "NSEC3 hash");
  private static final Field FAMILY =
      DNS.source("RFC 7871, section 6")
          .floating("dns.opt.client.family", 16, DECIMAL, "Address family");
  private static final Field SOURCE_PREFIX =
      DNS.floating("dns.opt.client.netmask", 8, DECIMAL, "Source prefix length");
  private static final Field SCOPE_PREFIX =
      DNS.floating("dns.opt.client.scope", 8, DECIMAL, "Scope prefix length");
  private static final Field SUBNET_IPV4 =
      DNS.floating("dns.opt.client.addr4", 32, IPV4, "Client subnet");
  private static final Field SUBNET_IPV6 =
      DNS.floating("dns.opt.client.addr6", 128, IPV6, "Client subnet");
  private static final Field SUBNET =
      DNS.floating("dns.opt.client.addr", 0, BYTES, "Client subnet");
  private static final Field CLIENT_COOKIE =
      DNS.source("RFC 7873, section 4")
          .floating("dns.opt.cookie.client", 0, BYTES, "Client cookie");
  private static final Field SERVER_COOKIE =
      DNS.floating("dns.opt.cookie.server", 0, BYTES, "Server cookie");
  private static final Field TIMEOUT =
      DNS.source("RFC 7828, section 3.1")
          .floating("dns.opt.edns_tcp_keepalive.timeout", 16, DECIMAL, "Timeout in 100 ms");
  private static final Field PADDING =
      DNS.source("RFC 7830, section 3").floating("dns.opt.padding", 0, BYTES, "Padding");
  private static final Field TRUST_POINT =
      DNS.source("RFC 7901, section 4")
          .floating("dns.opt.chain.fqdn", 0, TEXT, "Closest trust point");
  private static final Field ERROR =
      DNS.source("RFC 8914, section 2")
          .floating("dns.opt.ext_error.info_code", 16, DECIMAL, "Information code");
  private static final Field ERROR_TEXT =
      DNS.floating("dns.opt.ext_error.extra_text", 0, TEXT, "Extra text");

  private static final int COOKIE_BYTES = 8;

  private DnsOptions() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  /** Says what is in the place of the class and the time to live, which the cursor is at. */
  static void header(Dissection dissection) {
    dissection.add(PAYLOAD_SIZE);
    dissection.add(EXTENDED_CODE);
    dissection.add(VERSION);
    long flags = dissection.add(FLAGS);
    dissection.value(DNSSEC_OK, flags >>> 15, -2, 2);
    dissection.value(RESERVED, flags & 0x7FFF, -2, 2);
  }

  /** Says what the options are, from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int code = dissection.u16(0);
      int bytes = dissection.u16(2);
      dissection.open(OPTION, 4 + bytes);
      dissection.add(CODE);
      dissection.add(LENGTH);
      dissection.bytes(DATA, 0, bytes);
      int before = dissection.enter(bytes);
      option(dissection, code);
      dissection.leave(before);
      dissection.close();
    }
  }

  private static void option(Dissection dissection, int code) {
    switch (code) {
      case 5 -> each(dissection, DAU);
      case 6 -> each(dissection, DHU);
      case 7 -> each(dissection, N3U);
      case 8 -> subnet(dissection);
      case 10 -> cookie(dissection);
      case 11 -> each(dissection, TIMEOUT);
      case 12 -> dissection.add(PADDING, dissection.left());
      case 13 -> DnsName.add(dissection, TRUST_POINT);
      case 15 -> error(dissection);
      default -> {}
    }
  }

  private static void each(Dissection dissection, Field field) {
    while (dissection.left() > 0) {
      dissection.add(field);
    }
  }

  private static void subnet(Dissection dissection) {
    int family = (int) dissection.add(FAMILY);
    dissection.add(SOURCE_PREFIX);
    dissection.add(SCOPE_PREFIX);
    int bytes = dissection.left();
    if (family == 1 && bytes <= 4) {
      dissection.prefix(SUBNET_IPV4, bytes);
    } else if (family == 2 && bytes <= 16) {
      dissection.prefix(SUBNET_IPV6, bytes);
    } else {
      dissection.add(SUBNET, bytes);
    }
  }

  private static void cookie(Dissection dissection) {
    dissection.add(CLIENT_COOKIE, COOKIE_BYTES);
    dissection.add(SERVER_COOKIE, dissection.left());
  }

  private static void error(Dissection dissection) {
    dissection.add(ERROR);
    if (dissection.left() > 0) {
      dissection.add(ERROR_TEXT, dissection.left());
    }
  }
}
