package io.linerate.apps.flows;

import io.linerate.core.config.ConfigException;
import io.linerate.track.flow.IpfixTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where flows are sent.
 *
 * @param host a name or an address; one of IPv6 without brackets
 * @param isTcp by TCP, or else UDP
 */
record CollectorAddress(String host, int port, boolean isTcp) {
  private static final int MAX_PORT = 65_535;
  private static final Pattern TEXT =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[0-9A-Za-z.-]+):([0-9]{1,5})(,tcp|,udp)?");

  /**
   * Reads {@code HOST:PORT}, perhaps with {@code ,tcp} or {@code ,udp} behind it.
   *
   * @throws ConfigException if it is none
   */
  static CollectorAddress parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
    if (port == 0 || port > MAX_PORT) {
      throw new ConfigException(
          "not a collector: --ipfix %s; write HOST:PORT or HOST:PORT,tcp, such as 192.0.2.1:4739"
              .formatted(text));
    }
    return new CollectorAddress(
        matcher.group(1).replaceAll("[\\[\\]]", ""), port, ",tcp".equals(matcher.group(3)));
  }

  /**
   * Opens a way to it.
   *
   * @throws ConfigException if there is no such host
   * @throws IOException it does not answer
   */
  IpfixTransport open() throws IOException {
    InetSocketAddress address = resolve();
    try {
      return isTcp ? IpfixTransport.tcp(address) : IpfixTransport.udp(address);
    } catch (IOException e) {
      throw new IOException(
          "collector does not answer: address=%s, reason=%s; start it, or send by udp"
              .formatted(this, e.getMessage()),
          e);
    }
  }

  private InetSocketAddress resolve() {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new ConfigException("no such host: --ipfix " + this + "; write an address");
    }
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port + (isTcp ? ",tcp" : "");
  }
}
