package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;

/**
 * What all control protocols of PPP have in common (RFC 1661, section 5): a code, an identifier and
 * a length, and behind them options, each with a type and a length.
 */
final class PppControl {
  static final int HEADER_BYTES = 4;

  private static final ValueNames CODES =
      ValueNames.from0(
          "Vendor specific",
          "Configuration request",
          "Configuration ack",
          "Configuration nak",
          "Configuration reject",
          "Termination request",
          "Termination ack",
          "Code reject",
          "Protocol reject",
          "Echo request",
          "Echo reply",
          "Discard request",
          "Identification",
          "Time remaining",
          "Reset request",
          "Reset ack");

  private final Field length;
  private final Field data;

  /** Declares the common fields; they come first. */
  PppControl(Fields owner) {
    Field code = owner.field("ppp.code", 8, DECIMAL, "Code", CODES);
    Field identifier = owner.field("ppp.identifier", 8, DECIMAL, "Identifier");
    owner.summary(code, identifier);
    length = owner.field("ppp.length", 16, DECIMAL, "Length");
    data = owner.floating("ppp.data", 0, BYTES, "Data");
  }

  void scan(Scan scan) {
    scan(scan, scan.number(length));
  }

  /** Of a packet that says how long it is, header included. */
  static void scan(Scan scan, int count) {
    if (count < HEADER_BYTES || count > scan.claimedLength()) {
      scan.malformed();
    }
    scan.total(Math.max(count, HEADER_BYTES));
  }

  /**
   * All fields of a packet.
   *
   * @param option is told the type of each option, with the cursor at its start and the end at its
   */
  void dissect(Dissection dissection, OptionDissector option) {
    int code = dissection.u8(0);
    dissection.fixed();
    switch (code) {
      case 1, 2, 3, 4 -> options(dissection, option);
      default -> dissection.addLeft(data);
    }
  }

  private static void options(Dissection dissection, OptionDissector option) {
    while (dissection.left() >= 2) {
      int type = dissection.u8(0);
      int count = dissection.u8(1);
      if (count < 2) {
        dissection.malformed();
        return;
      }
      int before = dissection.enter(count);
      option.dissect(dissection, type, count);
      dissection.leave(before);
    }
  }

  /** Says what the fields of an option are. */
  @FunctionalInterface
  interface OptionDissector {
    void dissect(Dissection dissection, int type, int count);
  }
}
