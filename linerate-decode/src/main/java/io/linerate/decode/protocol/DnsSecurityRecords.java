package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;

/** The data of DNS records that hold keys, or say which records there are. */
final class DnsSecurityRecords {
  private static final Fields DNS = DnsProtocol.DNS;
  private static final int KEY = 25;
  private static final int RSA_MD5 = 1;
  private static final long NS_PER_SECOND = 1_000_000_000L;
  private static final String BASE32_HEX = "0123456789abcdefghijklmnopqrstuv";

  private static final Field NEXT_NAME =
      DNS.source("RFC 4034, section 4.1")
          .floating("dns.nsec.next_domain_name", 0, TEXT, "Next domain name");

  private static final Field NSEC3_ALGORITHM =
      DNS.source("RFC 5155, section 3.2").floating("dns.nsec3.algo", 8, DECIMAL, "Hash algorithm");
  private static final Field NSEC3_FLAGS = number("nsec3.flags", 8, DECIMAL, "Flags");
  private static final Field NSEC3_OPT_OUT = number("nsec3.flags.opt_out", 1, FLAG, "Opt-out");
  private static final Field NSEC3_ITERATIONS =
      number("nsec3.iterations", 16, DECIMAL, "Iterations");
  private static final Field NSEC3_SALT_LENGTH =
      number("nsec3.salt_length", 8, DECIMAL, "Salt length");
  private static final Field NSEC3_SALT = number("nsec3.salt_value", 0, BYTES, "Salt");
  private static final Field NSEC3_HASH_LENGTH =
      number("nsec3.hash_length", 8, DECIMAL, "Hash length");
  private static final Field NSEC3_HASH = number("nsec3.hash_value", 0, TEXT, "Next hashed owner");

  private static final Field DNSKEY_FLAGS =
      DNS.source("RFC 4034, section 2.1").floating("dns.dnskey.flags", 16, HEX, "Flags");
  private static final Field[] DNSKEY_BITS = {
    number("dnskey.flags.zone_key", 1, FLAG, "Zone key"),
    number("dnskey.flags.key_revoked", 1, FLAG, "Key revoked"),
    number("dnskey.flags.secure_entry_point", 1, FLAG, "Secure entry point")
  };
  private static final int[] DNSKEY_SHIFTS = {8, 7, 0};
  private static final Field DNSKEY_RESERVED = number("dnskey.flags.reserved", 14, HEX, "Reserved");
  private static final Field[] DNSKEY = key("dnskey", "key_id");

  private static final Field KEY_FLAGS =
      DNS.source("RFC 2535, section 3.1").floating("dns.key.flags", 16, HEX, "Flags");
  private static final Field[] KEY_BITS = {
    number("key.flags.authentication", 1, FLAG, "Not for authentication"),
    number("key.flags.confidentiality", 1, FLAG, "Not for confidentiality"),
    number("key.flags.required", 1, FLAG, "Required"),
    number("key.flags.associated_user", 1, FLAG, "Of a user"),
    number("key.flags.associated_named_entity", 1, FLAG, "Of a named entity"),
    number("key.flags.ipsec", 1, FLAG, "For IPsec"),
    number("key.flags.mime", 1, FLAG, "For mail"),
    number("key.flags.signatory", 4, DECIMAL, "Signatory")
  };
  private static final int[] KEY_SHIFTS = {15, 14, 13, 10, 9, 7, 6, 0};
  private static final Field[] OLD_KEY = key("key", "key_id");

  private static final Field PRECEDENCE =
      DNS.source("RFC 4025, section 2.1")
          .floating("dns.ipseckey.gateway_precedence", 8, DECIMAL, "Precedence");
  private static final Field GATEWAY_TYPE =
      number("ipseckey.gateway_type", 8, DECIMAL, "Gateway type");
  private static final Field GATEWAY_ALGORITHM =
      number("ipseckey.gateway_algorithm", 8, DECIMAL, "Algorithm");
  private static final Field GATEWAY_IPV4 = number("ipseckey.gateway_ipv4", 32, IPV4, "Gateway");
  private static final Field GATEWAY_IPV6 = number("ipseckey.gateway_ipv6", 128, IPV6, "Gateway");
  private static final Field GATEWAY_NAME = number("ipseckey.gateway_dns", 0, TEXT, "Gateway");
  private static final Field GATEWAY_KEY = number("ipseckey.public_key", 0, BYTES, "Public key");

  private static final Field CSYNC_SERIAL =
      DNS.source("RFC 7477, section 2.1.1").floating("dns.csync.soa", 32, DECIMAL, "SOA serial");
  private static final Field CSYNC_FLAGS = number("csync.flags", 16, HEX, "Flags");
  private static final Field CSYNC_IMMEDIATE =
      number("csync.flags.immediate", 1, FLAG, "Immediate");
  private static final Field CSYNC_MINIMUM =
      number("csync.flags.soaminimum", 1, FLAG, "SOA serial is the least");
  private static final Field CSYNC_BITMAP = number("csync.type_bitmap", 0, BYTES, "Types");

