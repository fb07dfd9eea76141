package io.linerate.fabric.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;

/** Names of peers as messages have them: {@code struct sockaddr} of IPv4 or IPv6 (ip(7)). */
public final class PeerName {
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int IPV4_BYTES = 16; // struct sockaddr_in
  private static final int IPV6_BYTES = 28; // struct sockaddr_in6

  private PeerName() {}

  /** {@code HOST:PORT}, or the bytes where it is nothing of the kind. */
  public static String of(byte[] name) {
    int family = name.length > 1 ? (name[0] & 0xFF) | ((name[1] & 0xFF) << 8) : 0;
    try {
      if (family == AF_INET && name.length >= 8) {
        return host(name, 4, 4) + ":" + port(name);
      }
      if (family == AF_INET6 && name.length >= 24) {
        return "[" + host(name, 8, 16) + "]:" + port(name);
      }
    } catch (UnknownHostException e) {
      throw new AssertionError(e); // Of a length that is none.
    }
    return HexFormat.of().formatHex(name);
  }

  /** Bytes of an address of its family, 0 where it is of none that is known. */
  public static int bytes(byte[] name) {
    int family = name.length > 1 ? (name[0] & 0xFF) | ((name[1] & 0xFF) << 8) : 0;
    return family == AF_INET ? IPV4_BYTES : family == AF_INET6 ? IPV6_BYTES : 0;
  }

  /** Whether addresses of a family have so many bytes. */
  public static boolean isLengthOfAFamily(int bytes) {
    return bytes == IPV4_BYTES || bytes == IPV6_BYTES;
  }

  private static String host(byte[] name, int from, int bytes) throws UnknownHostException {
    return InetAddress.getByAddress(Arrays.copyOfRange(name, from, from + bytes)).getHostAddress();
  }

  private static int port(byte[] name) {
    return ((name[2] & 0xFF) << 8) | (name[3] & 0xFF);
  }
}
