package io.linerate.wire.name;

import io.linerate.core.memory.ByteView;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The first of some bytes. */
final class Cut implements ByteView {
  private final byte[] bytes;
  private final int length;

  Cut(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  @Override
  public int length() {
    return length;
  }

  static Cut of(byte[] bytes) {
    return new Cut(bytes, bytes.length);
  }

  static Cut of(String text) {
    return of(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public int u8(int index) {
    return bytes[Objects.checkIndex(index, length)] & 0xFF;
  }

  /** Reads them byte by byte, as far as the reader needs more; says what it says then. */
  static String step(NameReader reader, byte[] bytes) {
    int progress = 0;
    for (int length = 0; length <= bytes.length; length++) {
      NameSearch search = reader.read(new Cut(bytes, length), progress);
      if (search != NameSearch.NEEDS_MORE) {
        return search == NameSearch.FOUND ? length + " " + reader.name() : length + " " + search;
      }
      progress = reader.progress();
    }
    return "NEEDS_MORE";
  }

  /** As {@link #step}, from the first byte on each time. */
  static String anew(NameReader reader, byte[] bytes) {
    for (int length = 0; length <= bytes.length; length++) {
      NameSearch search = reader.read(new Cut(bytes, length), 0);
      if (search != NameSearch.NEEDS_MORE) {
        return search == NameSearch.FOUND ? length + " " + reader.name() : length + " " + search;
      }
    }
    return "NEEDS_MORE";
  }

  /** What a reader says of all of them. */
  static String whole(NameReader reader, byte[] bytes) {
    NameSearch search = reader.read(of(bytes), 0);
    return search == NameSearch.FOUND ? reader.name().toString() : search.name();
  }
}
