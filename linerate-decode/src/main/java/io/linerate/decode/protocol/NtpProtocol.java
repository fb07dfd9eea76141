package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.ValueNames;
import java.util.List;

/** The network time protocol: its mode says which of three kinds of message it is. */
public final class NtpProtocol implements Protocol {
  public static final Fields NTP =
      Fields.of("ntp", "Network Time Protocol", "RFC 5905, section 7.3");
  public static final Field FLAGS = NTP.field("ntp.flags", 8, HEX, "Flags");
  public static final Field LEAP = NTP.floating("ntp.flags.li", 2, DECIMAL, "Leap indicator");
  public static final Field VERSION = NTP.part("ntp.flags.vn", 2, 3, 8, DECIMAL, "Version");
  public static final Field MODE =
      NTP.part(
          "ntp.flags.mode",
          5,
          3,
          8,
          DECIMAL,
          "Mode",
          ValueNames.from0(
              "reserved",
              "symmetric active",
              "symmetric passive",
              "client",
              "server",
              "broadcast",
              "control",
              "private"));
  public static final Field STRATUM = NTP.floating("ntp.stratum", 8, DECIMAL, "Stratum");
  public static final Field POLL =
      NTP.floating("ntp.ppoll", 8, DECIMAL, "Poll interval as a power of two in s");
  public static final Field PRECISION =
      NTP.floating("ntp.precision", 8, DECIMAL, "Precision as a power of two in s");
  public static final Field ROOT_DELAY =
      NTP.floating("ntp.rootdelay", 32, DECIMAL, "Root delay in 1/65,536 s");
  public static final Field ROOT_DISPERSION =
      NTP.floating("ntp.rootdispersion", 32, DECIMAL, "Root dispersion in 1/65,536 s");
  public static final Field REFERENCE = NTP.floating("ntp.refid", 32, BYTES, "Reference");
  public static final Field REFERENCE_TIME =
      NTP.floating("ntp.reftime", 64, TIME, "Reference time");
  public static final Field ORIGIN_TIME = NTP.floating("ntp.org", 64, TIME, "Origin time");
  public static final Field RECEIVE_TIME = NTP.floating("ntp.rec", 64, TIME, "Receive time");
  public static final Field TRANSMIT_TIME = NTP.floating("ntp.xmt", 64, TIME, "Transmit time");
  public static final Field EXTENSION =
      NTP.source("RFC 7822, section 3").floating("ntp.ext", 0, NONE, "Extension");
  public static final Field EXTENSION_TYPE = NTP.floating("ntp.ext.type", 16, HEX, "Type");
  public static final Field EXTENSION_LENGTH =
      NTP.floating("ntp.ext.length", 16, DECIMAL, "Length");
  public static final Field EXTENSION_VALUE = NTP.floating("ntp.ext.value", 0, BYTES, "Value");
  public static final Field KEY =
      NTP.source("RFC 5905, section 7.3").floating("ntp.keyid", 32, BYTES, "Key");
  public static final Field DIGEST = NTP.floating("ntp.mac", 0, BYTES, "Message digest");

  private static final int CONTROL = 6;
  private static final int PRIVATE = 7;

  /** A key and a digest of 160 bits: RFC 7822, section 3. */
  private static final int MOST_DIGEST_BYTES = 24;

  private static final int EXTENSION_HEADER_BYTES = 4;
  private static final long NS_PER_SECOND = 1_000_000_000L;

  /** From 1900 to 1970, and from 1970 to the second era in 2036: RFC 5905, section 6. */
  private static final long EPOCH_SECONDS = 2_208_988_800L;

  private static final long SECOND_ERA_SECONDS = 2_085_978_496L;

  static {
    NtpControl.declare();
    NTP.summary(
        "ntp.flags.mode", "version=|ntp.flags.vn", "stratum=|ntp.stratum", "reference=|ntp.refid");
  }

  @Override
  public Fields fields() {
    return NTP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(123));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed(FLAGS);
    if (dissection.offset() == 0) {
      return;
    }
    int flags = (int) dissection.layer().value(FLAGS);
    int mode = flags & 7;
    if (mode == PRIVATE) {
      NtpControl.bits(dissection, flags);
    } else {
      dissection.value(LEAP, flags >>> 6, -1, 1);
    }
    dissection.fixed(VERSION);
    dissection.fixed(MODE);
    switch (mode) {
      case CONTROL -> NtpControl.dissect(dissection);
      case PRIVATE -> NtpControl.dissectPrivate(dissection);
      default -> time(dissection);
    }
  }

  private static void time(Dissection dissection) {
    dissection.add(STRATUM);
    dissection.add(POLL);
    dissection.add(PRECISION);
    dissection.add(ROOT_DELAY);
    dissection.add(ROOT_DISPERSION);
    dissection.add(REFERENCE);
    timestamp(dissection, REFERENCE_TIME);
    timestamp(dissection, ORIGIN_TIME);
    timestamp(dissection, RECEIVE_TIME);
    timestamp(dissection, TRANSMIT_TIME);
    while (dissection.left() > MOST_DIGEST_BYTES) {
      extension(dissection);
    }
    digest(dissection);
  }

  private static void timestamp(Dissection dissection, Field field) {
    if (dissection.has(Long.BYTES)) {
      dissection.value(field, timeNs(dissection.u64(0)), 0, Long.BYTES);
    }
    dissection.skip(Long.BYTES);
  }

  /** Since 1970; 0, which means that it is not known, is taken for 1900. */
  static long timeNs(long timestamp) {
    long seconds = timestamp >>> Integer.SIZE;
    long fractionNs = ((timestamp & 0xFFFF_FFFFL) * NS_PER_SECOND) >>> Integer.SIZE;
    boolean isFirstEra = timestamp <= 0;
    long since = isFirstEra ? seconds - EPOCH_SECONDS : seconds + SECOND_ERA_SECONDS;
    return since * NS_PER_SECOND + fractionNs;
  }

  private static void extension(Dissection dissection) {
    int bytes = dissection.u16(2);
    dissection.open(EXTENSION, bytes);
    dissection.add(EXTENSION_TYPE);
    dissection.add(EXTENSION_LENGTH);
    dissection.add(EXTENSION_VALUE, bytes - EXTENSION_HEADER_BYTES);
    dissection.close();
  }

  static void digest(Dissection dissection) {
    if (dissection.left() > 0) {
      dissection.add(KEY);
    }
    if (dissection.left() > 0) {
      dissection.add(DIGEST, dissection.left());
    }
  }
}
