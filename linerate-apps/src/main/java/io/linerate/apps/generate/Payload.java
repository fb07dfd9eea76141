package io.linerate.apps.generate;

import java.util.Random;

/** What fills the payload of frames. */
final class Payload {
  static final Payload RANDOM = new Payload(new byte[0]);
  static final Payload ZERO = new Payload(new byte[1]);

  private final byte[] pattern;

  /**
   * @param pattern repeated as often as needed; empty: random bytes
   */
  Payload(byte[] pattern) {
    this.pattern = pattern.clone();
  }

  void fill(byte[] target, long seed) {
    if (pattern.length == 0) {
      new Random(seed).nextBytes(target);
      return;
    }
    for (int i = 0; i < target.length; i++) {
      target[i] = pattern[i % pattern.length];
    }
  }
}
