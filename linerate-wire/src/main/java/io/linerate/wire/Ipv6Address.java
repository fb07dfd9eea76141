package io.linerate.wire;

import java.util.regex.Pattern;

/**
 * An IPv6 address: 128 bits in two {@code long}s. Not for the packet path, which passes the two
 * longs. Names are never looked up.
 *
 * @param high bytes 0 to 7
 * @param low bytes 8 to 15
 */
public record Ipv6Address(long high, long low) {
  private static final int GROUPS = 8;
  private static final Pattern GROUP = Pattern.compile("\\p{XDigit}{1,4}");

  /** What the text of an address may be made of, for messages. */
  private static final String FORM = "; write it as RFC 4291 section 2.2 says, such as 2001:db8::1";

  /**
   * Whether it may be the address of a single host: it is neither unspecified, loopback nor
   * multicast (RFC 4291, sections 2.5.2, 2.5.3 and 2.7).
   */
  public static boolean isHost(long high, long low) {
    return !isMulticast(high) && !(high == 0 && low >>> 1 == 0);
  }

  /** Whether it is in ff00::/8: RFC 4291, section 2.7. */
  public static boolean isMulticast(long high) {
    return high >>> 56 == 0xFF;
  }

  /** Whether it is in fe80::/10: RFC 4291, section 2.5.6. */
  public static boolean isLinkLocal(long high) {
    return high >>> 54 == 0xFE80 >>> 6;
  }

  /** The form that RFC 5952 recommends. */
  @Override
  public String toString() {
    return format(high, low);
  }

  /**
   * The form that RFC 5952 recommends: lower case, no leading zeros, the longest run of at least
   * two zero groups (the first of them) shortened, IPv4-mapped addresses with a dotted end.
   */
  public static String format(long high, long low) {
    if (high == 0 && low >>> 32 == 0xFFFF) {
      return "::ffff:" + Ipv4Address.format((int) low);
    }
    int runStart = longestZeroRun(high, low);
    int runEnd = runStart < 0 ? -1 : zeroRunEnd(high, low, runStart);
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < GROUPS; i++) {
      if (i == runStart) {
        text.append("::");
        i = runEnd - 1;
        continue;
      }
      if (i > 0 && i != runEnd) {
        text.append(':');
      }
      text.append(Integer.toHexString(group(high, low, i)));
    }
    return text.toString();
  }

  /**
   * Reads any form of RFC 4291, section 2.2. Zones ({@code %eth0}) and prefixes are refused.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static Ipv6Address parse(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      int[] groups = new int[GROUPS];
      if (read(text, text, groups) != GROUPS) {
        throw malformed(text);
      }
      return of(groups);
    }
    int[] before = new int[GROUPS];
    int[] after = new int[GROUPS];
    String head = text.substring(0, gap);
    String tail = text.substring(gap + 2);
    if (head.indexOf('.') >= 0) {
      throw malformed(text);
    }
    int beforeCount = head.isEmpty() ? 0 : read(text, head, before);
    int afterCount = tail.isEmpty() ? 0 : read(text, tail, after);
    if (beforeCount + afterCount >= GROUPS) {
      throw malformed(text);
    }
    System.arraycopy(after, 0, before, GROUPS - afterCount, afterCount);
    return of(before);
  }

  /** Reads groups separated by single colons and returns how many there were. */
  private static int read(String text, String part, int[] groups) {
    String[] words = part.split(":", -1);
    int count = 0;
    for (int i = 0; i < words.length; i++) {
      boolean dotted = i == words.length - 1 && words[i].indexOf('.') >= 0;
      if (count + (dotted ? 2 : 1) > GROUPS) {
        throw malformed(text);
      }
      if (dotted) {
        int address = dottedEnd(text, words[i]);
        groups[count++] = address >>> 16;
        groups[count++] = address & 0xFFFF;
      } else {
        groups[count++] = hexGroup(text, words[i]);
      }
    }
    return count;
  }

  private static int dottedEnd(String text, String word) {
    try {
      return Ipv4Address.parse(word);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(malformed(text).getMessage(), e);
    }
  }

  private static int hexGroup(String text, String word) {
    if (!GROUP.matcher(word).matches()) {
      throw malformed(text);
    }
    return Integer.parseInt(word, 16);
  }

  private static Ipv6Address of(int[] groups) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < GROUPS / 2; i++) {
      high = high << 16 | groups[i];
      low = low << 16 | groups[i + GROUPS / 2];
    }
    return new Ipv6Address(high, low);
  }

  private static int group(long high, long low, int index) {
    long half = index < GROUPS / 2 ? high : low;
    return (int) (half >>> (48 - 16 * (index % (GROUPS / 2)))) & 0xFFFF;
  }

  private static int longestZeroRun(long high, long low) {
    int best = -1;
    int bestLength = 1;
    for (int start = 0; start < GROUPS; start++) {
      int length = zeroRunEnd(high, low, start) - start;
      if (length > bestLength) {
        best = start;
        bestLength = length;
      }
    }
    return best;
  }

  private static int zeroRunEnd(long high, long low, int start) {
    int end = start;
    while (end < GROUPS && group(high, low, end) == 0) {
      end++;
    }
    return end;
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException("not an IPv6 address: text=" + text + FORM);
  }
}
