package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import io.linerate.decode.ValueNames;
import java.util.HashMap;
import java.util.Map;

/** The attributes of STUN messages; RFC 8489, section 14. */
final class StunAttributes {
  private static final Fields STUN = StunProtocol.STUN.source("RFC 8489, section 14");
  private static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(1, "mapped address"),
              Map.entry(6, "user name"),
              Map.entry(8, "message integrity"),
              Map.entry(9, "error code"),
              Map.entry(0xC, "channel number"),
              Map.entry(0xD, "lifetime"),
              Map.entry(0x12, "XOR peer address"),
              Map.entry(0x13, "data"),
              Map.entry(0x14, "realm"),
              Map.entry(0x15, "nonce"),
              Map.entry(0x16, "XOR relayed address"),
              Map.entry(0x19, "requested transport"),
              Map.entry(0x20, "XOR mapped address"),
              Map.entry(0x24, "priority"),
              Map.entry(0x25, "use candidate"),
              Map.entry(0x8022, "software"),
              Map.entry(0x8028, "fingerprint")));
  private static final Field ATTRIBUTE =
      STUN.floating("stun.attribute", 16, HEX, "Attribute", NAMES);
  private static final Field TYPE = STUN.floating("stun.att.type", 16, HEX, "Type", NAMES);
  private static final Field OPTIONAL = field("type.comprehension", 16, HEX, "Optional");
  private static final Field ASSIGNMENT = field("type.assignment", 16, HEX, "Assignment");
  private static final Field LENGTH = field("length", 16, DECIMAL, "Length");
  private static final Field VALUE = STUN.floating("stun.value", 0, BYTES, "Value");
  private static final Field PADDING = field("padding", 16, DECIMAL, "Padding's length");
  private static final Field RESERVED = field("reserved", 0, BYTES, "Reserved");
  private static final Field FAMILY =
      STUN.source("RFC 8489, section 14.1").floating("stun.att.family", 8, HEX, "Family");
  private static final Field PORT = field("port", 16, DECIMAL, "Port");
  private static final Field ADDRESS_4 = field("ipv4", 32, IPV4, "Address");
  private static final Field ADDRESS_6 = field("ipv6", 128, IPV6, "Address");
  private static final Field HIDDEN_PORT =
      STUN.source("RFC 8489, section 14.2").floating("stun.att.port-xord", 16, BYTES, "Port XOR");
  private static final Field HIDDEN_4 = field("ipv4-xord", 32, BYTES, "Address XOR");
  private static final Field HIDDEN_6 = field("ipv6-xord", 128, BYTES, "Address XOR");
  private static final Field ERROR_CLASS =
      STUN.source("RFC 8489, section 14.8").floating("stun.att.error.class", 3, DECIMAL, "Class");
  private static final Field ERROR = field("error", 8, DECIMAL, "Number");
  private static final Field ERROR_REASON = field("error.reason", 0, TEXT, "Reason");
  private static final Field CHANGE_ADDRESS =
      STUN.source("RFC 5780, section 7.2")
          .floating("stun.att.change-ip", 1, FLAG, "Change address");
  private static final Field CHANGE_PORT = field("change-port", 1, FLAG, "Change port");
  private static final Field CHANNEL =
      STUN.source("RFC 8656, section 18.1").floating("stun.att.channelnum", 16, HEX, "Channel");
  private static final Field TRANSPORT =
      STUN.source("RFC 8656, section 18.7").floating("stun.att.transp", 8, HEX, "Transport");
  private static final Field RESERVE_NEXT =
      STUN.source("RFC 8656, section 18.5")
          .floating("stun.att.even-port.reserve-next", 1, DECIMAL, "Reserve the next");

  private static final int HEADER_BYTES = 4;
  private static final int IPV6_FAMILY = 2;
  private static final int MAGIC = 0x2112_A442;

  private static final NumberedTable<ValueLayout> LAYOUTS = layouts();

  private StunAttributes() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static Field field(String name, int bits, Kind kind, String label) {
    return STUN.floating("stun.att." + name, bits, kind, label);
  }

  private static ValueLayout layout(Map<Integer, ValueLayout> all, String section, int type) {
    ValueLayout layout = new ValueLayout(STUN.source(section), "stun.att.");
    all.put(type, layout);
    return layout;
  }

  private static NumberedTable<ValueLayout> layouts() {
    Map<Integer, ValueLayout> all = new HashMap<>();
    layout(all, "RFC 8489, section 14.3", 6).text("username", "User name");
    layout(all, "RFC 3489, section 11.2.7", 7).rest("password", "Password");
    layout(all, "RFC 8489, section 14.5", 8).rest("hmac", "Message integrity");
    all.put(0x14, ValueLayout.of(field("realm", 0, TEXT, "Realm")));
    layout(all, "RFC 8489, section 14.10", 0x15).text("nonce", "Nonce");
    layout(all, "RFC 8489, section 14.13", 0xA)
        .number("unknown", 16, HEX, "Unknown attribute")
        .repeated();
    layout(all, "RFC 8656, section 18.2", 0xD).number("lifetime", 32, "Lifetime in s");
    layout(all, "RFC 8656, section 18.10", 0x22).rest("token", "Reservation token");
    layout(all, "RFC 8445, section 7.1.1", 0x24).number("priority", 32, "Priority");
    layout(all, "RFC 8489, section 14.14", 0x8022).text("software", "Software");
    layout(all, "RFC 5780, section 7.5", 0x8027).number("cache-timeout", 32, "Cache timeout in s");
    layout(all, "RFC 8489, section 14.7", 0x8028).number("crc32", 32, HEX, "Fingerprint");
    ValueLayout tieBreaker = ValueLayout.of(field("tie-breaker", 64, BYTES, "Tie-breaker"));
    all.put(0x8029, tieBreaker);
    all.put(0x802A, tieBreaker);
    return new NumberedTable<>(all);
  }

  /** Says what the attributes are, from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = dissection.u16(0);
      int bytes = dissection.u16(2);
      if (dissection.left() == 0) {
        return;
      }
      dissection.value(ATTRIBUTE, type, 0, HEADER_BYTES);
      dissection.add(TYPE);
      dissection.value(OPTIONAL, type >>> 15, -2, 2);
      dissection.value(ASSIGNMENT, (type >>> 14) & 1, -2, 2);
      dissection.add(LENGTH);
      if (!dissection.has(bytes)) {
        dissection.skip(bytes);
        return;
      }
      int before = dissection.enter(bytes);
      value(dissection, type);
      dissection.leave(before);
      int padding = Math.min(-bytes & 3, dissection.left());
      if (padding > 0) {
        dissection.value(PADDING, padding, 0, padding);
        dissection.skip(padding);
      }
    }
  }

  private static void value(Dissection dissection, int type) {
    ValueLayout layout = LAYOUTS.find(type);
    int left = dissection.left();
    if (layout != null && layout.accepts(left)) {
      layout.dissect(dissection);
      return;
    }
    switch (type) {
      case 1, 2, 4, 5, 0xB, 0x8023, 0x802B, 0x802C -> address(dissection, false);
      case 3 -> {
        int flags = (int) dissection.u32(0);
        dissection.value(CHANGE_ADDRESS, (flags >>> 2) & 1, 0, 4);
        dissection.value(CHANGE_PORT, (flags >>> 1) & 1, 0, 4);
      }
      case 9 -> error(dissection);
      case 0xC -> {
        dissection.add(CHANNEL);
        dissection.add(RESERVED, 2);
      }
      case 0x12, 0x16, 0x20, 0x8020 -> address(dissection, true);
      case 0x18 -> dissection.value(RESERVE_NEXT, dissection.u8(0) >>> 7, 0, 1);
      case 0x19 -> {
        dissection.add(TRANSPORT);
        dissection.add(RESERVED, 3);
      }
      default -> {
        if (left > 0) {
          dissection.add(VALUE, left);
        }
      }
    }
  }

  /** Eight bytes of the header, from the cookie on. */
  private static long mask(Dissection dissection, int offset) {
    return dissection.layer().bytes().u64(dissection.layer().offset() + offset);
  }

  private static void error(Dissection dissection) {
    dissection.add(RESERVED, 2);
    dissection.value(ERROR_CLASS, dissection.u8(0) & 7, 0, 1);
    dissection.skip(1);
    dissection.add(ERROR);
    if (dissection.left() > 0) {
      dissection.add(ERROR_REASON, dissection.left());
    }
  }

  private static void address(Dissection dissection, boolean isHidden) {
    dissection.add(RESERVED, 1);
    int family = (int) dissection.add(FAMILY);
    int bytes = family == IPV6_FAMILY ? 16 : 4;
    if (!dissection.has(2 + bytes)) {
      dissection.skip(2 + bytes);
      return;
    }
    if (isHidden) {
      hidden(dissection, bytes);
    } else {
      dissection.add(PORT);
      dissection.add(bytes == 4 ? ADDRESS_4 : ADDRESS_6);
    }
  }

  /** Port and address with the cookie, and the transaction behind it, as a mask. */
  private static void hidden(Dissection dissection, int bytes) {
    int port = dissection.u16(0) ^ (MAGIC >>> Short.SIZE);
    dissection.add(HIDDEN_PORT);
    dissection.value(PORT, port, -2, 2);
    if (bytes == 4) {
      long address = dissection.u32(0) ^ MAGIC;
      dissection.add(HIDDEN_4);
      dissection.value(ADDRESS_4, address & 0xFFFF_FFFFL, -4, 4);
    } else {
      long high = dissection.u64(0) ^ mask(dissection, 4);
      long low = dissection.u64(Long.BYTES) ^ mask(dissection, 4 + Long.BYTES);
      dissection.value128(ADDRESS_6, high, low, 0);
      dissection.add(HIDDEN_6);
    }
  }
}
