package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.ValueNames;
import java.util.List;
import java.util.Map;

/** HSRP of Cisco: version 1, and version 2, which consists of items of type, length and value. */
public final class HsrpProtocol implements Protocol {
  public static final Fields HSRP =
      Fields.of("hsrp", "Cisco Hot Standby Router Protocol", "RFC 2281, section 5.1");

  private static final Field VERSION = HSRP.floating("hsrp.version", 8, DECIMAL, "Version");
  private static final Field OPERATION =
      HSRP.floating(
          "hsrp.opcode",
          8,
          DECIMAL,
          "Operation",
          ValueNames.from0("Hello", "Coup", "Resign", "Advertise"));
  private static final Field STATE =
      HSRP.floating(
          "hsrp.state",
          8,
          DECIMAL,
          "State",
          ValueNames.of(
              Map.of(
                  0, "Initial", 1, "Learn", 2, "Listen", 4, "Speak", 8, "Standby", 16, "Active")));
  private static final Field HELLO_TIME =
      HSRP.floating("hsrp.hellotime", 8, DECIMAL, "Hello time in seconds");
  private static final Field HOLD_TIME =
      HSRP.floating("hsrp.holdtime", 8, DECIMAL, "Hold time in seconds");
  private static final Field PRIORITY = HSRP.floating("hsrp.priority", 8, DECIMAL, "Priority");
  private static final Field GROUP = HSRP.floating("hsrp.group", 8, DECIMAL, "Group");
  private static final Field RESERVED = HSRP.floating("hsrp.reserved", 8, DECIMAL, "Reserved");
  private static final Field PASSWORD = HSRP.floating("hsrp.auth_data", 64, TEXT, "Password");
  private static final Field ADDRESS = HSRP.floating("hsrp.virt_ip", 32, IPV4, "Virtual address");
  private static final Field ITEM =
      HSRP.floating("hsrp.adv.tlvtype", 16, DECIMAL, "Advertised item");
  private static final Field ITEM_LENGTH =
      HSRP.floating("hsrp.adv.tlvlength", 16, DECIMAL, "Advertised item's length");
  private static final Field ITEM_STATE =
      HSRP.floating("hsrp.adv.state", 8, DECIMAL, "Advertised state");
  private static final Field ITEM_RESERVED =
      HSRP.floating("hsrp.adv.reserved1", 8, DECIMAL, "Reserved");
  private static final Field ACTIVE =
      HSRP.floating("hsrp.adv.activegrp", 16, DECIMAL, "Active groups");
  private static final Field PASSIVE =
      HSRP.floating("hsrp.adv.passivegrp", 16, DECIMAL, "Passive groups");
  private static final Field ITEM_RESERVED_2 =
      HSRP.floating("hsrp.adv.reserved2", 32, DECIMAL, "Reserved");

  private static final int PORT = 1985;
  private static final int PORT_6 = 2029;
  private static final int ADVERTISE = 3;

  static {
    HsrpItems.declare();
    HSRP.summary(OPERATION, STATE, GROUP, PRIORITY);
  }

  @Override
  public Fields fields() {
    return HSRP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(PORT), DispatchTable.UDP_PORT.key(PORT_6));
  }

  @Override
  public void dissect(Dissection dissection) {
    if (dissection.u8(0) == 0) {
      old(dissection);
    } else {
      HsrpItems.dissect(dissection);
    }
  }

  private static void old(Dissection dissection) {
    dissection.add(VERSION);
    int operation = (int) dissection.add(OPERATION);
    if (operation == ADVERTISE) {
      dissection.add(ITEM);
      dissection.add(ITEM_LENGTH);
      dissection.add(ITEM_STATE);
      dissection.add(ITEM_RESERVED);
      dissection.add(ACTIVE);
      dissection.add(PASSIVE);
      dissection.add(ITEM_RESERVED_2);
      return;
    }
    dissection.add(STATE);
    dissection.add(HELLO_TIME);
    dissection.add(HOLD_TIME);
    dissection.add(PRIORITY);
    dissection.add(GROUP);
    dissection.add(RESERVED);
    dissection.add(PASSWORD);
    dissection.add(ADDRESS);
    if (dissection.left() > 0) {
      HsrpItems.dissect(dissection);
    }
  }
}
