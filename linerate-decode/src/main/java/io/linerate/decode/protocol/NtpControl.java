package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import io.linerate.decode.ValueNames;

/** Messages of NTP that ask for variables: of mode 6, and of mode 7, which is not standardised. */
final class NtpControl {
  private static final Fields NTP = NtpProtocol.NTP.source("RFC 9327, section 2");
  private static final Field FLAGS = field("ctrl.flags2", 8, HEX, "Flags");
  private static final Field RESPONSE = field("ctrl.flags2.r", 1, DECIMAL, "Response");
  private static final Field ERROR = field("ctrl.flags2.error", 1, DECIMAL, "Error");
  private static final Field MORE = field("ctrl.flags2.more", 1, DECIMAL, "More");
  private static final Field OPERATION =
      NTP.floating(
          "ntp.ctrl.flags2.opcode",
          5,
          DECIMAL,
          "Operation",
          ValueNames.from0(
              "",
              "read status",
              "read variables",
              "write variables",
              "read clock variables",
              "write clock variables",
              "set trap",
              "trap"));
  private static final Field SEQUENCE = field("ctrl.sequence", 16, DECIMAL, "Sequence");
  private static final Field STATUS = field("ctrl.status", 16, HEX, "Status");
  private static final Field ERROR_CODE = status("err_status", 8, DECIMAL, "Error");
  private static final Field[] SYSTEM = {
    status("sys_status.li", 2, DECIMAL, "Leap indicator"),
    status("sys_status.clksrc", 6, DECIMAL, "Clock source"),
    status("sys_status.count", 4, DECIMAL, "Event counter"),
    status("sys_status.code", 4, DECIMAL, "Event")
  };
  private static final Field[] PEER = {
    status("peer_status.config", 1, FLAG, "Configured"),
    status("peer_status.authenable", 1, FLAG, "Authentication enabled"),
    status("peer_status.authentic", 1, FLAG, "Authentic"),
    status("peer_status.reach", 1, FLAG, "Reachable"),
    status("peer_status.bcast", 1, FLAG, "Broadcast"),
    status("peer_status.selection", 3, DECIMAL, "Selection"),
    status("peer_status.count", 4, DECIMAL, "Event counter"),
    status("peer_status.code", 4, DECIMAL, "Event")
  };
  private static final Field[] CLOCK = {
    status("clock_status.status", 8, DECIMAL, "Clock's status"),
    status("clock_status.code", 8, DECIMAL, "Event")
  };
  private static final Field ASSOCIATION = field("ctrl.associd", 16, DECIMAL, "Association");
  private static final Field OFFSET = field("ctrl.offset", 16, DECIMAL, "Offset");
  private static final Field COUNT = field("ctrl.count", 16, DECIMAL, "Count");
  private static final Field DATA = field("ctrl.data", 0, NONE, "Data");
  private static final Field ITEM = field("ctrl.item", 0, NONE, "Item");
  private static final Field VARIABLES = field("ctrl.variables", 0, TEXT, "Variables");

  private static final Field PRIVATE_RESPONSE =
      NTP.source("NTP reference implementation, ntp_request.h")
          .floating("ntp.priv.flags.r", 1, DECIMAL, "Response");
  private static final Field PRIVATE_MORE = field("priv.flags.more", 1, DECIMAL, "More");
  private static final Field AUTHENTICATION_AND_SEQUENCE =
      field("priv.auth_seq", 8, DECIMAL, "Authentication and sequence");
  private static final Field AUTHENTICATED = field("priv.auth", 1, DECIMAL, "Authenticated");
  private static final Field PRIVATE_SEQUENCE = field("priv.seq", 7, DECIMAL, "Sequence");
  private static final Field IMPLEMENTATION = field("priv.impl", 8, DECIMAL, "Implementation");
  private static final Field REQUEST = field("priv.reqcode", 8, DECIMAL, "Request");
  private static final Field PRIVATE_ERROR = field("priv.err", 4, HEX, "Error");
  private static final Field ITEMS = field("priv.numitems", 12, DECIMAL, "Items");
  private static final Field RESERVED = field("priv.reserved", 4, HEX, "Reserved");
  private static final Field ITEM_BYTES = field("priv.itemsize", 12, DECIMAL, "Size of an item");
  private static final Field ITEM_DATA = field("priv.item", 0, BYTES, "Item");

  private static final int READ_STATUS = 1;
  private static final int READ_VARIABLES = 2;
  private static final int READ_CLOCK = 4;
  private static final int LEAST_DIGEST_BYTES = 20;

