package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.ValueNames;

/** The options of DHCPv6 that say who somebody is; RFC 8415, section 11. */
final class Dhcpv6Identifier {
  private static final Fields DHCPV6 = Dhcpv6Protocol.DHCPV6.source("RFC 8415, section 11.1");
  private static final Field BYTES_OF_IT =
      DHCPV6.floating("dhcpv6.duid.bytes", 0, BYTES, "Unique identifier");
  private static final Field TYPE =
      DHCPV6.floating(
          "dhcpv6.duid.type",
          16,
          DECIMAL,
          "Type",
          ValueNames.from0(
              "", "link-layer address and time", "enterprise", "link-layer address", "UUID"));
  private static final Field TIMED_HARDWARE =
      DHCPV6
          .source("RFC 8415, section 11.2")
          .floating("dhcpv6.duidllt.hwtype", 16, DECIMAL, "Hardware type");
  private static final Field TIMED = DHCPV6.floating("dhcpv6.duidllt.time", 32, TIME, "Time");
  private static final Field TIMED_ADDRESS =
      DHCPV6.floating("dhcpv6.duidllt.link_layer_addr", 0, TEXT, "Link-layer address");
  private static final Field ENTERPRISE =
      DHCPV6
          .source("RFC 8415, section 11.3")
          .floating("dhcpv6.duiden.enterprise", 32, DECIMAL, "Enterprise");
  private static final Field ENTERPRISE_IDENTIFIER =
      DHCPV6.floating("dhcpv6.duiden.identifier", 0, BYTES, "Identifier");
  private static final Field HARDWARE =
      DHCPV6
          .source("RFC 8415, section 11.4")
          .floating("dhcpv6.duidll.hwtype", 16, DECIMAL, "Hardware type");
  private static final Field ADDRESS =
      DHCPV6.floating("dhcpv6.duidll.link_layer_addr", 0, TEXT, "Link-layer address");
  private static final Field UNIVERSAL =
      DHCPV6.source("RFC 8415, section 11.5").floating("dhcpv6.duiduuid.bytes", 0, BYTES, "UUID");
  private static final Field CLASS_ENTERPRISE =
      DHCPV6
          .source("RFC 8415, section 21.16")
          .floating("dhcpv6.vendorclass.enterprise", 32, DECIMAL, "Enterprise");
  private static final Field CLASS =
      DHCPV6.floating("dhcpv6.vendorclass.data", 0, TEXT, "Vendor class");
  private static final Field VENDOR =
      DHCPV6
          .source("RFC 8415, section 21.17")
          .floating("dhcpv6.vendoropts.enterprise", 32, DECIMAL, "Enterprise");
  private static final Field VENDOR_CODE =
      DHCPV6.floating("dhcpv6.vendoropts.enterprise.option_code", 16, DECIMAL, "Code");
  private static final Field VENDOR_LENGTH =
      DHCPV6.floating("dhcpv6.vendoropts.enterprise.option_length", 16, DECIMAL, "Length");
  private static final Field VENDOR_DATA =
      DHCPV6.floating("dhcpv6.vendoropts.enterprise.option_data", 0, BYTES, "Data");

  /** From 1970 to 2000. */
  private static final long EPOCH_SECONDS = 946_684_800L;

  private static final long NS_PER_SECOND = 1_000_000_000L;

  private Dhcpv6Identifier() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  /** Says what a unique identifier is, which is all that is left. */
  static void dissect(Dissection dissection) {
    dissection.bytes(BYTES_OF_IT, 0, dissection.left());
    int type = (int) dissection.add(TYPE);
    switch (type) {
      case 1 -> {
        dissection.add(TIMED_HARDWARE);
        if (dissection.has(4)) {
          long seconds = dissection.u32(0) + EPOCH_SECONDS;
          dissection.value(TIMED, seconds * NS_PER_SECOND, 0, 4);
        }
        dissection.skip(4);
        address(dissection, TIMED_ADDRESS);
      }
      case 2 -> {
        dissection.add(ENTERPRISE);
        dissection.add(ENTERPRISE_IDENTIFIER, dissection.left());
      }
      case 3 -> {
        dissection.add(HARDWARE);
        address(dissection, ADDRESS);
      }
      case 4 -> dissection.add(UNIVERSAL, dissection.left());
      default -> {}
    }
  }

  private static void address(Dissection dissection, Field field) {
    int bytes = dissection.left();
    if (bytes > 0) {
      dissection.text(field, TextBytes.hex(dissection, bytes, ":"), 0, bytes);
      dissection.skip(bytes);
    }
  }

  /** Says what classes a vendor's device is of, which is all that is left. */
  static void vendorClass(Dissection dissection) {
    dissection.add(CLASS_ENTERPRISE);
    while (dissection.left() > 0) {
      int bytes = dissection.u16(0);
      dissection.skip(2);
      dissection.add(CLASS, bytes);
    }
  }

  /** Says what a vendor's options are, which are all that is left. */
  static void vendorOptions(Dissection dissection) {
    dissection.add(VENDOR);
    while (dissection.left() > 0) {
      dissection.add(VENDOR_CODE);
      dissection.add(VENDOR_DATA, (int) dissection.add(VENDOR_LENGTH));
    }
  }
}
