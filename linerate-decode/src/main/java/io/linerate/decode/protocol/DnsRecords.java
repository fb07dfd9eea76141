package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.EUI64;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import java.util.HashMap;
import java.util.Map;

/** The data of DNS records, by their type. */
final class DnsRecords {
  static final int OPT = 41;

  private static final Fields DNS = DnsProtocol.DNS;
  private static final int SRV = 33;
  private static final NumberedTable<ValueLayout> LAYOUTS = layouts();

  private static final Field SERVICE =
      DNS.source("RFC 2782").floating("dns.srv.service", 0, TEXT, "Service");
  private static final Field SERVICE_PROTOCOL = DNS.floating("dns.srv.proto", 0, TEXT, "Protocol");
  private static final Field SERVICE_NAME = DNS.floating("dns.srv.name", 0, TEXT, "Name");
  private static final Field WKS_ADDRESS =
      DNS.source("RFC 1035, section 3.4.2").floating("dns.wks.address", 32, IPV4, "Address");
  private static final Field WKS_PROTOCOL =
      DNS.floating("dns.wks.protocol", 8, DECIMAL, "Protocol");
  private static final Field WKS_BITS = DNS.floating("dns.wks.bits", 8, HEX, "Ports");
  private static final Field APL_FAMILY =
      DNS.source("RFC 3123, section 4")
          .floating("dns.apl.address_family", 16, DECIMAL, "Address family");
  private static final Field APL_PREFIX =
      DNS.floating("dns.apl.coded_prefix", 8, DECIMAL, "Prefix length");
  private static final Field APL_NEGATION = DNS.floating("dns.apl.negation", 1, FLAG, "Negation");
  private static final Field APL_LENGTH =
      DNS.floating("dns.apl.afdlength", 7, DECIMAL, "Address length");
  private static final Field APL_IPV4 = DNS.floating("dns.apl.afdpart.ipv4", 32, IPV4, "Address");
  private static final Field APL_IPV6 = DNS.floating("dns.apl.afdpart.ipv6", 128, IPV6, "Address");
  private static final Field APL_DATA = DNS.floating("dns.apl.afdpart.data", 0, BYTES, "Address");
  private static final Field CAA_FLAGS =
      DNS.source("RFC 8659, section 4.1").floating("dns.caa.flags", 8, HEX, "Flags");
  private static final Field CAA_CRITICAL =
      DNS.floating("dns.caa.flags.issuer_critical", 1, FLAG, "Issuer critical");
  private static final Field CAA_ISSUE = DNS.floating("dns.caa.issue", 0, TEXT, "Issuer");
  private static final Field CAA_ISSUE_WILDCARD =
      DNS.floating("dns.caa.issuewild", 0, TEXT, "Issuer of wildcards");
  private static final Field CAA_REPORT = DNS.floating("dns.caa.iodef", 0, TEXT, "Report to");
  private static final Field CAA_OTHER =
      DNS.floating("dns.caa.unknown", 0, TEXT, "Unknown property");
  private static final Field CAA_TAG_LENGTH =
      DNS.floating("dns.caa.tag_length", 8, DECIMAL, "Tag length");
  private static final Field CAA_TAG = DNS.floating("dns.caa.tag", 0, TEXT, "Tag");
  private static final Field CAA_VALUE = DNS.floating("dns.caa.value", 0, TEXT, "Value");

  private DnsRecords() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {
    DnsSecurityRecords.declare();
    DnsServiceParameters.declare();
    DnsOptions.declare();
    DnsStatefulOperations.declare();
  }

  private static ValueLayout layout(Map<Integer, ValueLayout> all, String source, int... types) {
    ValueLayout layout = new ValueLayout(DNS.source(source), "dns.");
    for (int type : types) {
      all.put(type, layout);
    }
    return layout;
  }

  private static NumberedTable<ValueLayout> layouts() {
    Map<Integer, ValueLayout> all = new HashMap<>();
    standard(all);
    further(all);
    security(all);
    return new NumberedTable<>(all);
  }

