package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * What tells a packet's flow from others: the addresses, the upper layer's protocol, and the ports
 * of TCP, UDP, UDP-Lite, DCCP and SCTP. It allocates nothing: make one and use it for every packet.
 *
 * <p>All fragments of a datagram have the key without ports, since only the first one has them: so
 * they stay together.
 *
 * <p>An attacker who knows the hash can choose flows that collide. A seed that nobody can guess
 * makes that hard, no more: the hash is fast, not cryptographic.
 */
public final class FlowKey {
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final long seed;

  private int ipVersion;
  private int protocol;
  private int sourcePort;
  private int destinationPort;
  private long sourceHigh;
  private long sourceLow;
  private long destinationHigh;
  private long destinationLow;

  /** A key whose hashes are the same in every run. */
  public FlowKey() {
    this(0);
  }

  /**
   * @param seed changes every hash
   */
  public FlowKey(long seed) {
    this.seed = seed;
  }

  /**
   * Reads the key of a packet that was just scanned.
   *
   * @return false when it is not IP, or its upper layer unknown: then the key is that of nothing
   */
  public boolean read(Packet packet, HeaderScanner scanner) {
    protocol = scanner.ipProtocol();
    ipVersion = protocol < 0 ? 0 : scanner.ipVersion();
    sourcePort = 0;
    destinationPort = 0;
    if (ipVersion == 0) {
      forget();
      return false;
    }
    readAddresses(packet, scanner.l3Offset());
    if (hasPorts(protocol) && !scanner.isFragment() && scanner.l4Bytes() >= 4) {
      int ports = packet.i32(scanner.l4Offset());
      sourcePort = ports >>> 16;
      destinationPort = ports & 0xFFFF;
    }
    return true;
  }

  private void readAddresses(Packet packet, int l3) {
    if (ipVersion == Ipv4.VERSION) {
      sourceHigh = 0;
      sourceLow = packet.u32(l3 + Ipv4.SOURCE);
      destinationHigh = 0;
      destinationLow = packet.u32(l3 + Ipv4.DESTINATION);
    } else {
      sourceHigh = packet.u64(l3 + Ipv6.SOURCE);
      sourceLow = packet.u64(l3 + Ipv6.SOURCE + 8);
      destinationHigh = packet.u64(l3 + Ipv6.DESTINATION);
      destinationLow = packet.u64(l3 + Ipv6.DESTINATION + 8);
    }
  }

  /**
   * As {@link #read}, and queries of ICMP and ICMPv6 have the type of the request and the
   * identifier as ports: a request its identifier as source port, its reply as destination port, so
   * that one is the other direction of the other.
   */
  public boolean readConnection(Packet packet, HeaderScanner scanner) {
    if (!read(packet, scanner)) {
      return false;
    }
    if (scanner.l4Fits() && !scanner.isFragment()) {
      readQuery(packet, scanner.l4Offset());
    }
    return true;
  }

  /** The key of the packet that an error of ICMP quotes, as {@link #readConnection}. */
  public void readQuoted(Packet packet, QuotedPacket quoted) {
    protocol = quoted.ipProtocol();
    ipVersion = quoted.ipVersion();
    readAddresses(packet, quoted.l3Offset());
    int ports = hasPorts(protocol) ? packet.i32(quoted.l4Offset()) : 0;
    sourcePort = ports >>> 16;
    destinationPort = ports & 0xFFFF;
    readQuery(packet, quoted.l4Offset());
  }

  private void readQuery(Packet packet, int l4) {
    if (protocol != IpProtocol.ICMP && protocol != IpProtocol.ICMPV6) {
      return;
    }
    int type = packet.u8(l4);
    int request = Icmp.requestOf(protocol, type);
    if (request >= 0) {
      int identifier = packet.u16(l4 + Icmp.IDENTIFIER);
      sourcePort = type == request ? identifier : request;
      destinationPort = type == request ? request : identifier;
    }
  }

  /** Makes this the key of all packets of the protocol between the two addresses. */
  public void forgetPorts() {
    sourcePort = 0;
    destinationPort = 0;
  }

  /** Becomes the same key as another. */
  public void copyOf(FlowKey other) {
    ipVersion = other.ipVersion;
    protocol = other.protocol;
    source(other.sourceHigh, other.sourceLow, other.sourcePort);
    destination(other.destinationHigh, other.destinationLow, other.destinationPort);
  }

  /** Makes this the key of the other direction. */
  public void reverseOf(FlowKey other) {
    ipVersion = other.ipVersion;
    protocol = other.protocol;
    int port = other.sourcePort;
    long high = other.sourceHigh;
    long low = other.sourceLow;
    source(other.destinationHigh, other.destinationLow, other.destinationPort);
    destination(high, low, port);
  }

