package io.linerate.wire;

import java.util.HexFormat;

/**
 * The hash by which network cards with receive-side scaling choose a packet's queue, in software:
 * for a program that has to know what a device does, or that spreads packets where no device does.
 *
 * <p>Each bit of the input that is set adds, by exclusive or, the 32 bits of the key that begin at
 * its place (Microsoft, "Verifying the RSS Hash Calculation"). Here the sums of each byte are in a
 * table: 36 look-ups for IPv6 with ports, 12 for IPv4. It allocates nothing and may be shared.
 */
public final class ToeplitzHash {
  /** The key of Microsoft's examples, and the default of many devices. */
  public static final String USUAL_KEY =
      "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa";

  /**
   * A key whose hash is the same for both directions of a flow: Woo and Park, "Scalable TCP Session
   * Monitoring with Symmetric Receive-side Scaling" (2012).
   */
  public static final String SYMMETRIC_KEY = "6d5a".repeat(20);

  /** Two IPv6 addresses and two ports. */
  private static final int MAX_INPUT_BYTES = 36;

  private static final int KEY_BYTES = MAX_INPUT_BYTES + 4;

  private final int[] sums = new int[MAX_INPUT_BYTES * 256];

  /**
   * @param key in hexadecimal digits, at least 40 bytes
   */
  public ToeplitzHash(String key) {
    byte[] bytes = HexFormat.of().parseHex(key);
    if (bytes.length < KEY_BYTES) {
      throw new IllegalArgumentException(
          "key is too short: bytes=" + bytes.length + "; at least " + KEY_BYTES + " are needed");
    }
    for (int at = 0; at < MAX_INPUT_BYTES; at++) {
      for (int value = 0; value < 256; value++) {
        sums[(at << 8) | value] = sum(bytes, at, value);
      }
    }
  }

  private static int sum(byte[] key, int at, int value) {
    long window = 0;
    for (int i = 0; i < 5; i++) {
      window = (window << 8) | (key[at + i < key.length ? at + i : 0] & 0xFF);
    }
    int sum = 0;
    for (int bit = 0; bit < 8; bit++) {
      if ((value & (0x80 >>> bit)) != 0) {
        sum ^= (int) (window >>> (8 - bit));
      }
    }
    return sum;
  }

  /** The hash of a flow: of its addresses, and of its ports if it has any; 0 of what is not IP. */
  public int of(FlowKey flow) {
    int hash;
    int at;
    if (flow.ipVersion() == Ipv4.VERSION) {
      hash = ofIpv4((int) flow.sourceLow(), (int) flow.destinationLow());
      at = 8;
    } else if (flow.ipVersion() == Ipv6.VERSION) {
      hash =
          ofIpv6(
              flow.sourceHigh(), flow.sourceLow(), flow.destinationHigh(), flow.destinationLow());
      at = 32;
    } else {
      return 0;
    }
    // Ports that are 0 add nothing.
    return hash ^ part(at, 4, ((long) flow.sourcePort() << 16) | flow.destinationPort());
  }

  /** The hash of IPv4 addresses without ports. */
  public int ofIpv4(int source, int destination) {
    return part(0, 4, source) ^ part(4, 4, destination);
  }

  /** The hash of IPv4 addresses and ports. */
  public int ofIpv4(int source, int destination, int sourcePort, int destinationPort) {
    return ofIpv4(source, destination) ^ part(8, 4, ((long) sourcePort << 16) | destinationPort);
  }

  /** The hash of IPv6 addresses without ports. */
  public int ofIpv6(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
    return part(0, 8, sourceHigh)
        ^ part(8, 8, sourceLow)
        ^ part(16, 8, destinationHigh)
        ^ part(24, 8, destinationLow);
  }

  /** What the lower {@code count} bytes of a value add when they stand at byte {@code at}. */
  private int part(int at, int count, long value) {
    int hash = 0;
    for (int i = 0; i < count; i++) {
      int octet = (int) (value >>> (8 * (count - 1 - i))) & 0xFF;
      hash ^= sums[((at + i) << 8) | octet];
    }
    return hash;
  }
}
