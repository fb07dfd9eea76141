package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;

/** Frames that ask for an action or report one (IEEE 802.11, clause 9.6). */
final class WlanActions {
  private static final int ACTION = 13;
  private static final int ACTION_WITHOUT_ACK = 14;
  private static final int VENDOR = 127;
  private static final int VENDOR_BYTES = 4;

  private final Field category;
  private final Field code;
  private final Field blockCode;
  private final Field publicCode;
  private final Field htCode;
  private final Field vhtCode;
  private final Field token;
  private final Field status;
  private final Field reason;
  private final Parts blockParameters;
  private final Field timeout;
  private final Parts start;
  private final Parts endParameters;
  private final Field transaction;
  private final Field vendor;
  private final Field body;

  WlanActions(Fields owner) {
    owner.source("IEEE 802.11, clause 9.6");
    category =
        owner.floating(
            "wlan.fixed.category_code",
            8,
            DECIMAL,
            "Category",
            ValueNames.from0(
                "Spectrum management",
                "QoS",
                "DLS",
                "Block ack",
                "Public",
                "Radio measurement",
                "Fast transition",
                "HT",
                "SA query",
                "Protected dual of public",
                "WNM"));
    code = owner.floating("wlan.fixed.action_code", 8, DECIMAL, "Action");
    blockCode =
        owner.floating(
            "wlan.fixed.action_code",
            8,
            HEX,
            "Action",
            ValueNames.from0("ADDBA request", "ADDBA response", "DELBA"));
    publicCode = owner.floating("wlan.fixed.publicact", 8, HEX, "Public action");
    htCode = owner.floating("wlan.fixed.htact", 8, HEX, "HT action");
    vhtCode = owner.floating("wlan.vht.action", 8, DECIMAL, "VHT action");
    token = owner.floating("wlan.fixed.dialog_token", 8, HEX, "Dialog token");
    status = owner.floating("wlan.fixed.status_code", 16, HEX, "Status");
    reason = owner.floating("wlan.fixed.reason_code", 16, HEX, "Reason");
    blockParameters =
        owner
            .parts("wlan.fixed.baparams", 16, HEX, "Parameters of the block acknowledgment")
            .part("wlan.fixed.baparams.buffersize", 10, DECIMAL, "Buffers")
            .part("wlan.fixed.baparams.tid", 4, HEX, "Traffic identifier")
            .flag("wlan.fixed.baparams.policy", "Immediate")
            .flag("wlan.fixed.baparams.amsdu", "A-MSDUs");
    timeout = owner.floating("wlan.fixed.batimeout", 16, HEX, "Timeout");
    start = WlanControl.startingSequence(owner);
    endParameters =
        owner
            .parts("wlan.fixed.delba.param", 16, HEX, "Parameters of the end")
            .part("wlan.fixed.delba.param.tid", 4, HEX, "Traffic identifier")
            .flag("wlan.fixed.delba.param.initiator", "By the initiator")
            .part("wlan.fixed.delba.param.reserved", 11, HEX, "Reserved");
    transaction = owner.floating("wlan.fixed.transaction_id", 16, HEX, "Transaction");
    vendor = owner.floating("wlan.tag.oui", 24, DECIMAL, "Vendor");
    body = owner.floating("wlan.fixed.body", 0, BYTES, "Body of the action");
  }

  static boolean isAction(int subtype) {
    return subtype == ACTION || subtype == ACTION_WITHOUT_ACK;
  }

  /** What a vendor has is data. */
  static void scan(Scan scan) {
    if (scan.u8(0) == VENDOR) {
      scan.header(VENDOR_BYTES);
    }
  }

  /** What is left then are elements. */
  void dissect(Dissection dissection) {
    if (dissection.left() == 0) {
      return;
    }
    switch ((int) dissection.add(category)) {
      case 0 -> {
        dissection.add(code);
        dissection.add(token);
        int next = dissection.left() > 0 ? dissection.u8(0) : 0;
        if (next == 0) {
          dissection.addLeft(body);
        }
      }
      case 3 -> block(dissection, (int) dissection.add(blockCode));
      case 4 -> rest(dissection, publicCode);
      case 7 -> rest(dissection, htCode);
      case 8 -> {
        dissection.add(code);
        dissection.add(transaction);
      }
      case 21 -> rest(dissection, vhtCode);
      case VENDOR -> {
        int number = (dissection.u8(0) << 16) | dissection.u16(1);
        dissection.value(vendor, number, 0, 3);
        dissection.skip(3);
      }
      default -> rest(dissection, code);
    }
  }

  private void rest(Dissection dissection, Field action) {
    dissection.add(action);
    dissection.addLeft(body);
  }

  private void block(Dissection dissection, int action) {
    switch (action) {
      case 0 -> {
        dissection.add(token);
        dissection.add(blockParameters);
        dissection.add(timeout);
        dissection.add(start);
      }
      case 1 -> {
        dissection.add(token);
        dissection.add(status);
        dissection.add(blockParameters);
        dissection.add(timeout);
      }
      case 2 -> {
        dissection.add(endParameters);
        dissection.add(reason);
      }
      default -> dissection.addLeft(body);
    }
  }
}
