package io.linerate.decode.protocol;

import io.linerate.decode.ValueNames;
import java.util.Map;

/** Names of the types of DNS records, and of response codes. */
final class DnsTypes {
  static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(1, "A"),
              Map.entry(2, "NS"),
              Map.entry(5, "CNAME"),
              Map.entry(6, "SOA"),
              Map.entry(12, "PTR"),
              Map.entry(13, "HINFO"),
              Map.entry(15, "MX"),
              Map.entry(16, "TXT"),
              Map.entry(28, "AAAA"),
              Map.entry(29, "LOC"),
              Map.entry(33, "SRV"),
              Map.entry(35, "NAPTR"),
              Map.entry(39, "DNAME"),
              Map.entry(41, "OPT"),
              Map.entry(43, "DS"),
              Map.entry(44, "SSHFP"),
              Map.entry(45, "IPSECKEY"),
              Map.entry(46, "RRSIG"),
              Map.entry(47, "NSEC"),
              Map.entry(48, "DNSKEY"),
              Map.entry(50, "NSEC3"),
              Map.entry(51, "NSEC3PARAM"),
              Map.entry(52, "TLSA"),
              Map.entry(59, "CDS"),
              Map.entry(60, "CDNSKEY"),
              Map.entry(62, "CSYNC"),
              Map.entry(63, "ZONEMD"),
              Map.entry(64, "SVCB"),
              Map.entry(65, "HTTPS"),
              Map.entry(249, "TKEY"),
              Map.entry(250, "TSIG"),
              Map.entry(251, "IXFR"),
              Map.entry(252, "AXFR"),
              Map.entry(255, "ANY"),
              Map.entry(257, "CAA")));

  /** RFC 1035, section 3.2.4; RFC 2136, section 2.4. */
  static final ValueNames CLASSES =
      ValueNames.of(Map.of(1, "IN", 3, "CH", 4, "HS", 254, "NONE", 255, "ANY"));

  static final ValueNames RESPONSE_CODES =
      ValueNames.of(
          Map.of(
              0,
              "no error",
              1,
              "format error",
              2,
              "server failure",
              3,
              "no such name",
              4,
              "not implemented",
              5,
              "refused",
              8,
              "no such record set",
              9,
              "not authoritative"));

  private DnsTypes() {}
}
