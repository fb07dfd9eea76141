package io.linerate.wire.classify;

import java.util.Objects;

/**
 * Packets of some IPv4 flows: between some addresses and ports, of one protocol or of any.
 *
 * @param source where they come from
 * @param destination where they go
 * @param sourcePorts of the upper layer's header; packets without ports, and all fragments but the
 *     first, have port 0
 * @param destinationPorts likewise
 * @param protocol of the IP header, 0 to 255; {@link SourceRule#ANY_PROTOCOL} for all
 * @param number what {@link FlowClassifier} answers, below 2^31 - 1; the lowest of the rules that
 *     match wins
 */
public record FlowRule(
    Ipv4Prefix source,
    Ipv4Prefix destination,
    PortRange sourcePorts,
    PortRange destinationPorts,
    int protocol,
    int number) {
  /**
   * @throws IllegalArgumentException if the protocol or the number is out of range
   * @throws NullPointerException if an address or a range is missing
   */
  public FlowRule {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(sourcePorts, "sourcePorts");
    Objects.requireNonNull(destinationPorts, "destinationPorts");
    SourceRule.requireProtocol(protocol);
    if (number == Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "not a rule's number: number=%d; give a smaller one".formatted(number));
    }
  }
}
