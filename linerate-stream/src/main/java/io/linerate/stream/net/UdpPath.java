package io.linerate.stream.net;

import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;

/**
 * Two ends of UDP, as one of them sees it.
 *
 * @param isIpv6 whether addresses are of IPv6; those of IPv4 are in the lower half of the second
 *     part, and the first one is 0
 */
record UdpPath(
    boolean isIpv6,
    long localHigh,
    long localLow,
    int localPort,
    long remoteHigh,
    long remoteLow,
    int remotePort) {
  static final UdpPath NONE = new UdpPath(false, 0, 0, 0, 0, 0, 0);

  UdpPath withLocalPort(int port) {
    return new UdpPath(isIpv6, localHigh, localLow, port, remoteHigh, remoteLow, remotePort);
  }

  /** Bytes of the headers of IP and UDP. */
  int headerBytes() {
    return isIpv6 ? 48 : 28;
  }

  /** The sum of both addresses, as RFC 1071 has it. */
  long addressSum() {
    return halves(localHigh) + halves(localLow) + halves(remoteHigh) + halves(remoteLow);
  }

  /** The sum of a word, 32 bits at a time: what is folded to 16 is the same. */
  static long halves(long word) {
    return (word >>> 32) + (word & 0xFFFF_FFFFL);
  }

  /** The other end, as text. */
  String remote() {
    return isIpv6
        ? "[" + Ipv6Address.format(remoteHigh, remoteLow) + "]:" + remotePort
        : Ipv4Address.format((int) remoteLow) + ":" + remotePort;
  }
}
