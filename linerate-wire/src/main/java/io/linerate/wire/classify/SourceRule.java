package io.linerate.wire.classify;

import io.linerate.wire.Ipv4Prefix;

/**
 * Packets from some IPv4 addresses, of one protocol or of any.
 *
 * @param source the addresses
 * @param protocol of the IP header, 0 to 255; {@link #ANY_PROTOCOL} for all
 * @param number what {@link SourceClassifier#match} answers; the lowest of the rules that match
 *     wins
 */
public record SourceRule(Ipv4Prefix source, int protocol, int number) {
  public static final int ANY_PROTOCOL = -1;

  private static final int MAX_PROTOCOL = 255;

  /**
   * @throws IllegalArgumentException if the protocol is out of range
   */
  public SourceRule {
    requireProtocol(protocol);
  }

  static void requireProtocol(int protocol) {
    if (protocol < ANY_PROTOCOL || protocol > MAX_PROTOCOL) {
      throw new IllegalArgumentException(
          "not a protocol: protocol=%d; -1 to 255 are allowed".formatted(protocol));
    }
  }
}
