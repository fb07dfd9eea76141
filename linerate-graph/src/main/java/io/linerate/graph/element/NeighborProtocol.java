package io.linerate.graph.element;

import io.linerate.wire.Ipv6Address;
import io.linerate.wire.MacAddress;

/**
 * How neighbors on a link are asked, and how their addresses are written. An IPv4 address is the
 * lower 32 bits of one of IPv6.
 */
interface NeighborProtocol {
  /** For {@link #ask}: whoever has the address. */
  long ANYBODY = -1;

  /**
   * Sends a question for an address.
   *
   * @param mac whom to ask, or {@link #ANYBODY}
   * @return false if no buffer was free
   */
  boolean ask(long high, long low, long mac);

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if it is none
   */
  Ipv6Address parse(String text);

  String format(long high, long low);

  /** Whether a MAC address may be that of one station. */
  static boolean isStation(long mac) {
    return mac > 0 && !MacAddress.isMulticast(mac);
  }

  /**
   * The MAC address of one station.
   *
   * @throws IllegalArgumentException if it is none
   */
  static long parseMac(String text) {
    long mac = MacAddress.parse(text);
    if (!isStation(mac)) {
      throw new IllegalArgumentException(
          "not the MAC address of one station: text="
              + text
              + "; write one such as 02:00:5e:10:00:01");
    }
    return mac;
  }
}
