package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.OID;
import static io.linerate.decode.Kind.SIGNED;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;

/** The variables of SNMP messages and their values, and what identifiers of engines say. */
final class SnmpBindings {
  private static final Fields SNMP = SnmpProtocol.SNMP.source("RFC 3416, section 3");
  private static final Field NAME = field("name", 0, OID, "Name");
  private static final Field INTEGER = field("value.int", 64, SIGNED, "Integer");
  private static final Field OCTETS = field("value.octets", 0, BYTES, "Octets");
  private static final Field OCTETS_TEXT = field("var-bind_str", 0, TEXT, "Text");
  private static final Field NULL = field("value.null", 0, NONE, "Null");
  private static final Field OBJECT = field("value.oid", 0, OID, "Object");
  private static final Field IPV4_ADDRESS =
      SNMP.source("RFC 2578, section 7.1").floating("snmp.value.ipv4", 32, IPV4, "Address");
  private static final Field ADDRESS = field("value.addr", 0, BYTES, "Address");
  private static final Field COUNTER = field("value.counter", 64, DECIMAL, "Counter");
  private static final Field GAUGE = field("value.g32", 64, SIGNED, "Gauge");
  private static final Field TICKS = field("value.timeticks", 64, DECIMAL, "Time in 10 ms");
  private static final Field OPAQUE = field("value.opaque", 0, BYTES, "Opaque");
  private static final Field UNKNOWN = field("value.unk", 0, BYTES, "Unknown value");
  private static final Field NO_OBJECT =
      SNMP.source("RFC 3416, section 3").floating("snmp.noSuchObject", 0, NONE, "No such object");
  private static final Field NO_INSTANCE = field("noSuchInstance", 0, NONE, "No such instance");
  private static final Field END = field("endOfMibView", 0, NONE, "End of the view");

  private static final Field CONFORMS =
      SNMP.source("RFC 3411, section 5").floating("snmp.engineid.conform", 1, FLAG, "RFC 3411");
  private static final Field ENTERPRISE =
      field("engineid.enterprise", 31, DECIMAL, "Engine's enterprise");
  private static final Field FORMAT = field("engineid.format", 8, DECIMAL, "Engine's format");
  private static final Field ENGINE_IPV4 = field("engineid.ipv4", 32, IPV4, "Engine's address");
  private static final Field ENGINE_IPV6 = field("engineid.ipv6", 128, IPV6, "Engine's address");
  private static final Field ENGINE_MAC = field("engineid.mac", 48, MAC, "Engine's address");
  private static final Field ENGINE_TEXT = field("engineid.text", 0, TEXT, "Engine's text");
  private static final Field ENGINE_DATA = field("engineid.data", 0, BYTES, "Engine's data");
  private static final Field ENGINE_TIME = field("engineid.time", 32, TIME, "Engine's time");

  private static final int IP_ADDRESS_TAG = 0x40;
  private static final int COUNTER_TAG = 0x41;
  private static final int GAUGE_TAG = 0x42;
  private static final int TICKS_TAG = 0x43;
  private static final int OPAQUE_TAG = 0x44;
  private static final int COUNTER_64_TAG = 0x46;
  private static final int NET_SNMP = 8072;
  private static final int NET_SNMP_FORMAT = 128;
  private static final long NS_PER_SECOND = 1_000_000_000L;

  private SnmpBindings() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static Field field(String name, int bits, Kind kind, String label) {
    return SNMP.floating("snmp." + name, bits, kind, label);
  }

  /** Says what the variables are, in the sequence at the cursor. */
  static void dissect(Dissection dissection) {
    int before = Ber.enter(dissection, Ber.SEQUENCE);
    if (before < 0) {
      return;
    }
    dissection.value(SnmpProtocol.BINDINGS, count(dissection), 0, 0);
    while (dissection.left() > 0) {
      int inner = Ber.enter(dissection, Ber.SEQUENCE);
      if (inner < 0) {
        return;
      }
      Ber.bytes(dissection, Ber.OBJECT, NAME);
      if (dissection.left() > 0) {
        value(dissection);
      }
      dissection.leave(inner);
    }
    dissection.leave(before);
  }

