package io.linerate.wire;

/**
 * Types of ICMPv6 messages, RFC 4443 and RFC 4861. Their header is that of ICMP: read and write it
 * with {@link Icmp}; the checksum covers a pseudo header as well.
 */
public final class Icmpv6 {
  public static final int DESTINATION_UNREACHABLE = 1;
  public static final int PACKET_TOO_BIG = 2;
  public static final int TIME_EXCEEDED = 3;
  public static final int PARAMETER_PROBLEM = 4;
  public static final int ECHO_REQUEST = 128;
  public static final int ECHO_REPLY = 129;
  public static final int ROUTER_SOLICITATION = 133;
  public static final int ROUTER_ADVERTISEMENT = 134;
  public static final int NEIGHBOR_SOLICITATION = 135;
  public static final int NEIGHBOR_ADVERTISEMENT = 136;
  public static final int REDIRECT = 137;

  private Icmpv6() {}

  /** Whether messages of that type carry the packet that caused them: RFC 4443, section 2.1. */
  public static boolean isError(int type) {
    return type < 128;
  }
}