  private static final Field TSIG_ALGORITHM =
      DNS.source("RFC 8945, section 4.2").floating("dns.tsig.algorithm_name", 0, TEXT, "Algorithm");
  private static final Field TSIG_TIME = number("tsig.time_signed", 48, TIME, "Time signed");
  private static final Field TSIG_FUDGE = number("tsig.fudge", 16, DECIMAL, "Fudge in s");
  private static final Field TSIG_MAC_SIZE = number("tsig.mac_size", 16, DECIMAL, "MAC size");
  private static final Field TSIG_MAC = number("tsig.mac", 0, NONE, "MAC");
  private static final Field TSIG_ID = number("tsig.original_id", 16, DECIMAL, "Original id");
  private static final Field TSIG_ERROR = number("tsig.error", 16, DECIMAL, "Error");
  private static final Field TSIG_OTHER_LENGTH =
      number("tsig.other_len", 16, DECIMAL, "Other length");
  private static final Field TSIG_OTHER = number("tsig.other_data", 0, BYTES, "Other data");

  private static final Field TKEY_ALGORITHM =
      DNS.source("RFC 2930, section 2").floating("dns.tkey.algo_name", 0, TEXT, "Algorithm");
  private static final Field TKEY_INCEPTION =
      number("tkey.signature_inception", 32, TIME, "Inception");
  private static final Field TKEY_EXPIRATION =
      number("tkey.signature_expiration", 32, TIME, "Expiration");
  private static final Field TKEY_MODE = number("tkey.mode", 16, DECIMAL, "Mode");
  private static final Field TKEY_ERROR = number("tkey.error", 16, DECIMAL, "Error");
  private static final Field TKEY_KEY_SIZE = number("tkey.key_size", 16, DECIMAL, "Key size");
  private static final Field TKEY_KEY = number("tkey.key_data", 0, BYTES, "Key");
  private static final Field TKEY_OTHER_SIZE = number("tkey.other_size", 16, DECIMAL, "Other size");
  private static final Field TKEY_OTHER = number("tkey.other_data", 0, BYTES, "Other data");

  private DnsSecurityRecords() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static Field number(String name, int bits, Kind kind, String label) {
    return DNS.floating("dns." + name, bits, kind, label);
  }

  private static Field[] key(String record, String tag) {
    return new Field[] {
      number(record + ".protocol", 8, DECIMAL, "Protocol"),
      number(record + ".algorithm", 8, DECIMAL, "Algorithm"),
      number(record + "." + tag, 16, DECIMAL, "Key tag"),
      number(record + ".public_key", 0, BYTES, "Public key")
    };
  }

