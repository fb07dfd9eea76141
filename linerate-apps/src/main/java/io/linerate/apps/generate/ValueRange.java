package io.linerate.apps.generate;

import io.linerate.core.config.ConfigException;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values that a field takes: {@code FIRST[-LAST][,step[=N]|,random]} or {@code ADDRESS/PREFIX}
 * likewise.
 *
 * @param high upper half of the first value, for IPv6 addresses
 * @param low the first value
 * @param count number of values, at least 1
 * @param step from one packet's value to the next one's; beyond the last value it starts over
 * @param isRandom whether each packet's value is drawn instead
 */
record ValueRange(long high, long low, long count, long step, boolean isRandom) {
  /** Of a prefix of IPv6, so many bits vary at most. */
  private static final int MAX_HOST_BITS = 62;

  private static final Pattern ORDER = Pattern.compile("(.*),(random|step|step=([0-9]{1,18}))");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  static ValueRange of(long value) {
    return new ValueRange(0, value, 1, 1, false);
  }

  boolean isFixed() {
    return count == 1;
  }

  /** Numbers from {@code min} to {@code max}, such as ports. */
  static ValueRange numbers(String key, String text, int min, int max) {
    String values = withoutOrder(text);
    int dash = values.indexOf('-');
    long first = number(dash < 0 ? values : values.substring(0, dash));
    long last = dash < 0 ? first : number(values.substring(dash + 1));
    if (first < min || last > max || last < first) {
      throw wrong(
          key, text, "write %d to %d, or a range such as %d-%d".formatted(min, max, min, max));
    }
    return ordered(key, text, 0, first, last - first + 1);
  }

  private static long number(String text) {
    return NUMBER.matcher(text).matches() ? Long.parseLong(text) : -1;
  }

  /** Addresses of IPv4. */
  static ValueRange ipv4(String key, String text) {
    return addresses(
        key,
        text,
        32,
        address -> new Ipv6Address(0, Ipv4Address.parse(address) & 0xFFFF_FFFFL),
        "a/24");
  }

  /** Addresses of IPv6. */
  static ValueRange ipv6(String key, String text) {
    return addresses(key, text, 128, Ipv6Address::parse, "a/64");
  }

  private static ValueRange addresses(
      String key, String text, int bits, Function<String, Ipv6Address> parser, String prefix) {
    try {
      String values = withoutOrder(text);
      int slash = values.indexOf('/');
      if (slash >= 0) {
        int hostBits = bits - prefix(key, text, values.substring(slash + 1), bits);
        return prefixed(key, text, parser.apply(values.substring(0, slash)), hostBits);
      }
      int dash = values.indexOf('-');
      Ipv6Address first = parser.apply(dash < 0 ? values : values.substring(0, dash));
      Ipv6Address last = dash < 0 ? first : parser.apply(values.substring(dash + 1));
      long count = last.low() - first.low() + 1;
      if (last.high() != first.high()
          || Long.compareUnsigned(last.low(), first.low()) < 0
          || count <= 0) {
        String both = bits == 32 ? "" : ", and both in one /66";
        throw wrong(key, text, "write the lower address first" + both);
      }
      return ordered(key, text, first.high(), first.low(), count);
    } catch (IllegalArgumentException e) {
      throw wrong(key, text, "write an address, a range a-b or a prefix " + prefix);
    }
  }

  private static ValueRange prefixed(String key, String text, Ipv6Address address, int hostBits) {
    long highMask = hostBits > 64 ? -1L << (hostBits - 64) : -1L;
    long lowMask = hostBits >= 64 ? 0 : -1L << hostBits;
    if (hostBits == 128) {
      highMask = 0;
    }
    long count = 1L << Math.min(hostBits, MAX_HOST_BITS);
    return ordered(key, text, address.high() & highMask, address.low() & lowMask, count);
  }

  private static int prefix(String key, String text, String digits, int max) {
    long bits = number(digits);
    if (bits < 0 || bits > max) {
      throw wrong(key, text, "a prefix has 0 to " + max + " bits");
    }
    return (int) bits;
  }

  private static String withoutOrder(String text) {
    Matcher order = ORDER.matcher(text);
    return order.matches() ? order.group(1) : text;
  }

  private static ValueRange ordered(String key, String text, long high, long low, long count) {
    Matcher order = ORDER.matcher(text);
    if (!order.matches()) {
      return new ValueRange(high, low, count, 1, false);
    }
    boolean isRandom = order.group(2).equals("random");
    long step = order.group(3) == null ? 1 : Long.parseLong(order.group(3));
    if (step == 0) {
      throw wrong(key, text, "a step is at least 1");
    }
    return new ValueRange(high, low, count, step, isRandom);
  }

  static ConfigException wrong(String key, String text, String remedy) {
    return new ConfigException("wrong value: " + key + "=" + text + "; " + remedy);
  }
}
