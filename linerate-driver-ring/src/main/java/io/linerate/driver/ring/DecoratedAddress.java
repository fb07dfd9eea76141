package io.linerate.driver.ring;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortAddress;
import java.util.List;

/**
 * The address of a port that stands before another: {@code scheme:key=value,...,port=ADDRESS}. What
 * follows {@code port=} is the inner address as it stands, commas and all.
 */
record DecoratedAddress(Options options, PortAddress inner) {
  private static final String PORT = "port=";

  /**
   * @param keys that may stand before {@code port=}
   */
  static DecoratedAddress parse(PortAddress address, List<String> keys) {
    String rest = address.rest();
    int port = startOfPort(rest);
    if (port < 0) {
      throw new ConfigException(
          "no port behind the decoration: address=%s; write %s:%sport=ADDRESS, with port= at the end"
              .formatted(address, address.scheme(), keys.isEmpty() ? "" : "[KEY=VALUE,...]"));
    }
    Options options = Options.of(address, rest.substring(0, Math.max(0, port - 1)), keys);
    return new DecoratedAddress(options, PortAddress.parse(rest.substring(port + PORT.length())));
  }

  private static int startOfPort(String rest) {
    if (rest.startsWith(PORT)) {
      return 0;
    }
    int comma = rest.indexOf("," + PORT);
    while (comma > 0 && rest.charAt(comma - 1) == '\\') {
      comma = rest.indexOf("," + PORT, comma + 1);
    }
    return comma < 0 ? -1 : comma + 1;
  }
}
