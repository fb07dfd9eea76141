package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.HsrpProtocol.HSRP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.ValueNames;
import org.jspecify.annotations.Nullable;

/** The items of HSRP, version 2. */
final class HsrpItems {
  private static final int GROUP_STATE = 1;
  private static final int INTERFACE_STATE = 2;
  private static final int TEXT_AUTHENTICATION = 3;
  private static final int MD5_AUTHENTICATION = 4;
  private static final int ADDRESS_BYTES = 16;
  private static final int IPV6_VERSION = 6;

  private static final Field GROUP_ITEM =
      HSRP.source("Cisco's HSRP, version 2")
          .floating("hsrp2.group_state_tlv", 8, DECIMAL, "Group state");
  private static final Field INTERFACE_ITEM =
      HSRP.floating("hsrp2.interface_state_tlv", 8, DECIMAL, "Interface state");
  private static final Field TEXT_ITEM =
      HSRP.floating("hsrp2.text_auth_tlv", 8, DECIMAL, "Text authentication");
  private static final Field MD5_ITEM =
      HSRP.floating("hsrp2.md5_auth_tlv", 8, DECIMAL, "MD5 authentication");
  private static final Field VERSION = HSRP.floating("hsrp2.version", 8, DECIMAL, "Version");
  private static final Field OPERATION = HSRP.floating("hsrp2.opcode", 8, DECIMAL, "Operation");
  private static final Field STATE =
      HSRP.floating(
          "hsrp2.state",
          8,
          DECIMAL,
          "State",
          ValueNames.from0("Disabled", "Init", "Learn", "Listen", "Speak", "Standby", "Active"));
  private static final Field IP_VERSION =
      HSRP.floating("hsrp2.ipversion", 8, DECIMAL, "IP version");
  private static final Field GROUP = HSRP.floating("hsrp2.group", 16, DECIMAL, "Group");
  private static final Field IDENTIFIER = HSRP.floating("hsrp2.identifier", 48, MAC, "Identifier");
  private static final Field PRIORITY = HSRP.floating("hsrp2.priority", 32, DECIMAL, "Priority");
  private static final Field HELLO_TIME =
      HSRP.floating("hsrp2.hellotime", 32, DECIMAL, "Hello time in ms");
  private static final Field HOLD_TIME =
      HSRP.floating("hsrp2.holdtime", 32, DECIMAL, "Hold time in ms");
  private static final Field ADDRESS = HSRP.floating("hsrp2.virt_ip", 32, IPV4, "Virtual address");
  private static final Field ADDRESS_6 =
      HSRP.floating("hsrp2.virt_ip_v6", 128, IPV6, "Virtual address");
  private static final Field ACTIVE =
      HSRP.floating("hsrp2.active_groups", 16, DECIMAL, "Active groups");
  private static final Field PASSIVE =
      HSRP.floating("hsrp2.passive_groups", 16, DECIMAL, "Passive groups");
  private static final Field PASSWORD = HSRP.floating("hsrp2.auth_data", 64, TEXT, "Password");
  private static final Field ALGORITHM =
      HSRP.floating("hsrp2.md5_algorithm", 8, DECIMAL, "Algorithm");
  private static final Field PADDING = HSRP.floating("hsrp2.md5_padding", 8, HEX, "Padding");
  private static final Field FLAGS = HSRP.floating("hsrp2.md5_flags", 16, DECIMAL, "Flags");
  private static final Field SENDER = HSRP.floating("hsrp.md5_ip_address", 32, IPV4, "Sender");
  private static final Field KEY = HSRP.floating("hsrp2.md5_key_id", 32, DECIMAL, "Key");
  private static final Field DIGEST = HSRP.floating("hsrp2.md5_auth_data", 0, BYTES, "Digest");
  private static final Field DATA = HSRP.floating("hsrp2.data", 0, BYTES, "Item value");

  private HsrpItems() {}

  /** Declares the fields: HSRP's are complete only then. */
  static void declare() {}

  /** Goes through all items from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      int length = dissection.u8(1);
      Field item = item(type);
      if (item != null) {
        dissection.value(item, type, 0, 1);
      }
      dissection.skip(2);
      int before = dissection.enter(length);
      value(dissection, type);
      dissection.leave(before);
    }
  }

  /** Each type has a field of its own. */
  private static @Nullable Field item(int type) {
    return switch (type) {
      case GROUP_STATE -> GROUP_ITEM;
      case INTERFACE_STATE -> INTERFACE_ITEM;
      case TEXT_AUTHENTICATION -> TEXT_ITEM;
      case MD5_AUTHENTICATION -> MD5_ITEM;
      default -> null;
    };
  }

  private static void value(Dissection dissection, int type) {
    switch (type) {
      case GROUP_STATE -> group(dissection);
      case INTERFACE_STATE -> {
        dissection.add(ACTIVE);
        dissection.add(PASSIVE);
      }
      case TEXT_AUTHENTICATION -> dissection.add(PASSWORD);
      case MD5_AUTHENTICATION -> {
        dissection.add(ALGORITHM);
        dissection.add(PADDING);
        dissection.add(FLAGS);
        dissection.add(SENDER);
        dissection.add(KEY);
        dissection.addLeft(DIGEST);
      }
      default -> dissection.addLeft(DATA);
    }
  }

  private static void group(Dissection dissection) {
    dissection.add(VERSION);
    dissection.add(OPERATION);
    dissection.add(STATE);
    int version = (int) dissection.add(IP_VERSION);
    dissection.add(GROUP);
    dissection.add(IDENTIFIER);
    dissection.add(PRIORITY);
    dissection.add(HELLO_TIME);
    dissection.add(HOLD_TIME);
    int before = dissection.enter(ADDRESS_BYTES);
    dissection.add(version == IPV6_VERSION ? ADDRESS_6 : ADDRESS);
    dissection.leave(before);
  }
}
