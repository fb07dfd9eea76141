package io.linerate.stream.net;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** 32 bytes: a salt, or a cookie. */
record Bits256(long first, long second, long third, long fourth) {
  static final int BYTES = 4 * Long.BYTES;

  static final Bits256 ZERO = new Bits256(0, 0, 0, 0);

  static Bits256 random(SecureRandom random) {
    return new Bits256(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
  }

  static Bits256 of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Bits256(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  static Bits256 read(Datagram datagram, int at) {
    return of(datagram.get(at, BYTES));
  }

  byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(first)
        .putLong(second)
        .putLong(third)
        .putLong(fourth)
        .array();
  }
}