  /**
   * Says what the data are, from the cursor to the end.
   *
   * @return whether the type is known
   */
  static boolean dissect(Dissection dissection, int type) {
    switch (type) {
      case KEY -> key(dissection, KEY_FLAGS, KEY_BITS, KEY_SHIFTS, OLD_KEY);
      case 45 -> gateway(dissection);
      case 47 -> {
        DnsName.add(dissection, NEXT_NAME);
        types(dissection);
      }
      case 48, 60 -> key(dissection, DNSKEY_FLAGS, DNSKEY_BITS, DNSKEY_SHIFTS, DNSKEY);
      case 50 -> hashed(dissection, true);
      case 51 -> hashed(dissection, false);
      case 62 -> synchronization(dissection);
      case 249 -> keyExchange(dissection);
      case 250 -> signature(dissection);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** RFC 4034, section 4.1.2: windows of 256 types, and for each as many bytes as it needs. */
  private static void types(Dissection dissection) {
    while (dissection.left() > 0) {
      int window = dissection.u8(0);
      int bytes = dissection.u8(1);
      dissection.skip(2);
      int there = Math.min(bytes, dissection.left());
      for (int i = 0; i < there; i++) {
        for (int rest = dissection.u8(0) << 24; rest != 0; rest &= ~Integer.highestOneBit(rest)) {
          int type = (window << 8) | (i << 3) | Integer.numberOfLeadingZeros(rest);
          dissection.value(DnsProtocol.RECORD_TYPE, type, 0, 1);
        }
        dissection.skip(1);
      }
      dissection.skip(bytes - there);
    }
  }

  private static void hashed(Dissection dissection, boolean isNext) {
    dissection.add(NSEC3_ALGORITHM);
    long flags = dissection.add(NSEC3_FLAGS);
    if (isNext) {
      dissection.value(NSEC3_OPT_OUT, flags & 1, -1, 1);
    }
    dissection.add(NSEC3_ITERATIONS);
    dissection.add(NSEC3_SALT, (int) dissection.add(NSEC3_SALT_LENGTH));
    if (!isNext || dissection.left() == 0) {
      return;
    }
    int bytes = (int) dissection.add(NSEC3_HASH_LENGTH);
    if (dissection.has(bytes)) {
      dissection.text(NSEC3_HASH, base32(dissection, bytes), 0, bytes);
    }
    dissection.skip(bytes);
    types(dissection);
  }

  /** RFC 4648, section 7, without padding. */
  private static CharSequence base32(Dissection dissection, int bytes) {
    StringBuilder text = dissection.text();
    for (int bit = 0; bit < 8 * bytes; bit += 5) {
      int at = bit >>> 3;
      int pair = (dissection.u8(at) << 8) | (at + 1 < bytes ? dissection.u8(at + 1) : 0);
      text.append(BASE32_HEX.charAt((pair >>> (11 - (bit & 7))) & 0x1F));
    }
    return text;
  }

  private static void key(
      Dissection dissection, Field flags, Field[] bits, int[] shifts, Field[] fields) {
    if (!dissection.has(4)) {
      dissection.skip(4);
      return;
    }
    int tag = tag(dissection);
    int value = (int) dissection.add(flags);
    for (int i = 0; i < bits.length; i++) {
      long mask = (1L << bits[i].bits()) - 1;
      dissection.value(bits[i], (value >>> shifts[i]) & mask, -2, 2);
    }
    if (flags.equals(DNSKEY_FLAGS)) {
      dissection.value(DNSKEY_RESERVED, value & 0xFE7E, -2, 2);
    }
    dissection.add(fields[0]);
    dissection.add(fields[1]);
    dissection.value(fields[2], tag, 0, 0);
    dissection.add(fields[3], dissection.left());
  }

  /** RFC 4034, appendix B: of all the data, which the cursor is before. */
  private static int tag(Dissection dissection) {
    int bytes = dissection.left();
    if (dissection.u8(3) == RSA_MD5) {
      return bytes < 7 ? 0 : dissection.u16(bytes - 3);
    }
    long sum = 0;
    for (int i = 0; i < bytes; i++) {
      sum += (long) dissection.u8(i) << ((i & 1) == 0 ? 8 : 0);
    }
    return (int) (sum + (sum >>> 16)) & 0xFFFF;
  }

  private static void gateway(Dissection dissection) {
    dissection.add(PRECEDENCE);
    int type = (int) dissection.add(GATEWAY_TYPE);
    dissection.add(GATEWAY_ALGORITHM);
    switch (type) {
      case 1 -> dissection.add(GATEWAY_IPV4);
      case 2 -> dissection.add(GATEWAY_IPV6);
      case 3 -> DnsName.add(dissection, GATEWAY_NAME);
      default -> {}
    }
    if (dissection.left() > 0) {
      dissection.add(GATEWAY_KEY, dissection.left());
    }
  }

  private static void synchronization(Dissection dissection) {
    dissection.add(CSYNC_SERIAL);
    long flags = dissection.add(CSYNC_FLAGS);
    dissection.value(CSYNC_IMMEDIATE, flags & 1, -2, 2);
    dissection.value(CSYNC_MINIMUM, (flags >>> 1) & 1, -2, 2);
    dissection.bytes(CSYNC_BITMAP, 0, dissection.left());
    types(dissection);
  }

  private static void signature(Dissection dissection) {
    DnsName.add(dissection, TSIG_ALGORITHM);
    if (!dissection.has(16)) {
      dissection.skip(16);
      return;
    }
    long seconds = ((long) dissection.u16(0) << 32) | dissection.u32(2);
    dissection.value(TSIG_TIME, seconds * NS_PER_SECOND, 0, 6);
    dissection.skip(6);
    dissection.add(TSIG_FUDGE);
    int bytes = (int) dissection.add(TSIG_MAC_SIZE);
    dissection.add(TSIG_MAC, bytes);
    dissection.add(TSIG_ID);
    dissection.add(TSIG_ERROR);
    other(dissection, TSIG_OTHER_LENGTH, TSIG_OTHER);
  }

  private static void other(Dissection dissection, Field length, Field data) {
    int bytes = (int) dissection.add(length);
    if (bytes > 0) {
      dissection.add(data, bytes);
    }
  }

  private static void keyExchange(Dissection dissection) {
    DnsName.add(dissection, TKEY_ALGORITHM);
    if (!dissection.has(16)) {
      dissection.skip(16);
      return;
    }
    ValueLayout.seconds(dissection, TKEY_INCEPTION);
    ValueLayout.seconds(dissection, TKEY_EXPIRATION);
    dissection.add(TKEY_MODE);
    dissection.add(TKEY_ERROR);
    other(dissection, TKEY_KEY_SIZE, TKEY_KEY);
    other(dissection, TKEY_OTHER_SIZE, TKEY_OTHER);
  }
}