  private NtpControl() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static Field field(String name, int bits, Kind kind, String label) {
    return NTP.floating("ntp." + name, bits, kind, label);
  }

  private static Field status(String name, int bits, Kind kind, String label) {
    return NTP.floating("ntp.ctrl." + name, bits, kind, label);
  }

  /** Says what a message of mode 6 is behind its first byte. */
  static void dissect(Dissection dissection) {
    int flags = (int) dissection.add(FLAGS);
    if (!dissection.has(10)) {
      dissection.skip(10);
      return;
    }
    dissection.value(RESPONSE, flags >>> 7, -1, 1);
    dissection.value(ERROR, (flags >>> 6) & 1, -1, 1);
    dissection.value(MORE, (flags >>> 5) & 1, -1, 1);
    dissection.value(OPERATION, flags & 0x1F, -1, 1);
    dissection.add(SEQUENCE);
    int association = dissection.u16(2);
    int status = (int) dissection.add(STATUS);
    if ((flags & 0x80) != 0) {
      statusParts(dissection, flags, status, association);
    }
    dissection.add(ASSOCIATION);
    dissection.add(OFFSET);
    int count = (int) dissection.add(COUNT);
    if (count > 0) {
      data(dissection, flags, count);
    }
    dissection.skip(Math.min(-count & 3, dissection.left()));
    if (dissection.left() >= LEAST_DIGEST_BYTES) {
      NtpProtocol.digest(dissection);
    }
  }

  private static void statusParts(Dissection dissection, int flags, int status, int association) {
    int operation = flags & 0x1F;
    if ((flags & 0x40) != 0) {
      dissection.value(ERROR_CODE, status >>> 8, -2, 2);
    } else if (operation == READ_STATUS || operation == READ_VARIABLES) {
      parts(dissection, association == 0 ? SYSTEM : PEER, status);
    } else if (operation == READ_CLOCK || operation == READ_CLOCK + 1) {
      parts(dissection, CLOCK, status);
    }
  }

  /** The parts of the two bytes before the cursor, from the highest bit on. */
  private static void parts(Dissection dissection, Field[] fields, int value) {
    int shift = Short.SIZE;
    for (Field field : fields) {
      shift -= field.bits();
      dissection.value(field, (value >>> shift) & ((1 << field.bits()) - 1), -2, 2);
    }
  }

  private static void data(Dissection dissection, int flags, int count) {
    dissection.open(DATA, count);
    int before = dissection.enter(count);
    boolean isStatus = (flags & 0xDF) == (0x80 | READ_STATUS);
    while (isStatus && dissection.left() > 0) {
      dissection.open(ITEM, 4);
      dissection.add(ASSOCIATION);
      int status = (int) dissection.add(STATUS);
      parts(dissection, PEER, status);
      dissection.close();
    }
    if (dissection.left() > 0) {
      dissection.add(VARIABLES, dissection.left());
    }
    dissection.leave(before);
    dissection.close();
  }

  /** What the upper two bits of the first byte are in a message of mode 7. */
  static void bits(Dissection dissection, int flags) {
    dissection.value(PRIVATE_RESPONSE, flags >>> 7, -1, 1);
    dissection.value(PRIVATE_MORE, (flags >>> 6) & 1, -1, 1);
  }

  /** Says what a message of mode 7 is behind its first byte. */
  static void dissectPrivate(Dissection dissection) {
    int sequence = (int) dissection.add(AUTHENTICATION_AND_SEQUENCE);
    if (!dissection.has(6)) {
      dissection.skip(6);
      return;
    }
    dissection.value(AUTHENTICATED, sequence >>> 7, -1, 1);
    dissection.value(PRIVATE_SEQUENCE, sequence & 0x7F, -1, 1);
    dissection.add(IMPLEMENTATION);
    dissection.add(REQUEST);
    int items = nibble(dissection, PRIVATE_ERROR, ITEMS);
    int bytes = nibble(dissection, RESERVED, ITEM_BYTES);
    for (int i = 0; i < items && bytes > 0 && dissection.left() > 0; i++) {
      dissection.add(ITEM_DATA, bytes);
    }
  }

  private static int nibble(Dissection dissection, Field upper, Field lower) {
    int value = dissection.u16(0);
    dissection.value(upper, value >>> 12, 0, 1);
    dissection.value(lower, value & 0xFFF, 0, 2);
    dissection.skip(2);
    return value & 0xFFF;
  }
}