  private static void standard(Map<Integer, ValueLayout> all) {
    layout(all, "RFC 1035, section 3.4.1", 1).number("a", 32, IPV4, "Address");
    layout(all, "RFC 1035, section 3.3.11", 2).name("ns", "Name server");
    layout(all, "RFC 1035, section 3.3.4", 3).name("md", "Mail destination");
    layout(all, "RFC 1035, section 3.3.5", 4).name("mf", "Mail forwarder");
    layout(all, "RFC 1035, section 3.3.1", 5).name("cname", "Canonical name");
    layout(all, "RFC 1035, section 3.3.13", 6)
        .name("soa.mname", "Primary name server")
        .name("soa.rname", "Mailbox of who is responsible")
        .number("soa.serial_number", 32, "Serial number")
        .number("soa.refresh_interval", 32, "Refresh interval in s")
        .number("soa.retry_interval", 32, "Retry interval in s")
        .number("soa.expire_limit", 32, "Expire limit in s")
        .number("soa.minimum_ttl", 32, "Minimum time to live in s");
    layout(all, "RFC 1035, section 3.3.3", 7).name("mb", "Mailbox");
    layout(all, "RFC 1035, section 3.3.6", 8).name("mg", "Mail group member");
    layout(all, "RFC 1035, section 3.3.8", 9).name("mr", "Mail rename");
    layout(all, "RFC 1035, section 3.3.10", 10).rest("null", "Anything");
    layout(all, "RFC 1035, section 3.3.12", 12).name("ptr.domain_name", "Domain name");
    layout(all, "RFC 1035, section 3.3.2", 13)
        .string("hinfo.cpu_length", "hinfo.cpu", "Processor")
        .string("hinfo.os_length", "hinfo.os", "Operating system");
    layout(all, "RFC 1035, section 3.3.7", 14)
        .name("minfo.r", "Responsible mailbox")
        .name("minfo.e", "Error mailbox");
    layout(all, "RFC 1035, section 3.3.9", 15)
        .number("mx.preference", 16, "Preference")
        .name("mx.mail_exchange", "Mail exchange");
    layout(all, "RFC 1035, section 3.3.14", 16).string("txt.length", "txt", "Text").repeated();
    layout(all, "RFC 3596, section 2.2", 28).number("aaaa", 128, IPV6, "Address");
    layout(all, "RFC 2782", SRV)
        .number("srv.priority", 16, "Priority")
        .number("srv.weight", 16, "Weight")
        .number("srv.port", 16, "Port")
        .name("srv.target", "Target");
    layout(all, "RFC 3403, section 4.1", 35)
        .number("naptr.order", 16, "Order")
        .number("naptr.preference", 16, "Preference")
        .string("naptr.flags_length", "naptr.flags", "Flags")
        .string("naptr.service_length", "naptr.service", "Service")
        .string("naptr.regex_length", "naptr.regex", "Regular expression")
        .name("naptr.replacement", "Replacement");
  }

