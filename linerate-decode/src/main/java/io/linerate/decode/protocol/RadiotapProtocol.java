package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLOAT;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.SIGNED;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a wireless card knows of a frame. Words of 32 bits say which fields follow, in the order of
 * their bits; each begins at a multiple of its own size, counted from the start of the header.
 */
public final class RadiotapProtocol implements Protocol {
  public static final Fields RADIOTAP =
      Fields.of("radiotap", "IEEE 802.11 Radiotap Capture header", "radiotap.org").littleEndian();
  public static final Field VERSION = RADIOTAP.field("radiotap.version", 8, DECIMAL, "Version");
  public static final Field PADDING = RADIOTAP.field("radiotap.pad", 8, DECIMAL, "Padding");
  public static final Field LENGTH = RADIOTAP.field("radiotap.length", 16, DECIMAL, "Length");
  public static final Field PRESENT =
      RADIOTAP.floating("radiotap.present", 0, NONE, "Which fields there are");
  private static final Parts PRESENT_WORD = RadiotapParts.present(RADIOTAP);
  public static final Field TIME =
      RADIOTAP
          .source("radiotap.org/fields")
          .floating("radiotap.mactime", 64, DECIMAL, "Time in us");
  private static final Parts FLAGS = RadiotapParts.flags(RADIOTAP);
  public static final Field RATE =
      RADIOTAP.floating("radiotap.datarate", 32, FLOAT, "Data rate in Mbit/s");
  public static final Field FREQUENCY =
      RADIOTAP.floating("radiotap.channel.freq", 16, DECIMAL, "Frequency of the channel in MHz");
  private static final Parts CHANNEL_FLAGS = RadiotapParts.channel(RADIOTAP);
  public static final Field HOP_SET =
      RADIOTAP.floating("radiotap.fhss.hopset", 8, DECIMAL, "Hop set");
  public static final Field HOP_PATTERN =
      RADIOTAP.floating("radiotap.fhss.pattern", 8, DECIMAL, "Hop pattern");
  public static final Field SIGNAL_DBM =
      RADIOTAP.floating("radiotap.dbm_antsignal", 8, SIGNED, "Signal in dBm");
  public static final Field NOISE_DBM =
      RADIOTAP.floating("radiotap.dbm_antnoise", 8, SIGNED, "Noise in dBm");
  public static final Field QUALITY =
      RADIOTAP.floating("radiotap.quality", 16, DECIMAL, "Quality of the lock");
  public static final Field ATTENUATION =
      RADIOTAP.floating("radiotap.txattenuation", 16, DECIMAL, "Attenuation");
  public static final Field ATTENUATION_DB =
      RADIOTAP.floating("radiotap.db_txattenuation", 16, DECIMAL, "Attenuation in dB");
  public static final Field POWER_DBM =
      RADIOTAP.floating("radiotap.txpower", 8, SIGNED, "Transmit power in dBm");
  public static final Field ANTENNA = RADIOTAP.floating("radiotap.antenna", 8, DECIMAL, "Antenna");
  public static final Field SIGNAL_DB =
      RADIOTAP.floating("radiotap.db_antsignal", 8, DECIMAL, "Signal in dB");
  public static final Field NOISE_DB =
      RADIOTAP.floating("radiotap.db_antnoise", 8, DECIMAL, "Noise in dB");
  private static final Parts RECEIVE_FLAGS = RadiotapParts.receive(RADIOTAP);
  private static final Parts TRANSMIT_FLAGS = RadiotapParts.transmit(RADIOTAP);
  public static final Field UNKNOWN =
      RADIOTAP.floating("radiotap.tlv.unknown_data", 0, BYTES, "Unknown");
  public static final Field RETRIES =
      RADIOTAP.floating("radiotap.data_retries", 8, DECIMAL, "Retries");
  private static final Parts EXTENDED_FLAGS = RadiotapParts.extendedChannel(RADIOTAP);
  public static final Field EXTENDED_FREQUENCY =
      RADIOTAP.floating("radiotap.xchannel.freq", 16, DECIMAL, "Frequency of the channel in MHz");
  public static final Field CHANNEL =
      RADIOTAP.floating("radiotap.xchannel.channel", 8, DECIMAL, "Channel");
  private static final RadiotapRates RATES = new RadiotapRates(RADIOTAP, RATE);
  public static final Field TIMESTAMP =
      RADIOTAP.floating("radiotap.timestamp", 0, NONE, "Timestamp");
  public static final Field TIMESTAMP_VALUE =
      RADIOTAP.floating("radiotap.timestamp.ts", 64, DECIMAL, "Time");
  public static final Field ACCURACY =
      RADIOTAP.floating("radiotap.timestamp.accuracy", 16, DECIMAL, "Accuracy");
  private static final Parts TIMESTAMP_UNIT =
      RADIOTAP
          .parts(8)
          .part("radiotap.timestamp.samplingpos", 4, DECIMAL, "Where it was taken")
          .part("radiotap.timestamp.unit", 4, DECIMAL, "Unit");
  private static final Parts TIMESTAMP_FLAGS =
      RADIOTAP
          .parts(8)
          .skip(6)
          .flag("radiotap.timestamp.flags.accuracy", "Accuracy known")
          .flag("radiotap.timestamp.flags.32bit", "Of 32 bits");
  public static final Field MISSING_TYPE =
      RADIOTAP.floating("radiotap.0_len_psdu.type", 8, HEX, "Frame without data");
  private static final Parts SIGNAL_1 =
      RADIOTAP
          .parts("radiotap.l_sig.data1", 16, HEX, "L-SIG, known")
          .part("radiotap.l_sig.reserved", 14, HEX, "Reserved")
          .flag("radiotap.l_sig.length_known", "Length known")
          .flag("radiotap.l_sig.rate_known", "Rate known");
  private static final Parts SIGNAL_2 =
      RADIOTAP
          .parts("radiotap.l_sig.data2", 16, HEX, "L-SIG")
          .part("radiotap.l_sig.length", 12, DECIMAL, "Length of L-SIG")
          .part("radiotap.l_sig.rate", 4, DECIMAL, "Rate of L-SIG");
  public static final Field VENDOR =
      RADIOTAP.floating("radiotap.vendor_oui", 24, DECIMAL, "Vendor");
  public static final Field VENDOR_SPACE =
      RADIOTAP.floating("radiotap.vendor_subns", 8, DECIMAL, "Namespace of the vendor");
  public static final Field VENDOR_LENGTH =
      RADIOTAP.floating("radiotap.vendor_data_len", 16, DECIMAL, "Length of the vendor's data");
  public static final Field VENDOR_DATA =
      RADIOTAP.floating("radiotap.vendor_data", 0, NONE, "Data of the vendor");

