package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Field;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Values of fields as text, as {@code tshark -T fields} prints them. */
public final class FieldText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MMM ppd, yyyy HH:mm:ss.nnnnnnnnn 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** A time of NTP that is 0: RFC 5905, section 6. */
  private static final long YEAR_1900_NS = -2_208_988_800_000_000_000L;

  private static final String NO_TIME = "NULL";
  private static final String NO_BYTES = "<MISSING>";
  private static final int FLOAT_DIGITS = 6;
  private static final int DOUBLE_DIGITS = 15;
  private static final int NS_DIGITS = 9;
  private static final long NS_PER_SECOND = 1_000_000_000L;

  private FieldText() {}

  /** Adds a number. */
  public static void add(TextBuffer out, Field field, long value) {
    switch (field.kind()) {
      case DECIMAL -> out.unsigned(value);
      case SIGNED -> out.decimal(signed(value, field.bits()));
      case HEX -> out.add("0x").hex(value, field.containerBits() / 4);
      case FLAG -> out.add(value == 0 ? '0' : '1');
      case FLOAT -> out.add(floating(value, field.bits()));
      case MAC -> colons(out, value, 6);
      case EUI64 -> colons(out, value, 8);
      case IPV4 -> ipv4(out, (int) value);
      case TIME -> time(out, value);
      case DURATION -> duration(out, value);
      default -> throw new IllegalArgumentException("field is no number: field=" + field.name());
    }
  }

  private static void time(TextBuffer out, long ns) {
    out.add(ns == YEAR_1900_NS ? NO_TIME : TIME.format(Instant.ofEpochSecond(0, ns)));
  }

  private static long signed(long value, int bits) {
    int unused = bits == 0 ? 0 : Long.SIZE - bits;
    return (value << unused) >> unused;
  }

  /** As C prints it with %g and as many digits as the type holds for certain. */
  private static String floating(long value, int bits) {
    boolean isSingle = bits == 32;
    double number = isSingle ? Float.intBitsToFloat((int) value) : Double.longBitsToDouble(value);
    int digits = isSingle ? FLOAT_DIGITS : DOUBLE_DIGITS;
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
    }
    if (number == 0) {
      return 1 / number > 0 ? "0" : "-0";
    }
    BigDecimal rounded = new BigDecimal(number).round(new MathContext(digits)).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < digits) {
      return rounded.toPlainString();
    }
    BigDecimal mantissa = rounded.movePointLeft(exponent).stripTrailingZeros();
    return mantissa.toPlainString() + "e%+03d".formatted(exponent);
  }

  private static void colons(TextBuffer out, long value, int count) {
    for (int i = count - 1; i >= 0; i--) {
      out.hex(value >>> (8 * i), 2);
      if (i > 0) {
        out.add(':');
      }
    }
  }

  private static void ipv4(TextBuffer out, int address) {
    out.decimal(address >>> 24)
        .add('.')
        .decimal((address >>> 16) & 0xFF)
        .add('.')
        .decimal((address >>> 8) & 0xFF)
        .add('.')
        .decimal(address & 0xFF);
  }

  private static void duration(TextBuffer out, long ns) {
    if (ns < 0) {
      out.add('-');
    }
    long size = Math.abs(ns);
    out.decimal(size / NS_PER_SECOND).add('.').decimal(size % NS_PER_SECOND, NS_DIGITS);
  }

  /** Adds bytes. */
  public static void add(TextBuffer out, Field field, ByteView source, int offset, int count) {
    switch (field.kind()) {
      case IPV6 -> ipv6(out, source, offset, count);
      case UUID -> uuid(out, source, offset, count, field.isLittleEndian());
      case TEXT -> text(out, source, offset, count);
      case OID -> oid(out, source, offset, count);
      case NONE -> out.add('1');
      default -> hex(out, source, offset, count);
    }
  }

  private static void hex(TextBuffer out, ByteView source, int offset, int count) {
    if (count == 0) {
      out.add(NO_BYTES);
    }
    for (int i = 0; i < count; i++) {
      out.hex(source.u8(offset + i), 2);
    }
  }

  /**
   * RFC 5952, section 4: the longest run of zeros, of two groups at least, is left out. What has
   * less bytes is the beginning of an address, as prefixes are.
   */
  private static void ipv6(TextBuffer out, ByteView source, int offset, int count) {
    int bestStart = -1;
    int bestGroups = 1;
    int run = 0;
    for (int i = 0; i < 8; i++) {
      run = group(source, offset, count, i) == 0 ? run + 1 : 0;
      if (run > bestGroups) {
        bestGroups = run;
        bestStart = i - run + 1;
      }
    }
    if (count == 16 && hasIpv4(source, offset)) {
      out.add(source.u16(offset + 10) == 0 ? "::" : "::ffff:");
      ipv4(out, source.i32(offset + 12));
      return;
    }
    for (int i = 0; i < 8; i++) {
      if (i == bestStart) {
        out.add("::");
        i += bestGroups - 1;
        continue;
      }
      if (i > 0 && i != bestStart + bestGroups) {
        out.add(':');
      }
      int group = group(source, offset, count, i);
      out.hex(group, group > 0xFFF ? 4 : group > 0xFF ? 3 : group > 0xF ? 2 : 1);
    }
  }

  private static int group(ByteView source, int offset, int count, int index) {
    int at = 2 * index;
    int high = at < count ? source.u8(offset + at) : 0;
    int low = at + 1 < count ? source.u8(offset + at + 1) : 0;
    return (high << 8) | low;
  }

  /** RFC 5952, section 5: such as ::ffff:192.0.2.1 and ::192.0.2.1, but not ::1. */
  private static boolean hasIpv4(ByteView source, int offset) {
    int group = source.u16(offset + 10);
    return source.u64(offset) == 0
        && source.u16(offset + 8) == 0
        && (group == 0xFFFF || (group == 0 && source.u16(offset + 12) != 0));
  }

  /** Those with the last byte first have it so in each of the first three of their five parts. */
  private static void uuid(
      TextBuffer out, ByteView source, int offset, int count, boolean isLittleEndian) {
    for (int i = 0; i < count; i++) {
      if (i == 4 || i == 6 || i == 8 || i == 10) {
        out.add('-');
      }
      int at = !isLittleEndian || i >= 8 ? i : i < 4 ? 3 - i : i ^ 1;
      out.hex(at < count ? source.u8(offset + at) : 0, 2);
    }
  }

  private static void text(TextBuffer out, ByteView source, int offset, int count) {
    for (int i = 0; i < count; i++) {
      int value = source.u8(offset + i);
      if (value == 0) {
        return;
      }
      out.addByte(value);
    }
  }

  /** ITU-T X.690, section 8.19. */
  private static void oid(TextBuffer out, ByteView source, int offset, int count) {
    long arc = 0;
    boolean isFirst = true;
    for (int i = 0; i < count; i++) {
      int value = source.u8(offset + i);
      arc = (arc << 7) | (value & 0x7F);
      if ((value & 0x80) == 0) {
        if (isFirst) {
          long root = Math.min(arc / 40, 2);
          out.decimal(root);
          arc -= 40 * root;
          isFirst = false;
        }
        out.add('.').unsigned(arc);
        arc = 0;
      }
    }
  }
}
