package io.linerate.dashboard.http;

import io.linerate.core.config.ConfigException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server listens.
 *
 * @param host a name or an address; one of IPv6 without brackets
 * @param port 0 to 65535; 0: any free one
 * @param isWish whether any free port will do when this one is taken
 */
public record HttpAddress(String host, int port, boolean isWish) {
  /** Where nobody has said: several programs can have a page each. */
  public static final HttpAddress DEFAULT = new HttpAddress("127.0.0.1", 8080, true);

  private static final int MAX_PORT = 65_535;
  private static final Pattern TEXT =
      Pattern.compile("(?:(\\[[0-9a-fA-F:.]+]|[0-9A-Za-z.-]+)?:)?([0-9]{1,5})");

  /** This port and no other. */
  public HttpAddress(String host, int port) {
    this(host, port, false);
  }

  /** Whether a text has the form of an address, and so is none of a file. */
  public static boolean looksLike(String text) {
    return TEXT.matcher(text).matches();
  }

  /**
   * Reads {@code HOST:PORT}, {@code [IPV6]:PORT}, {@code :PORT} or {@code PORT}.
   *
   * @throws ConfigException if it is none
   */
  public static HttpAddress parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MAX_PORT) {
      throw new ConfigException(
          "not an address to listen on: address=" + text + "; write HOST:PORT, such as " + DEFAULT);
    }
    String host = matcher.group(1);
    int port = Integer.parseInt(matcher.group(2));
    return new HttpAddress(host == null ? DEFAULT.host : host.replaceAll("[\\[\\]]", ""), port);
  }

  /**
   * The address of a socket.
   *
   * @throws ConfigException if there is no such host
   */
  InetSocketAddress resolve() {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new ConfigException(
          "no such host: host=" + host + "; write an address of this machine");
    }
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