  /** In {@link #flags}: the frame check sequence is at the end. */
  static final int FLAG_FCS = 0x10;

  /** In {@link #flags}: the header of 802.11 is padded to a multiple of four bytes. */
  static final int FLAG_PADDED = 0x20;

  private static final int HEADER_BYTES = 8;
  private static final int WORD_BYTES = 4;
  private static final int MAX_WORDS = 32;
  private static final int HAS_MORE = 0x8000_0000;
  private static final int VENDOR_BIT = 30;
  private static final int SPACE_BIT = 29;

  static {
    RADIOTAP.summary(RATE, FREQUENCY, SIGNAL_DBM);
  }

  @Override
  public Fields fields() {
    return RADIOTAP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.LINK_TYPE.key(LinkType.IEEE802_11_RADIOTAP.number()));
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    int _ = scan.i32(WORD_BYTES);
    if (length < HEADER_BYTES) {
      scan.malformed();
    }
    scan.header(Math.max(length, HEADER_BYTES));
    scan.next(DispatchTable.LINK_TYPE, LinkType.IEEE802_11.number());
  }

  /** The flags that the header in front of a frame has; 0 if there is none, or it has none. */
  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  static int flags(@Nullable Layer layer) {
    if (layer == null || layer.protocol().fields() != RADIOTAP) {
      return 0;
    }
    ByteView bytes = layer.bytes();
    int start = layer.offset();
    int end = layer.payloadOffset();
    int at = start + WORD_BYTES;
    int first = Integer.reverseBytes(bytes.i32(at));
    int word = first;
    at += WORD_BYTES;
    while ((word & HAS_MORE) != 0 && end - at >= WORD_BYTES) {
      word = Integer.reverseBytes(bytes.i32(at));
      at += WORD_BYTES;
    }
    if ((first & 1) != 0) {
      at = start + (((at - start) + 7) & ~7) + 8;
    }
    return (first & 2) != 0 && at < end ? bytes.u8(at) : 0;
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    int words = words(dissection);
    if (words == 0) {
      return;
    }
    dissection.open(PRESENT, WORD_BYTES * words);
    for (int i = 0; i < words; i++) {
      dissection.add(PRESENT_WORD);
    }
    dissection.close();
    boolean isVendors = false;
    for (int i = 0; i < words; i++) {
      int word = word(dissection, i);
      if (!isVendors) {
        fields(dissection, word);
      }
      isVendors = ((word >>> VENDOR_BIT) & 1) != 0;
      if (isVendors) {
        vendor(dissection);
      }
    }
  }

  private static int words(Dissection dissection) {
    int words = 0;
    while (words < MAX_WORDS && dissection.has(WORD_BYTES * (words + 1))) {
      words++;
      if (dissection.u8(WORD_BYTES * words - 1) >>> 7 == 0) {
        return words;
      }
    }
    return words;
  }

  private static int word(Dissection dissection, int index) {
    Layer layer = dissection.layer();
    return Integer.reverseBytes(
        layer.bytes().i32(layer.offset() + WORD_BYTES + WORD_BYTES * index));
  }

  private static void fields(Dissection dissection, int word) {
    for (int bit = 0; bit < SPACE_BIT; bit++) {
      if (((word >>> bit) & 1) != 0) {
        int alignment = RadiotapParts.alignment(bit);
        if (alignment == 0) {
          dissection.addLeft(UNKNOWN);
          return;
        }
        dissection.skip(-dissection.offset() & (alignment - 1));
        field(dissection, bit);
      }
    }
  }

  private static void vendor(Dissection dissection) {
    dissection.skip(dissection.offset() & 1);
    dissection.add(VENDOR, 3);
    dissection.add(VENDOR_SPACE);
    int length = (int) dissection.add(VENDOR_LENGTH);
    if (length > 0) {
      dissection.add(VENDOR_DATA, length);
    }
  }

  private static void field(Dissection dissection, int bit) {
    switch (bit) {
      case 0 -> dissection.add(TIME);
      case 1 -> dissection.add(FLAGS);
      case 2 -> rate(dissection);
      case 3 -> {
        dissection.add(FREQUENCY);
        dissection.add(CHANNEL_FLAGS);
      }
      case 4 -> {
        dissection.add(HOP_SET);
        dissection.add(HOP_PATTERN);
      }
      case 5 -> dissection.add(SIGNAL_DBM);
      case 6 -> dissection.add(NOISE_DBM);
      case 7 -> dissection.add(QUALITY);
      case 8 -> dissection.add(ATTENUATION);
      case 9 -> dissection.add(ATTENUATION_DB);
      case 10 -> dissection.add(POWER_DBM);
      case 11 -> dissection.add(ANTENNA);
      case 12 -> dissection.add(SIGNAL_DB);
      case 13 -> dissection.add(NOISE_DB);
      case 14 -> dissection.add(RECEIVE_FLAGS);
      case 15 -> dissection.add(TRANSMIT_FLAGS);
      case 16 -> dissection.add(UNKNOWN, 1);
      case 17 -> dissection.add(RETRIES);
      default -> newerField(dissection, bit);
    }
  }

  private static void newerField(Dissection dissection, int bit) {
    switch (bit) {
      case 18 -> {
        dissection.add(EXTENDED_FLAGS);
        dissection.add(EXTENDED_FREQUENCY);
        dissection.add(CHANNEL);
        dissection.skip(1);
      }
      case 19 -> RATES.highThroughput(dissection);
      case 20 -> RATES.aggregate(dissection);
      case 21 -> RATES.veryHighThroughput(dissection);
      case 22 -> timestamp(dissection);
      case 23 -> RATES.highEfficiency(dissection);
      case 24 -> RATES.multipleUsers(dissection);
      case 25 -> dissection.skip(6);
      case 26 -> dissection.add(MISSING_TYPE);
      case 27 -> {
        dissection.add(SIGNAL_1);
        dissection.add(SIGNAL_2);
      }
      default -> dissection.addLeft(UNKNOWN);
    }
  }

  /** In units of 500 kbit/s. */
  private static void rate(Dissection dissection) {
    if (dissection.has(1)) {
      dissection.value(RATE, Float.floatToRawIntBits(dissection.u8(0) / 2F), 0, 1);
    }
    dissection.skip(1);
  }

  private static void timestamp(Dissection dissection) {
    dissection.open(TIMESTAMP, 12);
    dissection.add(TIMESTAMP_VALUE);
    dissection.add(ACCURACY);
    dissection.add(TIMESTAMP_UNIT);
    dissection.add(TIMESTAMP_FLAGS);
    dissection.close();
  }
}
