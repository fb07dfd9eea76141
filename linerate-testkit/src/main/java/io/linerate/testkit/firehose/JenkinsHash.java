package io.linerate.testkit.firehose;

/** Bob Jenkins' hash of 1996 (burtleburtle.net/bob/hash/evahash.html), of 8 bytes. */
final class JenkinsHash {
  private static final int GOLDEN_RATIO = 0x9E37_79B9;

  private JenkinsHash() {}

  /** The hash of a number, which is in memory with its lowest byte first. */
  static int of(long number, int seed) {
    int a = GOLDEN_RATIO + (int) number;
    int b = GOLDEN_RATIO + (int) (number >>> Integer.SIZE);
    int c = seed + Long.BYTES;
    a = (a - b - c) ^ (c >>> 13);
    b = (b - c - a) ^ (a << 8);
    c = (c - a - b) ^ (b >>> 13);
    a = (a - b - c) ^ (c >>> 12);
    b = (b - c - a) ^ (a << 16);
    c = (c - a - b) ^ (b >>> 5);
    a = (a - b - c) ^ (c >>> 3);
    b = (b - c - a) ^ (a << 10);
    return (c - a - b) ^ (b >>> 15);
  }

  /** Whether a key is one of the few whose values are biased: one of 256. */
  static boolean isBiased(long key, int mask) {
    return (of(key, mask) & 0xFF) == 0x11;
  }
}
