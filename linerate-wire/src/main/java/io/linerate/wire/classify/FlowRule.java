package io.linerate.wire.classify;

import io.linerate.wire.IpPrefix;
import java.util.Objects;

/**
 * Packets of some flows, of IPv4 or of IPv6: between some addresses and ports, of one protocol or
 * of any.
 *
 * @param source where they come from
 * @param destination where they go, of the same version
 * @param sourcePorts of the upper layer's header; packets without ports, and all fragments but the
 *     first, have port 0
 * @param destinationPorts likewise
 * @param protocol of the IP header, 0 to 255; {@link SourceRule#ANY_PROTOCOL} for all
 * @param number what {@link FlowClassifier} answers, below 2^31 - 1; the lowest of the rules that
 *     match wins
 */
public record FlowRule(
    IpPrefix source,
    IpPrefix destination,
    PortRange sourcePorts,
    PortRange destinationPorts,
    int protocol,
    int number) {
  /**
   * @throws IllegalArgumentException if the protocol or the number is out of range, or the versions
   *     of IP differ
   * @throws NullPointerException if an address or a range is missing
   */
  public FlowRule {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(sourcePorts, "sourcePorts");
    Objects.requireNonNull(destinationPorts, "destinationPorts");
    if (source.version() != destination.version()) {
      throw new IllegalArgumentException(
          "not a flow: source=%s, destination=%s; give addresses of one version of IP"
              .formatted(source, destination));
    }
    SourceRule.requireProtocol(protocol);
    if (number == Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "not a rule's number: number=%d; give a smaller one".formatted(number));
    }
  }
}
