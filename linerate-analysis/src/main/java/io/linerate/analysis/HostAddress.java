package io.linerate.analysis;

import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;

/**
 * An address of IPv4 or IPv6. Those of IPv4 come first, and all in the order of their numbers.
 *
 * @param ipVersion 4 or 6
 * @param high bytes 0 to 7 of IPv6; 0 of IPv4
 * @param low bytes 8 to 15 of IPv6; of IPv4 the address, in the lower 32 bits
 */
public record HostAddress(int ipVersion, long high, long low) implements Comparable<HostAddress> {
  @Override
  public int compareTo(HostAddress other) {
    if (ipVersion != other.ipVersion) {
      return Integer.compare(ipVersion, other.ipVersion);
    }
    return high == other.high
        ? Long.compareUnsigned(low, other.low)
        : Long.compareUnsigned(high, other.high);
  }

  /** As people write it. */
  @Override
  public String toString() {
    return ipVersion == Ipv4.VERSION
        ? Ipv4Address.format((int) low)
        : Ipv6Address.format(high, low);
  }
}