  private static void further(Map<Integer, ValueLayout> all) {
    layout(all, "RFC 1183, section 2.2", 17)
        .name("rp.mailbox", "Mailbox")
        .name("rp.txt_rr", "Name of texts");
    layout(all, "RFC 1183, section 1", 18)
        .number("afsdb.subtype", 16, "Subtype")
        .name("afsdb.hostname", "Host");
    layout(all, "RFC 1183, section 3.1", 19)
        .string("x25.length", "x25.psdn_address", "X.25 address");
    layout(all, "RFC 1183, section 3.2", 20)
        .string("idsn.length", "idsn.address", "ISDN address")
        .optional()
        .string("idsn.sa.length", "idsn.sa.address", "Subaddress");
    layout(all, "RFC 1183, section 3.3", 21)
        .number("rt.subtype", 16, "Preference")
        .name("rt.intermediate_host", "Intermediate host");
    layout(all, "RFC 1706, section 5", 22).rest("nsap.rdata", "NSAP address");
    layout(all, "RFC 1706, section 6", 23).name("nsap_ptr.owner", "Owner");
    layout(all, "RFC 2163, section 4", 26)
        .number("px.preference", 16, "Preference")
        .name("px.map822", "RFC 822 domain")
        .name("px.map400", "X.400 domain");
    layout(all, "RFC 1712, section 3", 27)
        .string("gpos.longitude_length", "gpos.longitude", "Longitude")
        .string("gpos.latitude_length", "gpos.latitude", "Latitude")
        .string("gpos.altitude_length", "gpos.altitude", "Altitude");
    layout(all, "RFC 1876, section 2", 29)
        .number("loc.version", 8, "Version")
        .number("loc.size", 8, "Size")
        .number("loc.horizontal_precision", 8, "Horizontal precision")
        .number("loc.vertical_precision", 8, "Vertical precision")
        .number("loc.latitude", 32, "Latitude")
        .number("loc.longitude", 32, "Longitude")
        .number("loc.altitude", 32, "Altitude");
    layout(all, "RFC 2230, section 3", 36)
        .number("kx.preference", 16, "Preference")
        .name("kx.key_exchange", "Key exchanger");
    layout(all, "RFC 6672, section 2.1", 39).name("dname", "Target");
    layout(all, "RFC 7208, section 3.1", 99).string("spf.length", "spf", "Policy").repeated();
    layout(all, "RFC 6742, section 2.1", 104)
        .number("ilnp.nid.preference", 16, "Preference")
        .number("ilnp.nid", 64, BYTES, "Node identifier");
    layout(all, "RFC 6742, section 2.2", 105)
        .number("ilnp.l32.preference", 16, "Preference")
        .number("ilnp.l32", 32, IPV4, "Locator");
    layout(all, "RFC 6742, section 2.3", 106)
        .number("ilnp.l64.preference", 16, "Preference")
        .number("ilnp.l64", 64, BYTES, "Locator");
    layout(all, "RFC 6742, section 2.4", 107)
        .number("ilnp.lp.preference", 16, "Preference")
        .name("ilnp.lp", "Locator name");
    layout(all, "RFC 7043, section 3.1", 108).number("eui48", 48, MAC, "EUI-48 address");
    layout(all, "RFC 7043, section 4.1", 109).number("eui64", 64, EUI64, "EUI-64 address");
  }

  private static void security(Map<Integer, ValueLayout> all) {
    layout(all, "RFC 4398, section 2", 37)
        .number("cert.type", 16, "Type")
        .number("cert.key_tag", 16, HEX, "Key tag")
        .number("cert.algorithm", 8, "Algorithm")
        .rest("cert.certificate", "Certificate or revocation list");
    layout(all, "RFC 4034, section 5.1", 43, 59, 32769)
        .number("ds.key_id", 16, HEX, "Key tag")
        .number("ds.algorithm", 8, "Algorithm")
        .number("ds.digest_type", 8, "Digest type")
        .rest("ds.digest", "Digest");
    layout(all, "RFC 4255, section 3.1", 44)
        .number("sshfp.algorithm", 8, "Algorithm")
        .number("sshfp.fingerprint.type", 8, "Fingerprint type")
        .rest("sshfp.fingerprint", "Fingerprint");
    layout(all, "RFC 4034, section 3.1", 24, 46)
        .number("rrsig.type_covered", 16, "Type covered")
        .number("rrsig.algorithm", 8, "Algorithm")
        .number("rrsig.labels", 8, "Labels")
        .number("rrsig.original_ttl", 32, "Original time to live in s")
        .seconds("rrsig.signature_expiration", "Expiration")
        .seconds("rrsig.signature_inception", "Inception")
        .number("rrsig.key_tag", 16, "Key tag")
        .name("rrsig.signers_name", "Signer")
        .rest("rrsig.signature", "Signature");
    layout(all, "RFC 4701, section 3.1", 49).rest("dhcid.rdata", "DHCP client identifier");
    layout(all, "RFC 6698, section 2.1", 52)
        .number("tlsa.certificate_usage", 8, "Certificate usage")
        .number("tlsa.selector", 8, "Selector")
        .number("tlsa.matching_type", 8, "Matching type")
        .rest("tlsa.certificate_association_data", "Certificate association data");
    layout(all, "RFC 8976, section 2.2", 63)
        .number("zonemd.serial", 32, "Serial number")
        .number("zonemd.scheme", 8, "Scheme")
        .number("zonemd.hash_algo", 8, "Hash algorithm")
        .rest("zonemd.digest", "Digest");
  }

