package io.linerate.systemtest;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the rules file means, worked out another way than the firewall does: addresses as big
 * integers, fields from tshark.
 */
final class RulesOracle {
  /** tshark's fields, in the order that {@link #passes} expects. */
  static final List<String> FIELDS =
      List.of(
          "ip.src",
          "ip.proto",
          "ipv6.src",
          "ipv6.nxt",
          "ipv6.hopopts.nxt",
          "ipv6.dstopts.nxt",
          "ipv6.routing.nxt",
          "ipv6.fraghdr.nxt");

  private static final Map<String, Integer> PROTOCOLS =
      Map.of("icmp", 1, "igmp", 2, "tcp", 6, "udp", 17, "icmpv6", 58, "sctp", 132);

  private record Rule(boolean pass, BigInteger address, int prefix, int bits, int protocol) {
    boolean matches(BigInteger source, int sourceBits, int sourceProtocol) {
      return bits == sourceBits
          && source.shiftRight(bits - prefix).equals(address.shiftRight(bits - prefix))
          && (protocol < 0 || protocol == sourceProtocol);
    }
  }

  private final List<Rule> rules = new ArrayList<>();
  private boolean defaultPasses = true;
  private boolean nonIpPasses;

  static RulesOracle read(Path file) throws IOException {
    RulesOracle oracle = new RulesOracle();
    for (String line : Files.readAllLines(file)) {
      String rule = line.replaceAll("#.*", "").trim();
      if (!rule.isEmpty()) {
        oracle.add(rule.split("\\s+", -1));
      }
    }
    return oracle;
  }

  private void add(String[] words) throws UnknownHostException {
    switch (words[0]) {
      case "default" -> defaultPasses = words[1].equals("pass");
      case "nonip" -> nonIpPasses = words[1].equals("pass");
      case "pass", "drop" ->
          rules.add(rule(words[0].equals("pass"), words[1], words.length > 2 ? words[2] : ""));
      default -> rules.add(rule(false, words[0], ""));
    }
  }

  private static Rule rule(boolean pass, String source, String protocol)
      throws UnknownHostException {
    String[] parts = source.split("/", -1);
    byte[] address = InetAddress.getByName(parts[0]).getAddress();
    int bits = 8 * address.length;
    int prefix = parts.length > 1 ? Integer.parseInt(parts[1]) : bits;
    int number =
        protocol.isEmpty()
            ? -1
            : PROTOCOLS.containsKey(protocol)
                ? PROTOCOLS.get(protocol)
                : Integer.parseInt(protocol);
    return new Rule(pass, new BigInteger(1, address), prefix, bits, number);
  }

  /**
   * Whether a frame passes, of which tshark printed these fields. An address quoted in an ICMP
   * error comes second.
   */
  boolean passes(String fields) {
    String[] f = fields.split("\\|", -1);
    String source = first(f[0]);
    int protocol = source.isEmpty() ? ipv6Protocol(f) : Integer.parseInt(first(f[1]));
    if (source.isEmpty()) {
      source = first(f[2]);
    }
    if (source.isEmpty()) {
      return nonIpPasses;
    }
    byte[] address;
    try {
      address = InetAddress.getByName(source).getAddress();
    } catch (UnknownHostException e) {
      throw new AssertionError(source, e);
    }
    BigInteger number = new BigInteger(1, address);
    for (Rule rule : rules) {
      if (rule.matches(number, 8 * address.length, protocol)) {
        return rule.pass;
      }
    }
    return defaultPasses;
  }

  /** Follows the chain of next headers: each extension header names the one behind it. */
  private static int ipv6Protocol(String[] f) {
    if (first(f[3]).isEmpty()) {
      return -1;
    }
    int next = Integer.parseInt(first(f[3]));
    for (int hops = 0; hops < 8; hops++) {
      String following =
          switch (next) {
            case 0 -> first(f[4]);
            case 60 -> first(f[5]);
            case 43 -> first(f[6]);
            case 44 -> first(f[7]);
            default -> "";
          };
      if (following.isEmpty()) {
        return next;
      }
      next = Integer.parseInt(following);
    }
    return next;
  }

  private static String first(String values) {
    return values.split(",", 2)[0];
  }
}
