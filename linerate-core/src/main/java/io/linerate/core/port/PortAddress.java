package io.linerate.core.port;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Where a port's packets come from and go to: {@code scheme:rest}, such as {@code
 * pcap:rx=in.pcapng} or {@code dpdk:net_null0,size=64}.
 *
 * @param scheme names the driver: lower case letters, digits and dashes
 * @param rest what the driver understands
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

  /**
   * The rest as {@code key=value} pairs separated by commas. A part without {@code =} has the value
   * "". A backslash takes the next character as it is, for names that contain a comma.
   *
   * @param allowed keys that the driver knows
   * @throws ConfigException if a key is unknown or stands twice
   */
  public Map<String, String> options(List<String> allowed) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String part : split(rest)) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? part : part.substring(0, equals);
      if (!allowed.contains(key)) {
        throw new ConfigException(
            "unknown key in a port address: key=%s, address=%s; %s: has %s"
                .formatted(key, this, scheme, String.join(", ", allowed)));
      }
      if (options.put(key, equals < 0 ? "" : part.substring(equals + 1)) != null) {
        throw new ConfigException(
            "key stands twice in a port address: key=" + key + ", address=" + this);
      }
    }
    return options;
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        part.append(text.charAt(++i));
      } else if (c == ',') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    if (!part.isEmpty() || !parts.isEmpty()) {
      parts.add(part.toString());
    }
    return parts;
  }

  @Override
  public String toString() {
    return scheme + ":" + rest;
  }
}