  /** Says what the name of the owner is, which the cursor is at: of services in three parts. */
  static void owner(Dissection dissection, int type) {
    if (type != SRV) {
      DnsName.add(dissection, DnsProtocol.RECORD_NAME);
      return;
    }
    int bytes = DnsName.bytes(dissection);
    for (int part = 0; part < 3; part++) {
      StringBuilder text = dissection.text();
      DnsName.read(dissection, text);
      if (isolate(text, part)) {
        dissection.text(
            part == 0 ? SERVICE : part == 1 ? SERVICE_PROTOCOL : SERVICE_NAME, text, 0, bytes);
      }
    }
    dissection.skip(bytes);
  }

  /** Leaves the first label of a name, the second, or all behind it. */
  private static boolean isolate(StringBuilder name, int part) {
    for (int i = 0; i < part; i++) {
      int dot = name.indexOf(".");
      if (dot < 0) {
        return false;
      }
      name.delete(0, dot + 1);
    }
    int dot = name.indexOf(".");
    if (dot >= 0 && part < 2) {
      name.setLength(dot);
    }
    return true;
  }

  /** Says what the data are, from the cursor to the end. */
  static void data(Dissection dissection, int type) {
    if (dissection.left() == 0) {
      return;
    }
    ValueLayout layout = LAYOUTS.find(type);
    if (layout != null) {
      layout.dissect(dissection);
      return;
    }
    switch (type) {
      case 11 -> services(dissection);
      case OPT -> DnsOptions.dissect(dissection);
      case 42 -> prefixes(dissection);
      case 64, 65 -> DnsServiceParameters.dissect(dissection);
      case 257 -> authorization(dissection);
      default -> {
        if (!DnsSecurityRecords.dissect(dissection, type)) {
          dissection.add(DnsProtocol.DATA, dissection.left());
        }
      }
    }
  }

  private static void services(Dissection dissection) {
    dissection.add(WKS_ADDRESS);
    dissection.add(WKS_PROTOCOL);
    for (; dissection.left() > 0; dissection.skip(1)) {
      int bits = dissection.u8(0);
      if (bits != 0) {
        dissection.value(WKS_BITS, bits, 0, 1);
      }
    }
  }

  private static void prefixes(Dissection dissection) {
    while (dissection.left() > 0) {
      int family = (int) dissection.add(APL_FAMILY);
      dissection.add(APL_PREFIX);
      int length = dissection.u8(0);
      if (dissection.left() == 0) {
        return;
      }
      dissection.value(APL_NEGATION, length >>> 7, 0, 1);
      dissection.value(APL_LENGTH, length & 0x7F, 0, 1);
      dissection.skip(1);
      prefix(dissection, family, length & 0x7F);
    }
  }

  private static void prefix(Dissection dissection, int family, int bytes) {
    if (family == 1 && bytes <= 4) {
      dissection.prefix(APL_IPV4, bytes);
    } else if (family == 2 && bytes <= 16) {
      dissection.prefix(APL_IPV6, bytes);
    } else {
      dissection.add(APL_DATA, bytes);
    }
  }

  private static void authorization(Dissection dissection) {
    int flags = (int) dissection.add(CAA_FLAGS);
    dissection.value(CAA_CRITICAL, flags >>> 7, -1, 1);
    int length = dissection.u8(0);
    int left = dissection.left();
    if (left <= length) {
      dissection.skip(length + 1);
      return;
    }
    dissection.bytes(property(dissection, length), 1 + length, left - length - 1);
    dissection.add(CAA_TAG_LENGTH);
    dissection.add(CAA_TAG, length);
    dissection.add(CAA_VALUE, left - length - 1);
  }

  private static Field property(Dissection dissection, int length) {
    if (TextBytes.matches(dissection, 1, length, "issue")) {
      return CAA_ISSUE;
    }
    if (TextBytes.matches(dissection, 1, length, "issuewild")) {
      return CAA_ISSUE_WILDCARD;
    }
    return TextBytes.matches(dissection, 1, length, "iodef") ? CAA_REPORT : CAA_OTHER;
  }
}
