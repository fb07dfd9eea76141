package io.linerate.middlebox.nat;

import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Address;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A port of an outside address that always leads to a host inside.
 *
 * @param protocol {@link IpProtocol#TCP} or {@link IpProtocol#UDP}
 * @param outside address
 * @param outsidePort 1 to 65,535
 * @param inside address
 * @param insidePort 1 to 65,535
 */
public record NatForward(int protocol, int outside, int outsidePort, int inside, int insidePort) {
  private static final Pattern TEXT =
      Pattern.compile("(tcp|udp) ([0-9.]+):([0-9]{1,5}) (?:-> ?)?([0-9.]+):([0-9]{1,5})");

  private static final int MAX_PORT = 65_535;

  /**
   * @throws IllegalArgumentException if the protocol has no ports here, or a port is out of range
   */
  public NatForward {
    boolean isKnown = protocol == IpProtocol.TCP || protocol == IpProtocol.UDP;
    if (!isKnown || !isPort(outsidePort) || !isPort(insidePort)) {
      throw new IllegalArgumentException(
          "no such forward: protocol=%s, ports=%d, %d; give tcp or udp, and ports of 1 to 65535"
              .formatted(IpProtocol.name(protocol), outsidePort, insidePort));
    }
  }

  private static boolean isPort(int port) {
    return port >= 1 && port <= MAX_PORT;
  }

  /**
   * Reads {@code tcp OUTSIDE:PORT INSIDE:PORT}, with {@code ->} between them or not.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static NatForward parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().replaceAll("\\s+", " "));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a forward: text="
              + text
              + "; write tcp 192.0.2.1:8080 10.0.0.5:80, or udp likewise");
    }
    return new NatForward(
        matcher.group(1).equals("tcp") ? IpProtocol.TCP : IpProtocol.UDP,
        Ipv4Address.parse(matcher.group(2)),
        Integer.parseInt(matcher.group(3)),
        Ipv4Address.parse(matcher.group(4)),
        Integer.parseInt(matcher.group(5)));
  }

  @Override
  public String toString() {
    return "%s %s:%d %s:%d"
        .formatted(
            IpProtocol.name(protocol),
            Ipv4Address.format(outside),
            outsidePort,
            Ipv4Address.format(inside),
            insidePort);
  }
}
