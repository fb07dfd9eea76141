package io.linerate.analysis;

import io.linerate.wire.name.DomainName;
import java.util.Arrays;

/**
 * A name that was asked for, the key of its number in a window. One that reads packets is the same
 * object for all; what is kept is a copy, as long as the name.
 */
final class NameId implements Comparable<NameId> {
  private static final int PRINTABLE_FROM = 0x21;
  private static final int PRINTABLE_TO = 0x7E;

  /** As packets have it, with a backslash before dots within labels, and before backslashes. */
  private final byte[] bytes;

  private int length;
  private int hash;

  NameId() {
    this(new byte[2 * DomainName.MAX_BYTES]);
  }

  private NameId(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Becomes a name. */
  void set(DomainName name) {
    length = 0;
    for (int i = 0; i < name.length(); i++) {
      int each = name.symbol(i);
      if (each == DomainName.LABEL_DOT || each == '\\') {
        bytes[length++] = '\\';
      }
      bytes[length++] = (byte) each;
    }
    long mixed = 0;
    for (int i = 0; i < length; i += 2 * Long.BYTES) {
      mixed = KeyHash.SECRET.add(mixed, word(i), word(i + Long.BYTES));
    }
    hash = KeyHash.toInt(KeyHash.SECRET.add(mixed, length, 0));
  }

  /** Up to eight bytes. */
  private long word(int from) {
    long word = 0;
    for (int i = from; i < Math.min(length, from + Long.BYTES); i++) {
      word = (word << Byte.SIZE) | (bytes[i] & 0xFF);
    }
    return word;
  }

  /** One that stays as it is. */
  NameId copy() {
    NameId copy = new NameId(Arrays.copyOf(bytes, length));
    copy.length = length;
    copy.hash = hash;
    return copy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NameId name
        && name.hash == hash
        && Arrays.equals(bytes, 0, length, name.bytes, 0, name.length);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** By their bytes. */
  @Override
  public int compareTo(NameId other) {
    return Arrays.compareUnsigned(bytes, 0, length, other.bytes, 0, other.length);
  }

  /** As files of zones have it: RFC 1035, section 5.1. Nothing in it can control a terminal. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      int each = bytes[i] & 0xFF;
      if (each == '"') {
        text.append("\\\"");
      } else if (each >= PRINTABLE_FROM && each <= PRINTABLE_TO) {
        text.append((char) each);
      } else {
        text.append('\\').append((char) ('0' + each / 100));
        text.append((char) ('0' + each / 10 % 10)).append((char) ('0' + each % 10));
      }
    }
    return text.toString();
  }
}
