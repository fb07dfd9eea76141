package io.linerate.middlebox.rule;

import io.linerate.core.config.NearestWord;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.classify.PortRange;
import java.util.Map;
import java.util.TreeMap;

/** Types of ICMP and ICMPv6 as rules write them. */
final class IcmpTypes {
  private static final Map<String, Integer> IPV4 =
      new TreeMap<>(
          Map.of(
              "echo-reply", Icmp.ECHO_REPLY,
              "unreachable", Icmp.DESTINATION_UNREACHABLE,
              "redirect", Icmp.REDIRECT,
              "echo-request", Icmp.ECHO,
              "time-exceeded", Icmp.TIME_EXCEEDED,
              "parameter-problem", Icmp.PARAMETER_PROBLEM,
              "timestamp-request", Icmp.TIMESTAMP,
              "timestamp-reply", Icmp.TIMESTAMP_REPLY));

  private static final Map<String, Integer> IPV6 =
      new TreeMap<>(
          Map.of(
              "unreachable", Icmpv6.DESTINATION_UNREACHABLE,
              "packet-too-big", Icmpv6.PACKET_TOO_BIG,
              "time-exceeded", Icmpv6.TIME_EXCEEDED,
              "parameter-problem", Icmpv6.PARAMETER_PROBLEM,
              "echo-request", Icmpv6.ECHO_REQUEST,
              "echo-reply", Icmpv6.ECHO_REPLY,
              "router-solicitation", Icmpv6.ROUTER_SOLICITATION,
              "router-advertisement", Icmpv6.ROUTER_ADVERTISEMENT,
              "neighbor-solicitation", Icmpv6.NEIGHBOR_SOLICITATION,
              "neighbor-advertisement", Icmpv6.NEIGHBOR_ADVERTISEMENT));

  private IcmpTypes() {}

  /**
   * A type, or a range of them, with all codes: in the 16 bits where ports have that of the source.
   *
   * @throws IllegalArgumentException if it is none; the message says what there is
   */
  static PortRange parse(String type, boolean isV6) {
    Map<String, Integer> names = isV6 ? IPV6 : IPV4;
    Integer known = names.get(type);
    if (known == null && !type.matches("[0-9]{1,3}(-[0-9]{1,3})?")) {
      throw new IllegalArgumentException(
          "no such type: type=%s; %s"
              .formatted(
                  type,
                  NearestWord.to(type, names.keySet())
                      .map(near -> "did you mean " + near + "?")
                      .orElse("write 0 to 255, or one of " + String.join(" ", names.keySet()))));
    }
    PortRange range = known == null ? RuleSets.range("type", type, 255) : PortRange.of(known);
    return new PortRange(range.first() << 8, (range.last() << 8) | 0xFF);
  }
}