  /** How many values follow each other. */
  private static int count(Dissection dissection) {
    int back = dissection.offset();
    int count = 0;
    while (dissection.left() > 0) {
      int header = Ber.headerBytes(dissection);
      int bytes = Ber.contentBytes(dissection, header);
      if (header == 0 || !dissection.has(header + bytes)) {
        break;
      }
      dissection.skip(header + bytes);
      count++;
    }
    dissection.offset(back);
    return count;
  }

  private static void value(Dissection dissection) {
    int tag = dissection.u8(0);
    int before = Ber.enter(dissection, tag);
    if (before < 0) {
      return;
    }
    int bytes = dissection.left();
    switch (tag) {
      case Ber.INTEGER -> dissection.value(INTEGER, Ber.signed(dissection), 0, bytes);
      case Ber.OCTETS -> octets(dissection, bytes);
      case Ber.NULL -> dissection.bytes(NULL, 0, bytes);
      case Ber.OBJECT -> dissection.bytes(OBJECT, 0, bytes);
      case IP_ADDRESS_TAG -> dissection.add(bytes == 4 ? IPV4_ADDRESS : ADDRESS, bytes);
      case COUNTER_TAG, COUNTER_64_TAG ->
          dissection.value(COUNTER, Ber.signed(dissection), 0, bytes);
      case GAUGE_TAG -> dissection.value(GAUGE, Ber.signed(dissection), 0, bytes);
      case TICKS_TAG -> dissection.value(TICKS, Ber.signed(dissection), 0, bytes);
      case OPAQUE_TAG -> dissection.bytes(OPAQUE, 0, bytes);
      case 0x80 -> dissection.bytes(NO_OBJECT, 0, bytes);
      case 0x81 -> dissection.bytes(NO_INSTANCE, 0, bytes);
      case 0x82 -> dissection.bytes(END, 0, bytes);
      default -> {
        dissection.bytes(UNKNOWN, 0, bytes);
        dissection.malformed();
      }
    }
    dissection.leave(before);
  }

  private static void octets(Dissection dissection, int bytes) {
    dissection.bytes(OCTETS, 0, bytes);
    boolean isText = bytes > 0;
    for (int i = 0; i < bytes && isText; i++) {
      int value = dissection.u8(i);
      isText = (value >= ' ' && value < 0x7F) || (value >= '\t' && value <= '\r');
    }
    if (isText) {
      dissection.bytes(OCTETS_TEXT, 0, bytes);
    }
  }

  /** Says what the identifier of an engine is. */
  static void engine(Dissection dissection, Field field) {
    int before = Ber.enter(dissection, Ber.OCTETS);
    if (before < 0) {
      return;
    }
    int bytes = dissection.left();
    dissection.bytes(field, 0, bytes);
    if (bytes > 0) {
      int first = dissection.u8(0);
      dissection.value(CONFORMS, first >>> 7, 0, 1);
      if (bytes > 5 && first >>> 7 != 0) {
        long enterprise = dissection.u32(0) & 0x7FFF_FFFFL;
        dissection.value(ENTERPRISE, enterprise, 0, 4);
        dissection.skip(4);
        engineParts(dissection, enterprise, (int) dissection.add(FORMAT));
      }
    }
    dissection.leave(before);
  }

  private static void engineParts(Dissection dissection, long enterprise, int format) {
    int left = dissection.left();
    if (format == 1 && left == 4) {
      dissection.add(ENGINE_IPV4);
    } else if (format == 2 && left == 16) {
      dissection.add(ENGINE_IPV6);
    } else if (format == 3 && left == 6) {
      dissection.add(ENGINE_MAC);
    } else if (format == 4) {
      dissection.add(ENGINE_TEXT, left);
    } else if (format == NET_SNMP_FORMAT && enterprise == NET_SNMP && left == 8) {
      dissection.add(ENGINE_DATA, 4);
      long seconds = Integer.toUnsignedLong(Integer.reverseBytes((int) dissection.u32(0)));
      dissection.value(ENGINE_TIME, seconds * NS_PER_SECOND, 0, 4);
    } else {
      dissection.add(ENGINE_DATA, left);
    }
  }
}
