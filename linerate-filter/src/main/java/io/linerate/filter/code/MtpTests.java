package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.JGT;
import static io.linerate.filter.code.Opcodes.W;

import org.jspecify.annotations.Nullable;

/** Signal units of MTP2, ITU-T Q.703, and fields of MTP3, Q.704. */
final class MtpTests {
  private static final int LENGTH_BITS = 0x3F;

  /** Of annex A: 9 bits. */
  private static final int LONG_LENGTH_BITS = 0xFF80;

  /** Bytes by which fields move with the sequence numbers of annex A. */
  private static final int LONG_HEADER_BYTES = 3;

  private final Emitter emitter;
  private final LinkLayout layout;

  MtpTests(Emitter emitter) {
    this.emitter = emitter;
    layout = emitter.layout;
  }

  /** The test of a keyword, or null if it is another. */
  @Nullable Test word(String word) {
    return switch (word) {
      case "fisu" -> length(word, 0);
      case "lssu" -> longerThan(word, 0).and(longerThan(word, 2).not());
      case "msu" -> longerThan(word, 2);
      case "hfisu" -> longLength(word);
      case "hlssu" -> longLongerThan(word, 0).and(longLongerThan(word, 0x100).not());
      case "hmsu" -> longLongerThan(word, 0x100);
      default -> null;
    };
  }

  private void require(String word) {
    if (!Links.isMtp(layout.link)) {
      throw emitter.unsupported("found=%s; it is for MTP2, MTP2_WITH_PHDR and ERF".formatted(word));
    }
  }

  private Test length(String word, int value) {
    require(word);
    return emitter.equal(Base.PACKET, layout.lengthIndicator, B, value, LENGTH_BITS);
  }

  private Test longerThan(String word, int value) {
    require(word);
    return emitter.compare(Base.PACKET, layout.lengthIndicator, B, LENGTH_BITS, JGT, value);
  }

  private Test longLength(String word) {
    require(word);
    return emitter.equal(Base.PACKET, layout.longLengthIndicator, H, 0, LONG_LENGTH_BITS);
  }

  private Test longLongerThan(String word, int value) {
    require(word);
    return emitter.compare(
        Base.PACKET, layout.longLengthIndicator, H, LONG_LENGTH_BITS, JGT, value);
  }

  /** A value of a field, such as {@code opc}. */
  Test field(String word, int jump, int value) {
    boolean isLong = word.startsWith("h");
    int moved = isLong ? LONG_HEADER_BYTES : 0;
    return switch (isLong ? word.substring(1) : word) {
      case "sio" -> {
        require(word, value, 0xFF);
        yield emitter.compare(
            Base.PACKET, layout.serviceIndicator + moved, B, 0xFFFF_FFFF, jump, value);
      }
      case "opc" -> {
        require(word, value, 0x3FFF);
        int placed = ((value & 0x3C00) >> 10) + ((value & 0x3FC) << 6) + ((value & 0x3) << 22);
        yield emitter.compare(Base.PACKET, layout.pointCode + moved, W, 0x00C0_FF0F, jump, placed);
      }
      case "dpc" -> {
        require(word, value, 0x3FFF);
        int placed = ((value & 0xFF) << 24) + ((value & 0x3F00) << 8);
        yield emitter.compare(Base.PACKET, layout.pointCode + moved, W, 0xFF3F_0000, jump, placed);
      }
      default -> {
        require(word, value, 0xF);
        yield emitter.compare(Base.PACKET, layout.linkSelection + moved, B, 0xF0, jump, value << 4);
      }
    };
  }

  private void require(String word, int value, int max) {
    if (layout.serviceIndicator == Offset.NOT_SET) {
      throw emitter.unsupported("found=%s; it is for MTP2, MTP2_WITH_PHDR and ERF".formatted(word));
    }
    emitter.limited(word, value, max);
  }
}
