package io.linerate.middlebox.balance;

import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Address;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An address and port that clients use, and the servers that stand for it.
 *
 * @param protocol {@link IpProtocol#TCP} or {@link IpProtocol#UDP}
 * @param address of IPv4
 * @param port 1 to 65,535
 * @param backends one or more, each once
 */
public record BalancedService(int protocol, String address, int port, List<Backend> backends) {
  private static final Pattern TEXT =
      Pattern.compile("(tcp|udp) ([0-9.]+):([0-9]{1,5}) -> ?(.+)", Pattern.CASE_INSENSITIVE);

  /**
   * @throws IllegalArgumentException if something is out of range, missing or there twice
   */
  public BalancedService {
    int _ = Ipv4Address.parse(address);
    backends = List.copyOf(backends);
    Set<String> seen = new HashSet<>();
    for (Backend backend : backends) {
      if (!seen.add(backend.address() + ":" + backend.port())) {
        throw new IllegalArgumentException("backend stands twice: backend=" + backend);
      }
    }
    boolean isKnown = protocol == IpProtocol.TCP || protocol == IpProtocol.UDP;
    if (!isKnown || port < 1 || port > 65_535 || backends.isEmpty()) {
      throw new IllegalArgumentException(
          "no such service: protocol=%s, port=%d, backends=%s; write tcp or udp, a port of 1 to 65535, and a backend or more"
              .formatted(IpProtocol.name(protocol), port, backends));
    }
  }

  /**
   * Reads {@code tcp|udp ADDRESS:PORT -> BACKEND, BACKEND...}, see {@link Backend#parse}.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static BalancedService parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().replaceAll("\\s+", " "));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a service: text="
              + text
              + "; write tcp 192.0.2.80:80 -> 10.0.0.11:8080, 10.0.0.12:8080");
    }
    List<Backend> backends = new ArrayList<>();
    for (String backend : matcher.group(4).split(",", -1)) {
      backends.add(Backend.parse(backend));
    }
    return new BalancedService(
        matcher.group(1).toLowerCase(Locale.ROOT).equals("tcp") ? IpProtocol.TCP : IpProtocol.UDP,
        matcher.group(2),
        Integer.parseInt(matcher.group(3)),
        backends);
  }

  /** Without its backends. */
  public String name() {
    return IpProtocol.name(protocol) + " " + address + ":" + port;
  }

  @Override
  public String toString() {
    return name()
        + " -> "
        + backends.stream().map(Backend::toString).collect(Collectors.joining(", "));
  }
}
