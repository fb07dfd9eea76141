package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/** How a frame was modulated, since 802.11n; fields that are not known are not told. */
final class RadiotapRates {
  private static final int USERS = 4;
  private static final int HE_WORDS = 6;

  /** Bits per subcarrier and symbol times coding rate, times 12, of the lowest 3 bits of an MCS. */
  private static final int[] TWELFTHS_OF_BITS = {6, 12, 18, 24, 36, 48, 54, 60};

  private static final int SUBCARRIERS_20 = 52;
  private static final int SUBCARRIERS_40 = 108;
  private static final int MAX_INDEX = 31;

  private final Field rate;
  private final Field mcs;
  private final Parts mcsKnown;
  private final Field extensionHigh;
  private final Field width;
  private final Field guard;
  private final Field format;
  private final Field correction;
  private final Field streams;
  private final Field extensionLow;
  private final Field index;
  private final Field ampdu;
  private final Field reference;
  private final Parts ampduFlags;
  private final Field delimiter;
  private final Field vht;
  private final Parts vhtKnown;
  private final Field[] vhtFlags;
  private final Field vhtWidth;
  private final Field user;
  private final Field[] userMcs = new Field[USERS];
  private final Field[] userStreams = new Field[USERS];
  private final Field[] userTimeStreams = new Field[USERS];
  private final Field[] userCoding = new Field[USERS];
  private final Field group;
  private final Field partial;
  private final Field[] heWords = new Field[HE_WORDS];
  private final Field muFlags1;
  private final Field muFlags2;

  RadiotapRates(Fields owner, Field rate) {
    this.rate = rate;
    mcs = owner.floating("radiotap.mcs", 0, NONE, "MCS");
    mcsKnown =
        owner
            .parts("radiotap.mcs.known", 8, HEX, "Known of the MCS")
            .skip(1)
            .flag("radiotap.mcs.have_ness", "Extension streams known")
            .flag("radiotap.mcs.have_stbc", "Space-time coding known")
            .flag("radiotap.mcs.have_fec", "Error correction known")
            .flag("radiotap.mcs.have_format", "Format known")
            .flag("radiotap.mcs.have_gi", "Guard interval known")
            .flag("radiotap.mcs.have_index", "Index known")
            .flag("radiotap.mcs.have_bw", "Bandwidth known");
    extensionHigh = number(owner, "radiotap.mcs.ness_bit1", "Extension streams, high bit");
    width = number(owner, "radiotap.mcs.bw", "Bandwidth");
    guard = number(owner, "radiotap.mcs.gi", "Short guard interval");
    format = number(owner, "radiotap.mcs.format", "Greenfield format");
    correction = number(owner, "radiotap.mcs.fec", "LDPC");
    streams = number(owner, "radiotap.mcs.stbc", "Space-time coding streams");
    extensionLow = number(owner, "radiotap.mcs.ness_bit0", "Extension streams, low bit");
    index = number(owner, "radiotap.mcs.index", "Index of the MCS");
    ampdu = owner.floating("radiotap.ampdu", 0, NONE, "A-MPDU");
    reference = owner.floating("radiotap.ampdu.reference", 32, DECIMAL, "Number of the A-MPDU");
    ampduFlags =
        owner
            .parts("radiotap.ampdu.flags", 16, HEX, "Flags of the A-MPDU")
            .skip(8)
            .flag("radiotap.ampdu.flags.eof_known", "End of frame known")
            .flag("radiotap.ampdu.flags.eof", "End of frame")
            .skip(1)
            .flag("radiotap.ampdu.flags.delim_crc_error", "CRC error of the delimiter")
            .flag("radiotap.ampdu.flags.last", "Last")
            .flag("radiotap.ampdu.flags.lastknown", "Last known")
            .flag("radiotap.ampdu.flags.is_zerolen", "Without data")
            .flag("radiotap.ampdu.flags.report_zerolen", "Those without data are told");
    delimiter = owner.floating("radiotap.ampdu.delim_crc", 8, HEX, "CRC of the delimiter");
    vht = owner.floating("radiotap.vht", 0, NONE, "VHT");
    vhtKnown =
        owner
            .parts("radiotap.vht.known", 16, HEX, "Known of VHT")
            .skip(7)
            .flag("radiotap.mcs.have_paid", "Partial AID known")
            .flag("radiotap.mcs.have_gid", "Group known")
            .flag("radiotap.mcs.have_bw", "Bandwidth known")
            .flag("radiotap.vht.have_beamformed", "Beamforming known")
            .flag("radiotap.vht.ldpc_extra", "Extra LDPC symbol known")
            .flag("radiotap.vht.have_sgi_nsym_da", "Disambiguation known")
            .flag("radiotap.vht.have_gi", "Guard interval known")
            .flag("radiotap.vht.have_txop_ps", "TXOP power save known")
            .flag("radiotap.vht.have_stbc", "Space-time coding known");
    vhtFlags =
        new Field[] {
          owner.floating("radiotap.vht.stbc", 8, FLAG, "Space-time coding"),
          owner.floating("radiotap.vht.txop_ps", 8, FLAG, "TXOP power save is not allowed"),
          owner.floating("radiotap.vht.gi", 8, DECIMAL, "Short guard interval"),
          owner.floating("radiotap.vht.sgi_nsym_da", 8, FLAG, "Disambiguation"),
          owner.floating("radiotap.vht.ldpc_extra", 8, FLAG, "Extra LDPC symbol"),
          owner.floating("radiotap.vht.beamformed", 8, FLAG, "Beamformed"),
        };
    vhtWidth = number(owner, "radiotap.vht.bw", "Bandwidth of VHT");
    user = owner.floating("radiotap.vht.user", 0, NONE, "User");
    for (int i = 0; i < USERS; i++) {
      userMcs[i] = number(owner, "radiotap.vht.mcs." + i, "MCS of user " + i);
      userStreams[i] = number(owner, "radiotap.vht.nss." + i, "Streams of user " + i);
      userTimeStreams[i] =
          number(owner, "radiotap.vht.nsts." + i, "Space-time streams of user " + i);
      userCoding[i] = number(owner, "radiotap.vht.coding." + i, "LDPC of user " + i);
    }
    group = number(owner, "radiotap.vht.gid", "Group");
    partial = owner.floating("radiotap.vht.paid", 16, DECIMAL, "Partial AID");
    for (int i = 0; i < HE_WORDS; i++) {
      heWords[i] = owner.floating("radiotap.he.data_" + (i + 1), 16, HEX, "HE, word " + (i + 1));
    }
    muFlags1 = owner.floating("radiotap.he_mu.flags_1", 16, HEX, "HE for several users, flags 1");
    muFlags2 = owner.floating("radiotap.he_mu.flags_2", 16, HEX, "HE for several users, flags 2");
  }

