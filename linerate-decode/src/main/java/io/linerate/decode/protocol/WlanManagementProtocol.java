package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What frames of management carry: fixed fields, as the subtype has them, and elements. */
public final class WlanManagementProtocol implements Protocol {
  public static final Fields MANAGEMENT =
      Fields.of("wlan.mgt", "IEEE 802.11 Wireless Management", "IEEE 802.11, clause 9.3.3")
          .littleEndian();
  public static final Field FIXED =
      MANAGEMENT.floating("wlan.fixed.all", 0, NONE, "Fixed parameters");
  public static final Field TIMESTAMP =
      MANAGEMENT
          .source("IEEE 802.11, clause 9.4.1")
          .floating("wlan.fixed.timestamp", 64, DECIMAL, "Timestamp in us");
  public static final Field INTERVAL =
      MANAGEMENT.floating("wlan.fixed.beacon", 16, DECIMAL, "Beacon interval in units of 1024 us");
  private static final Parts CAPABILITIES = capabilities();
  public static final Field LISTEN_INTERVAL =
      MANAGEMENT.floating("wlan.fixed.listen_ival", 16, HEX, "Listen interval in beacons");
  public static final Field STATUS =
      MANAGEMENT.floating("wlan.fixed.status_code", 16, HEX, "Status");
  public static final Field ASSOCIATION =
      MANAGEMENT.floating("wlan.fixed.aid", 16, HEX, "Association");
  public static final Field CURRENT_AP =
      MANAGEMENT.floating("wlan.fixed.current_ap", 48, MAC, "Current access point");
  public static final Field REASON =
      MANAGEMENT.floating("wlan.fixed.reason_code", 16, HEX, "Reason");
  public static final Field ALGORITHM =
      MANAGEMENT.floating(
          "wlan.fixed.auth.alg",
          16,
          DECIMAL,
          "Authentication algorithm",
          ValueNames.from0("Open system", "Shared key", "Fast transition", "SAE", "FILS"));
  public static final Field AUTHENTICATION_SEQUENCE =
      MANAGEMENT.floating("wlan.fixed.auth_seq", 16, HEX, "Authentication step");
  public static final Field SAE_MESSAGE =
      MANAGEMENT.floating(
          "wlan.fixed.sae_message_type",
          16,
          DECIMAL,
          "SAE message",
          ValueNames.from0("", "Commit", "Confirm"));
  public static final Field SAE_GROUP =
      MANAGEMENT.floating("wlan.fixed.finite_cyclic_group", 16, DECIMAL, "Finite cyclic group");
  public static final Field SAE_SCALAR =
      MANAGEMENT.floating("wlan.fixed.scalar", 0, BYTES, "Scalar");
  public static final Field SAE_ELEMENT =
      MANAGEMENT.floating("wlan.fixed.finite_field_element", 0, BYTES, "Finite field element");
  public static final Field SAE_SEND_CONFIRM =
      MANAGEMENT.floating("wlan.fixed.send_confirm", 16, DECIMAL, "Send-confirm");
  public static final Field SAE_CONFIRM =
      MANAGEMENT.floating("wlan.fixed.confirm", 0, BYTES, "Confirm");
  private static final WlanActions ACTIONS = new WlanActions(MANAGEMENT);
  public static final Field TAGGED =
      MANAGEMENT
          .source("IEEE 802.11, clause 9.4.2")
          .floating("wlan.tagged.all", 0, NONE, "Elements");
  private static final WlanElements ELEMENTS = new WlanElements(MANAGEMENT);

  private static final int SAE = 3;
  private static final int SAE_GROUP_19_BYTES = 32;
  private static final int SAE_GROUP_20_BYTES = 48;

  private static Parts capabilities() {
    String prefix = "wlan.fixed.capabilities.";
    return MANAGEMENT
        .parts("wlan.fixed.capabilities", 16, HEX, "Capabilities")
        .part(prefix + "reserved6", 1, DECIMAL, "Reserved")
        .part(prefix + "reserved5", 1, DECIMAL, "Reserved")
        .flag(prefix + "epd", "EPD")
        .flag(prefix + "radio_measurement", "Radio measurement")
        .flag(prefix + "apsd", "Automatic power save delivery")
        .flag(prefix + "short_slot_time", "Short slot time")
        .flag(prefix + "qos", "QoS")
        .flag(prefix + "spec_man", "Spectrum management")
        .part(prefix + "reserved4", 1, DECIMAL, "Reserved")
        .part(prefix + "reserved3", 1, DECIMAL, "Reserved")
        .flag(prefix + "short_preamble", "Short preamble")
        .flag(prefix + "privacy", "Privacy")
        .part(prefix + "reserved2", 1, DECIMAL, "Reserved")
        .part(prefix + "reserved1", 1, DECIMAL, "Reserved")
        .flag(prefix + "ibss", "Independent network")
        .flag(prefix + "ess", "Infrastructure network");
  }

