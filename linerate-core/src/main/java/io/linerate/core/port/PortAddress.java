package io.linerate.core.port;

import io.linerate.core.config.ConfigException;
import java.util.regex.Pattern;

/**
 * Where a port's packets come from and go to: {@code scheme:rest}, such as {@code
 * pcap:rx=in.pcapng} or {@code dpdk:net_null0,size=64}.
 *
 * @param scheme names the driver: lower case letters, digits and dashes
 * @param rest what the driver understands, mostly read as {@link AddressOptions}
 */
public record PortAddress(String scheme, String rest) {
  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9-]*");

  /**
   * Reads an address.
   *
   * @throws ConfigException if it is not of the form {@code scheme:rest}
   */
  public static PortAddress parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0 || !SCHEME.matcher(text.substring(0, colon)).matches()) {
      throw new ConfigException(
          "not a port address: address="
              + text
              + "; write scheme:rest, such as pcap:rx=FILE or dpdk:net_null0");
    }
    return new PortAddress(text.substring(0, colon), text.substring(colon + 1));
  }

  @Override
  public String toString() {
    return scheme + ":" + rest;
  }
}