  private static Field number(Fields owner, String name, String label) {
    return owner.floating(name, 8, DECIMAL, label);
  }

  void highThroughput(Dissection dissection) {
    if (!dissection.has(3)) {
      dissection.skip(3);
      return;
    }
    dissection.open(mcs, 3);
    int known = (int) dissection.add(mcsKnown);
    int flags = dissection.u8(0);
    int mcsIndex = dissection.u8(1);
    known(dissection, extensionHigh, known, 0x40, known >>> 7);
    known(dissection, width, known, 1, flags & 3);
    known(dissection, guard, known, 4, (flags >>> 2) & 1);
    known(dissection, format, known, 8, (flags >>> 3) & 1);
    known(dissection, correction, known, 0x10, (flags >>> 4) & 1);
    known(dissection, streams, known, 0x20, (flags >>> 5) & 3);
    known(dissection, extensionLow, known, 0x40, flags >>> 7);
    dissection.skip(1);
    known(dissection, index, known, 2, mcsIndex);
    dissection.skip(1);
    dissection.close();
    if ((known & 7) == 7 && mcsIndex <= MAX_INDEX) {
      float megabits = megabits(mcsIndex, (flags & 3) == 1, (flags & 4) != 0);
      dissection.value(rate, Float.floatToRawIntBits(megabits), -3, 3);
    }
  }

  private static void known(Dissection dissection, Field field, int known, int mask, int value) {
    if ((known & mask) != 0) {
      dissection.value(field, value, 0, 1);
    }
  }

  /** IEEE 802.11, clause 19.5: a symbol takes 4 us, or 3.6 with a short guard interval. */
  private static float megabits(int mcsIndex, boolean isWide, boolean isShort) {
    int bits = (isWide ? SUBCARRIERS_40 : SUBCARRIERS_20) * TWELFTHS_OF_BITS[mcsIndex & 7];
    int allStreams = bits * ((mcsIndex >>> 3) + 1);
    return allStreams / (12 * (isShort ? 3.6F : 4F));
  }

  void aggregate(Dissection dissection) {
    dissection.open(ampdu, 8);
    dissection.add(reference);
    long flags = dissection.add(ampduFlags);
    if ((flags & 0x20) != 0) {
      dissection.add(delimiter);
      dissection.skip(1);
    } else {
      dissection.skip(2);
    }
    dissection.close();
  }

  void veryHighThroughput(Dissection dissection) {
    if (!dissection.has(12)) {
      dissection.skip(12);
      return;
    }
    dissection.open(vht, 12);
    int known = (int) dissection.add(vhtKnown);
    int flags = dissection.u8(0);
    for (int i = 0; i < vhtFlags.length; i++) {
      known(dissection, vhtFlags[i], known, 1 << i, (flags >>> i) & 1);
    }
    dissection.skip(1);
    known(dissection, vhtWidth, known, 0x40, dissection.u8(0) & 0x1F);
    dissection.skip(1);
    boolean isCoded = (known & 1) != 0 && (flags & 1) != 0;
    for (int i = 0; i < USERS; i++) {
      user(dissection, i, isCoded);
    }
    dissection.skip(USERS + 1);
    known(dissection, group, known, 0x80, dissection.u8(0));
    dissection.skip(1);
    if ((known & 0x100) != 0) {
      dissection.add(partial);
    } else {
      dissection.skip(2);
    }
    dissection.close();
  }

  /** With the cursor at those of the first user. */
  private void user(Dissection dissection, int number, boolean isCoded) {
    int rates = dissection.u8(number);
    int count = rates & 0xF;
    if (count == 0) {
      return;
    }
    dissection.open(user, USERS + 1);
    dissection.value(userMcs[number], rates >>> 4, number, 1);
    dissection.value(userStreams[number], count, number, 1);
    dissection.value(userTimeStreams[number], isCoded ? 2 * count : count, number, 1);
    dissection.value(userCoding[number], (dissection.u8(USERS) >>> number) & 1, USERS, 1);
    dissection.close();
  }

  void highEfficiency(Dissection dissection) {
    for (Field word : heWords) {
      dissection.add(word);
    }
  }

  void multipleUsers(Dissection dissection) {
    dissection.add(muFlags1);
    dissection.add(muFlags2);
    dissection.skip(8);
  }
}
