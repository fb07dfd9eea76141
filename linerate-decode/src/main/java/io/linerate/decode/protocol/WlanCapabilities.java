package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.Dissection;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import io.linerate.decode.Parts;

/** Elements whose bytes are bits: capabilities of measurement, and extended ones. */
final class WlanCapabilities {
  private static final int MEASUREMENT_BYTES = 5;
  private static final int EXTENDED_BYTES = 8;

  /** Reserved bits, which are no flags of tshark's. */
  private static final long EXTENDED_RESERVED =
      (1L << 1) | (1L << 3) | (1L << 5) | (1L << 35) | (1L << 59);

  private final Parts[] measurement = new Parts[MEASUREMENT_BYTES];
  private final Parts[] extended = new Parts[EXTENDED_BYTES];

  WlanCapabilities(Fields owner) {
    owner.source("IEEE 802.11, clause 9.4.2.44");
    String name = "wlan.rmcap";
    measurement[0] = named(owner, name, 0);
    measurement[1] = named(owner, name, 8);
    measurement[2] =
        owner
            .parts(name, 8, HEX, "Measurement capabilities")
            .part(name + ".b21to23", 3, DECIMAL, "Most measurement time of others")
            .part(name + ".b18to20", 3, DECIMAL, "Most measurement time")
            .flag(name + ".b17", "Bit 17")
            .flag(name + ".b16", "Bit 16");
    measurement[3] = rest(owner, name);
    measurement[4] =
        owner
            .parts(name, 8, HEX, "Measurement capabilities")
            .part(name + ".o5", 4, HEX, "Reserved")
            .flag(name + ".b35", "Bit 35")
            .flag(name + ".b34", "Bit 34")
            .flag(name + ".b33", "Bit 33")
            .flag(name + ".b32", "Bit 32");
    owner.source("IEEE 802.11, clause 9.4.2.26");
    for (int i = 0; i < EXTENDED_BYTES; i++) {
      extended[i] = i == 5 ? granularity(owner) : extended(owner, i);
    }
  }

  private static Parts named(Fields owner, String name, int first) {
    Parts parts = owner.parts(name, 8, HEX, "Measurement capabilities");
    for (int bit = first + 7; bit >= first; bit--) {
      parts.flag(name + ".b" + bit, "Bit " + bit);
    }
    return parts;
  }

  private static Parts rest(Fields owner, String name) {
    Parts parts = owner.parts(name, 8, HEX, "Measurement capabilities");
    for (int bit = 31; bit >= 27; bit--) {
      parts.flag(name + ".b" + bit, "Bit " + bit);
    }
    return parts.part(name + ".b24to26", 3, DECIMAL, "Measurement pilot");
  }

  private static Parts extended(Fields owner, int index) {
    Parts parts = owner.parts("wlan.extcap", 8, HEX, "Extended capabilities");
    for (int bit = 8 * index + 7; bit >= 8 * index; bit--) {
      Kind kind = ((EXTENDED_RESERVED >>> bit) & 1) != 0 ? HEX : bit == 63 ? DECIMAL : FLAG;
      parts.part("wlan.extcap.b" + bit, 1, kind, "Bit " + bit);
    }
    return parts;
  }

  /** Byte 5 has one number. */
  private static Parts granularity(Fields owner) {
    return owner
        .parts("wlan.extcap", 8, HEX, "Extended capabilities")
        .part("wlan.extcap.b47", 1, HEX, "Bit 47")
        .flag("wlan.extcap.b46", "Bit 46")
        .flag("wlan.extcap.b45", "Bit 45")
        .flag("wlan.extcap.b44", "Bit 44")
        .part("wlan.extcap.serv_int_granularity", 3, DECIMAL, "Service interval granularity")
        .flag("wlan.extcap.b40", "Bit 40");
  }

  void measurement(Dissection dissection) {
    all(dissection, measurement);
  }

  void extended(Dissection dissection) {
    all(dissection, extended);
  }

  private static void all(Dissection dissection, Parts[] bytes) {
    for (int i = 0; i < bytes.length && dissection.left() > 0; i++) {
      dissection.add(bytes[i]);
    }
  }
}
