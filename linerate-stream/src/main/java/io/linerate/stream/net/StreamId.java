package io.linerate.stream.net;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What a stream is known by, however often its session changes: 128 random bits. */
record StreamId(long high, long low) {
  static StreamId random(SecureRandom random) {
    return new StreamId(random.nextLong(), random.nextLong());
  }

  /** The first digits, which tell streams apart for people. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(high).substring(0, 8);
  }
}
