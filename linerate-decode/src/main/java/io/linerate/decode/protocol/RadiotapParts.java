package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import org.jspecify.annotations.Nullable;

/** Bits of the words of {@link RadiotapProtocol}, from the highest on. */
final class RadiotapParts {
  /** What begins at a multiple of so many bytes, by the bit that says that it is there. */
  private static final byte[] ALIGNMENTS = {
    8, 1, 1, 2, 2, 1, 1, 2, 2, 2, 1, 1, 1, 1, 2, 2, 1, 1, 4, 1, 4, 2, 8, 2, 2, 2, 1, 2
  };

  /** Null: no name is known. */
  private static final @Nullable String[] PRESENT = {
    "ext",
    "vendor_ns",
    "rtap_ns",
    "tlv",
    "l_sig",
    "0_length.psdu",
    null,
    "he_mu",
    "he",
    "timestamp",
    "vht",
    "ampdu",
    "mcs",
    "xchannel",
    "data_retries",
    null,
    "txflags",
    "rxflags",
    "db_antnoise",
    "db_antsignal",
    "antenna",
    "dbm_tx_power",
    "db_tx_attenuation",
    "tx_attenuation",
    "lock_quality",
    "dbm_antnoise",
    "dbm_antsignal",
    "fhss",
    "channel",
    "rate",
    "flags",
    "tsft"
  };

  private static final String[] FLAGS = {
    "shortgi", "badfcs", "datapad", "fcs", "frag", "wep", "preamble", "cfp"
  };

  private static final @Nullable String[] CHANNEL = {
    "quarter", "half", "sturbo", "gsm", "gfsk", "dynamic", "passive", "5ghz", "2ghz", "ofdm", "cck",
    "turbo", null, "900mhz", "800mhz", "700mhz"
  };

  private RadiotapParts() {}

  /** 0: not known. */
  static int alignment(int bit) {
    return bit < ALIGNMENTS.length ? ALIGNMENTS[bit] : 0;
  }

  static Parts present(Fields owner) {
    return flags(
        owner.parts("radiotap.present.word", 32, HEX, "Present"), "radiotap.present.", PRESENT);
  }

  static Parts flags(Fields owner) {
    return flags(owner.parts("radiotap.flags", 8, HEX, "Flags"), "radiotap.flags.", FLAGS);
  }

  static Parts channel(Fields owner) {
    return flags(
        owner.parts("radiotap.channel.flags", 16, HEX, "Flags of the channel"),
        "radiotap.channel.flags.",
        CHANNEL);
  }

  /** The names of the lower bits are those of {@link #channel}, but for one of tshark's. */
  static Parts extendedChannel(Fields owner) {
    Parts parts =
        owner
            .parts("radiotap.xchannel.flags", 32, HEX, "Flags of the channel")
            .skip(13)
            .flag("radiotap.xchannel.flags.ht40d", "ht40d")
            .flag("radiotap.xchannel.flags.ht40u", "ht40u")
            .flag("radiotap.xchannel.flags.ht20", "ht20");
    for (int i = 0; i < 12; i++) {
      String name = String.valueOf(CHANNEL[i]);
      parts.flag(
          name.equals("passive")
              ? "radiotap.channel.xtype.passive"
              : "radiotap.xchannel.flags." + name,
          name);
    }
    return parts.skip(4);
  }

  static Parts receive(Fields owner) {
    return owner
        .parts("radiotap.rxflags", 16, HEX, "Flags of the receiver")
        .skip(14)
        .flag("radiotap.rxflags.badplcp", "Bad PLCP")
        .skip(1);
  }

  static Parts transmit(Fields owner) {
    return owner
        .parts("radiotap.txflags", 16, HEX, "Flags of the sender")
        .skip(10)
        .flag("radiotap.rxflags.order", "Must not be reordered")
        .flag("radiotap.rxflags.noseqno", "Sequence number is set")
        .flag("radiotap.rxflags.noack", "No acknowledgment expected")
        .flag("radiotap.rxflags.rts", "RTS")
        .flag("radiotap.rxflags.cts", "CTS-to-self")
        .flag("radiotap.rxflags.fail", "Failed");
  }

  static Parts flags(Parts parts, String prefix, @Nullable String[] names) {
    for (String name : names) {
      if (name == null) {
        parts.skip(1);
      } else {
        parts.flag(prefix + name, name);
      }
    }
    return parts;
  }
}
