package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLOAT;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.MAC;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How bridges agree on a tree: spanning trees, rapid and multiple ones, and Cisco's per VLAN. */
public final class StpProtocol implements Protocol {
  public static final Fields STP =
      Fields.of("stp", "Spanning Tree Protocol", "IEEE 802.1Q, clause 14.3");
  public static final Field PROTOCOL = STP.field("stp.protocol", 16, HEX, "Protocol");
  public static final Field VERSION =
      STP.field(
          "stp.version",
          8,
          DECIMAL,
          "Version",
          ValueNames.of(Map.of(0, "Spanning Tree", 2, "Rapid", 3, "Multiple", 4, "Shortest Path")));
  public static final Field TYPE =
      STP.field(
          "stp.type",
          8,
          HEX,
          "Type",
          ValueNames.of(
              Map.of(0x00, "Configuration", 0x80, "Topology change", 0x02, "Rapid or multiple")));
  public static final Field FLAGS = STP.floating("stp.flags", 8, HEX, "Flags");
  private static final Parts RAPID_FLAGS =
      STP.parts(8)
          .flag("stp.flags.tcack", "Topology change acknowledged")
          .flag("stp.flags.agreement", "Agreement")
          .flag("stp.flags.forwarding", "Forwarding")
          .flag("stp.flags.learning", "Learning")
          .part(
              "stp.flags.port_role",
              2,
              DECIMAL,
              "Role of the port",
              ValueNames.from0("Unknown", "Alternate or backup", "Root", "Designated"))
          .flag("stp.flags.proposal", "Proposal")
          .flag("stp.flags.tc", "Topology change");
  private static final Parts PLAIN_FLAGS =
      STP.parts(8)
          .flag("stp.flags.tcack", "Topology change acknowledged")
          .skip(6)
          .flag("stp.flags.tc", "Topology change");
  private static final BridgeIdentifier ROOT = new BridgeIdentifier(STP, "stp.root", "root");
  public static final Field COST = STP.floating("stp.root.cost", 32, DECIMAL, "Cost to the root");
  private static final BridgeIdentifier BRIDGE = new BridgeIdentifier(STP, "stp.bridge", "bridge");
  public static final Field PORT = STP.floating("stp.port", 16, HEX, "Port");
  public static final Field MESSAGE_AGE = seconds("stp.msg_age", "Age of the message in s");
  public static final Field MAX_AGE = seconds("stp.max_age", "Highest age in s");
  public static final Field HELLO = seconds("stp.hello", "Hello time in s");
  public static final Field DELAY = seconds("stp.forward", "Forward delay in s");
  public static final Field VERSION_1_LENGTH =
      STP.floating("stp.version_1_length", 8, DECIMAL, "Length of version 1");
  private static final StpInstances INSTANCES = new StpInstances(STP, RAPID_FLAGS);
  public static final Field TLV_TYPE =
      STP.source("Cisco, PVST+").floating("stp.pvst.tlvtype", 16, HEX, "Type");
  public static final Field TLV_LENGTH = STP.floating("stp.pvst.tlvlen", 16, DECIMAL, "Length");
  public static final Field VLAN =
      STP.floating("stp.pvst.origvlan", 16, DECIMAL, "VLAN of the sender");

  private static final int SAP = 0x42;
  private static final int CISCO_PVST = 0x010B;
  private static final int CONFIGURATION = 0;
  private static final int RAPID = 2;
  private static final int MULTIPLE_VERSION = 3;
  private static final int TLV_OFFSET = 36;
  private static final int SNAP_BYTES = 8;
  private static final double UNITS_PER_SECOND = 256;

  private static Field seconds(String name, String label) {
    return STP.floating(name, 64, FLOAT, label);
  }

  static {
    STP.summary(TYPE, FLAGS, COST, PORT);
  }

  @Override
  public Fields fields() {
    return STP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.LLC_SAP.key(SAP), DispatchTable.CISCO_PID.key(CISCO_PVST));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.number(PROTOCOL) != 0 && scan.isSound()) {
      scan.malformed();
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int protocol = dissection.u16(0);
    int version = dissection.u8(2);
    int type = dissection.u8(3);
    dissection.fixed();
    if (protocol != 0 || (type != CONFIGURATION && type != RAPID)) {
      return;
    }
    flags(dissection, type == RAPID);
    common(dissection);
    if (type == RAPID) {
      dissection.add(VERSION_1_LENGTH);
    }
    if (isPerVlan(dissection.outer())) {
      vlan(dissection);
    } else if (type == RAPID && version >= MULTIPLE_VERSION && dissection.left() >= 2) {
      INSTANCES.dissect(dissection);
    }
  }

  private static void flags(Dissection dissection, boolean isRapid) {
    long flags = dissection.add(FLAGS);
    if (dissection.offset() > 4) {
      dissection.values(isRapid ? RAPID_FLAGS : PLAIN_FLAGS, flags, -1);
    }
  }

  private static void common(Dissection dissection) {
    ROOT.dissect(dissection);
    dissection.add(COST);
    BRIDGE.dissect(dissection);
    dissection.add(PORT);
    seconds(dissection, MESSAGE_AGE);
    seconds(dissection, MAX_AGE);
    seconds(dissection, HELLO);
    seconds(dissection, DELAY);
  }

  private static void seconds(Dissection dissection, Field field) {
    if (dissection.has(2)) {
      double value = dissection.u16(0) / UNITS_PER_SECOND;
      dissection.value(field, Double.doubleToRawLongBits(value), 0, 2);
    }
    dissection.skip(2);
  }

  private static boolean isPerVlan(@Nullable Layer outer) {
    return outer != null && outer.payloadOffset() - outer.offset() == SNAP_BYTES;
  }

  private static void vlan(Dissection dissection) {
    if (dissection.left() > 0) {
      dissection.offset(TLV_OFFSET);
    }
    while (dissection.left() >= 4) {
      int type = (int) dissection.add(TLV_TYPE);
      int length = (int) dissection.add(TLV_LENGTH);
      if (type == 0 && length == 2) {
        dissection.add(VLAN);
      } else {
        dissection.skip(length);
      }
    }
  }

  /** A priority, an extension of it, and a MAC address. */
  static final class BridgeIdentifier {
    private static final int EXTENSION_MASK = 0xFFF;

    private final Field priority;
    private final Field extension;
    private final Field address;

    BridgeIdentifier(Fields owner, String prefix, String label) {
      priority = owner.floating(prefix + ".prio", 16, DECIMAL, "Priority of the " + label);
      extension = owner.floating(prefix + ".ext", 16, DECIMAL, "Extension of the " + label);
      address = owner.floating(prefix + ".hw", 48, MAC, "MAC address of the " + label);
    }

    void dissect(Dissection dissection) {
      if (dissection.has(2)) {
        int number = dissection.u16(0);
        dissection.value(priority, number & ~EXTENSION_MASK, 0, 2);
        dissection.value(extension, number & EXTENSION_MASK, 0, 2);
      }
      dissection.skip(2);
      dissection.add(address);
    }
  }
}