  /**
   * Gives it another protocol.
   *
   * @param newIpVersion 4 or 6
   * @param newProtocol see {@link IpProtocol}
   */
  public void protocol(int newIpVersion, int newProtocol) {
    if (newIpVersion != Ipv4.VERSION && newIpVersion != Ipv6.VERSION) {
      throw new IllegalArgumentException(
          "no such version of IP: version=" + newIpVersion + "; 4 and 6 are allowed");
    }
    FieldRange.check("protocol", newProtocol, 0xFF);
    ipVersion = newIpVersion;
    protocol = newProtocol;
  }

  /** Gives it another source. */
  public void source(long high, long low, int port) {
    FieldRange.check("port", port, 0xFFFF);
    sourceHigh = high;
    sourceLow = low;
    sourcePort = port;
  }

  /** Gives it another destination. */
  public void destination(long high, long low, int port) {
    FieldRange.check("port", port, 0xFFFF);
    destinationHigh = high;
    destinationLow = low;
    destinationPort = port;
  }

  private void forget() {
    protocol = -1;
    sourceHigh = 0;
    sourceLow = 0;
    destinationHigh = 0;
    destinationLow = 0;
  }

  private static boolean hasPorts(int protocol) {
    return switch (protocol) {
      case IpProtocol.TCP, IpProtocol.UDP, IpProtocol.SCTP, IpProtocol.DCCP, IpProtocol.UDPLITE ->
          true;
      default -> false;
    };
  }

  /** A hash of all fields, well mixed in all 64 bits. */
  public long hash() {
    long source = endpoint(sourceHigh, sourceLow, sourcePort);
    long destination = endpoint(destinationHigh, destinationLow, destinationPort);
    return finish(mix(source) + destination);
  }

  /** A hash that is the same for both directions of a flow. */
  public long symmetricHash() {
    long source = mix(endpoint(sourceHigh, sourceLow, sourcePort));
    long destination = mix(endpoint(destinationHigh, destinationLow, destinationPort));
    // Sum and exclusive or both forget the order; together they forget little else.
    return finish(source + destination ^ mix(source ^ destination));
  }

  private long endpoint(long high, long low, int port) {
    return mix(mix(high + seed) + low) + port;
  }

  private long finish(long value) {
    return mix(value + ((long) protocol << 8 | ipVersion) * MULTIPLIER);
  }

  /** The finalizer of SplitMix64: every input bit changes every output bit with even odds. */
  static long mix(long value) {
    long z = value + MULTIPLIER;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }

  /** Whether the other key is of the same flow in the same direction. */
  public boolean isSameDirection(FlowKey other) {
    return isSameKind(other)
        && sourceHigh == other.sourceHigh
        && sourceLow == other.sourceLow
        && sourcePort == other.sourcePort
        && destinationHigh == other.destinationHigh
        && destinationLow == other.destinationLow
        && destinationPort == other.destinationPort;
  }

  /** Whether the other key is of the same flow in the opposite direction. */
  public boolean isOppositeDirection(FlowKey other) {
    return isSameKind(other)
        && sourceHigh == other.destinationHigh
        && sourceLow == other.destinationLow
        && sourcePort == other.destinationPort
        && destinationHigh == other.sourceHigh
        && destinationLow == other.sourceLow
        && destinationPort == other.sourcePort;
  }

  private boolean isSameKind(FlowKey other) {
    return protocol == other.protocol && ipVersion == other.ipVersion;
  }

  /** 4 or 6; 0 for the key of nothing. */
  public int ipVersion() {
    return ipVersion;
  }

  /** See {@link IpProtocol}; -1 for the key of nothing. */
  public int protocol() {
    return protocol;
  }

  /** 0 when the protocol has none, and for fragments. */
  public int sourcePort() {
    return sourcePort;
  }

  /** 0 when the protocol has none, and for fragments. */
  public int destinationPort() {
    return destinationPort;
  }

  /** Bytes 0 to 7 of an IPv6 address; 0 for IPv4. */
  public long sourceHigh() {
    return sourceHigh;
  }

  /** Bytes 8 to 15 of an IPv6 address; an IPv4 address in the lower 32 bits. */
  public long sourceLow() {
    return sourceLow;
  }

  /** Bytes 0 to 7 of an IPv6 address; 0 for IPv4. */
  public long destinationHigh() {
    return destinationHigh;
  }

  /** Bytes 8 to 15 of an IPv6 address; an IPv4 address in the lower 32 bits. */
  public long destinationLow() {
    return destinationLow;
  }
}
