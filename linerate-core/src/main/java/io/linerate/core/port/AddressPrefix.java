package io.linerate.core.port;

import io.linerate.core.config.ConfigException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * IP addresses that begin with the same bits (RFC 4632, section 3.1; RFC 4291, section 2.3). Bits
 * after the prefix are 0.
 *
 * @param version 4 or 6
 * @param high the first 64 bits of an IPv6 address, 0 for IPv4
 * @param low the last 64 bits of an IPv6 address, or the 32 of an IPv4 address
 * @param bits how many bits count, 0 to 32 or 128
 */
public record AddressPrefix(int version, long high, long low, int bits) {
  private static final Pattern TEXT = Pattern.compile("([0-9a-fA-F.:]+)(?:/([0-9]{1,3}))?");
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");
  private static final int IPV4_BITS = 32;
  private static final int IPV6_BITS = 128;

  /**
   * @throws ConfigException if the version is not 4 or 6, or the number of bits not one of it
   */
  public AddressPrefix {
    if ((version != 4 && version != 6)
        || bits < 0
        || bits > (version == 4 ? IPV4_BITS : IPV6_BITS)) {
      throw new ConfigException(
          "not a prefix: version=%d, bits=%d; IPv4 has 0 to 32 bits, IPv6 0 to 128"
              .formatted(version, bits));
    }
    high &= version == 4 ? 0 : ones(Math.min(bits, Long.SIZE));
    low &= version == 4 ? ones(bits) >>> IPV4_BITS : ones(Math.max(bits - Long.SIZE, 0));
  }

  /**
   * Reads {@code ADDRESS[/BITS]}. Bits after the prefix are cleared.
   *
   * @throws ConfigException if it is none
   */
  public static AddressPrefix parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (matcher.matches()) {
      byte[] bytes = bytes(matcher.group(1));
      int most = Byte.SIZE * bytes.length;
      int bits = matcher.group(2) == null ? most : Integer.parseInt(matcher.group(2));
      if (most > 0 && bits <= most) {
        ByteBuffer address = ByteBuffer.wrap(bytes);
        return most == IPV4_BITS
            ? new AddressPrefix(4, 0, Integer.toUnsignedLong(address.getInt()), bits)
            : new AddressPrefix(6, address.getLong(), address.getLong(), bits);
      }
    }
    throw new ConfigException(
        "not an address: address=" + text + "; write ADDRESS or ADDRESS/BITS, such as 10.0.0.0/8");
  }

  /** The bytes of an address; none if it is not one. */
  private static byte[] bytes(String text) {
    try {
      if (text.indexOf(':') < 0) {
        return IPV4.matcher(text).matches()
            ? Inet4Address.ofLiteral(text).getAddress()
            : new byte[0];
      }
      return Inet6Address.ofLiteral(text) instanceof Inet6Address address
          ? address.getAddress()
          : new byte[0]; // It maps IPv4 addresses, which packets do not carry so.
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  /** The first address, 4 or 16 bytes in network order. */
  public byte[] address() {
    return version == 4 ? word(low) : pair(high, low);
  }

  /** As long as an address: the bits that count are 1. */
  public byte[] mask() {
    return version == 4
        ? word(ones(bits) >>> IPV4_BITS)
        : pair(ones(Math.min(bits, Long.SIZE)), ones(Math.max(bits - Long.SIZE, 0)));
  }

  private static byte[] word(long value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt((int) value).array();
  }

  private static byte[] pair(long first, long second) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(first).putLong(second).array();
  }

  /** A word whose first {@code bits} bits are 1: a shift by 64 would shift by none. */
  private static long ones(int bits) {
    return bits == 0 ? 0 : -1L << (Long.SIZE - bits);
  }

  /** Whether an address is among these and among others. */
  boolean overlaps(AddressPrefix other) {
    int common = Math.min(bits, other.bits);
    return version == other.version
        && new AddressPrefix(version, high, low, common)
            .equals(new AddressPrefix(version, other.high, other.low, common));
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    try {
      String text = InetAddress.getByAddress(address()).getHostAddress();
      return bits == Byte.SIZE * address().length ? text : text + "/" + bits;
    } catch (UnknownHostException e) {
      throw new IllegalStateException(Arrays.toString(address()), e); // It has 4 or 16 bytes.
    }
  }
}