  @Override
  public Fields fields() {
    return MANAGEMENT;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(WlanProtocol.CONTENT.key(WlanProtocol.MANAGEMENT));
  }

  @Override
  public void scan(Scan scan) {
    int subtype = subtype(scan.outer());
    if (WlanActions.isAction(subtype) && scan.has(0, 1)) {
      WlanActions.scan(scan);
    }
  }

  /** Whether all frames of a subtype have fixed fields. */
  static boolean hasContent(int subtype) {
    return switch (subtype) {
      case 0, 1, 2, 3, 5, 8, 10, 11, 12, 13, 14 -> true;
      default -> false;
    };
  }

  private static int subtype(@Nullable Layer outer) {
    return outer == null ? 0 : outer.bytes().u8(outer.offset()) >>> 4;
  }

  @Override
  public void dissect(Dissection dissection) {
    int subtype = subtype(dissection.outer());
    if (WlanActions.isAction(subtype)) {
      ACTIONS.dissect(dissection);
      elements(dissection, false);
      return;
    }
    int bytes = fixedBytes(dissection, subtype);
    if (bytes > 0) {
      dissection.open(FIXED, bytes);
      fixed(dissection, subtype);
      dissection.close();
    }
    elements(dissection, true);
  }

  private static void elements(Dissection dissection, boolean isMarked) {
    if (dissection.left() == 0) {
      return;
    }
    if (isMarked) {
      dissection.open(TAGGED, dissection.left());
    }
    ELEMENTS.dissect(dissection);
    if (isMarked) {
      dissection.close();
    }
  }

  private static int fixedBytes(Dissection dissection, int subtype) {
    return switch (subtype) {
      case 0 -> 4;
      case 1, 3 -> 6;
      case 2 -> 10;
      case 5, 8 -> 12;
      case 10, 12 -> 2;
      case 11 -> isSae(dissection) ? dissection.left() : 6;
      default -> 0;
    };
  }

  private static boolean isSae(Dissection dissection) {
    return dissection.has(6) && dissection.u8(0) == SAE && dissection.u8(4) == 0;
  }

  private static void fixed(Dissection dissection, int subtype) {
    switch (subtype) {
      case 0, 2 -> {
        dissection.add(CAPABILITIES);
        dissection.add(LISTEN_INTERVAL);
        if (subtype == 2) {
          currentAp(dissection);
        }
      }
      case 1, 3 -> {
        dissection.add(CAPABILITIES);
        dissection.add(STATUS);
        association(dissection);
      }
      case 5, 8 -> {
        dissection.add(TIMESTAMP);
        dissection.add(INTERVAL);
        dissection.add(CAPABILITIES);
      }
      case 10, 12 -> dissection.add(REASON);
      case 11 -> authentication(dissection);
      default -> {}
    }
  }

  /** In the order of networks, unlike numbers. */
  private static void currentAp(Dissection dissection) {
    if (dissection.has(6)) {
      long address = ((long) dissection.u16(0) << Integer.SIZE) | dissection.u32(2);
      dissection.value(CURRENT_AP, address, 0, 6);
    }
    dissection.skip(6);
  }

  /** The highest two bits are always set. */
  private static void association(Dissection dissection) {
    if (dissection.has(2)) {
      int value = ((dissection.u8(1) << 8) | dissection.u8(0)) & 0x3FFF;
      dissection.value(ASSOCIATION, value, 0, 2);
    }
    dissection.skip(2);
  }

  private static void authentication(Dissection dissection) {
    boolean isSae = isSae(dissection);
    dissection.add(ALGORITHM);
    int step = (int) dissection.add(AUTHENTICATION_SEQUENCE);
    dissection.add(STATUS);
    if (!isSae) {
      return;
    }
    dissection.value(SAE_MESSAGE, step, -4, 2);
    if (step == 1) {
      commit(dissection);
    } else {
      dissection.add(SAE_SEND_CONFIRM);
      if (dissection.left() > 0) {
        dissection.add(SAE_CONFIRM, Math.min(32, dissection.left()));
      }
    }
  }

  private static void commit(Dissection dissection) {
    int number = (int) dissection.add(SAE_GROUP);
    int bytes = number == 19 ? SAE_GROUP_19_BYTES : number == 20 ? SAE_GROUP_20_BYTES : 0;
    if (bytes > 0 && dissection.has(3 * bytes)) {
      dissection.add(SAE_SCALAR, bytes);
      dissection.add(SAE_ELEMENT, 2 * bytes);
    }
  }
}
