package io.linerate.testkit.firehose;

import java.util.Locale;

/**
 * One datum of a stream: a line {@code key,value,flag} of a packet.
 *
 * @param key of 64 bits, unsigned
 * @param value 0 or 1; on two levels 16 bits of an inner key, or its truth (0 or 1) times 10, and
 *     its value (0 or 1)
 * @param flag whether the key is biased; on two levels how often the key has been there, from 1 on
 */
public record Datum(long key, int value, int flag) {
  /** As it stands in a packet of the first two generators. */
  String line() {
    return Long.toUnsignedString(key) + "," + value + "," + flag + "\n";
  }

  /** As it stands in a packet of the third: the value has two digits at least. */
  String lineOfTwoLevels() {
    return Long.toUnsignedString(key) + String.format(Locale.ROOT, ",%02d,", value) + flag + "\n";
  }
}
