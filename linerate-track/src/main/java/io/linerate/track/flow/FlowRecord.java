package io.linerate.track.flow;

import io.linerate.track.ConnectionRecords;
import io.linerate.wire.IpProtocol;

/**
 * A flow, as a {@link FlowSink} gets it: a view that the meter moves on. Direction 0 is that of the
 * source to the destination, 1 the reverse one (RFC 5103).
 */
public final class FlowRecord {
  private final ConnectionRecords connections;
  private final FlowColumns columns;
  private int number;
  private FlowEnd end = FlowEnd.FORCED;

  FlowRecord(ConnectionRecords connections, FlowColumns columns) {
    this.connections = connections;
    this.columns = columns;
  }

  FlowRecord at(int newNumber, FlowEnd newEnd) {
    number = newNumber;
    end = newEnd;
    return this;
  }

  /** 4 or 6. */
  public int ipVersion() {
    return connections.ipVersion(2 * number);
  }

  /** See {@link IpProtocol}. */
  public int protocol() {
    return connections.protocol(number);
  }

  /** Bytes 0 to 7 of an IPv6 address; 0 for IPv4. */
  public long sourceHigh() {
    return connections.sourceHigh(2 * number);
  }

  /** Bytes 8 to 15 of an IPv6 address; an IPv4 address in the lower 32 bits. */
  public long sourceLow() {
    return connections.sourceLow(2 * number);
  }

  /** Bytes 0 to 7 of an IPv6 address; 0 for IPv4. */
  public long destinationHigh() {
    return connections.destinationHigh(2 * number);
  }

  /** Bytes 8 to 15 of an IPv6 address; an IPv4 address in the lower 32 bits. */
  public long destinationLow() {
    return connections.destinationLow(2 * number);
  }

  /** 0 where the protocol has none, and for fragments. */
  public int sourcePort() {
    return isIcmp() ? 0 : connections.sourcePort(2 * number);
  }

  /** 0 where the protocol has none, and for fragments. */
  public int destinationPort() {
    return isIcmp() ? 0 : connections.destinationPort(2 * number);
  }

  /** Whether it is of ICMP or ICMPv6. */
  public boolean isIcmp() {
    int protocol = protocol();
    return protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
  }

  /** Whether it is of queries of ICMP or ICMPv6 with one identifier, and their answers. */
  public boolean isQuery() {
    int either = connections.sourcePort(2 * number) | connections.destinationPort(2 * number);
    return isIcmp() && either != 0;
  }

  /** Whether packets of the reverse direction were seen. */
  public boolean isBiflow() {
    return packets(1) > 0;
  }

  /** Packets of a direction; 0 of the forward one if only answers came since it began anew. */
  public long packets(int direction) {
    return word(direction, FlowColumns.PACKETS);
  }

  /** Bytes of a direction's IP packets, headers included, as these claim. */
  public long octets(int direction) {
    return word(direction, FlowColumns.OCTETS);
  }

  /** Bytes of a direction's frames, without check sequence, as they were on the wire. */
  public long frameOctets(int direction) {
    return word(direction, FlowColumns.FRAME_OCTETS);
  }

  /** Time of a direction's first packet, in ns since the epoch; 0 without packets. */
  public long firstNs(int direction) {
    return word(direction, FlowColumns.FIRST);
  }

  /** Time of a direction's last packet, in ns since the epoch; 0 without packets. */
  public long lastNs(int direction) {
    return word(direction, FlowColumns.LAST);
  }

  /** Time of the first packet of both directions, in ns since the epoch. */
  public long startNs() {
    return packets(0) == 0
        ? firstNs(1)
        : packets(1) == 0 ? firstNs(0) : Math.min(firstNs(0), firstNs(1));
  }

  /** Time of the last packet of both directions, in ns since the epoch. */
  public long endNs() {
    return packets(0) == 0
        ? lastNs(1)
        : packets(1) == 0 ? lastNs(0) : Math.max(lastNs(0), lastNs(1));
  }

  /** Flags of all TCP headers of a direction together: see {@link io.linerate.wire.Tcp#flags}. */
  public int tcpFlags(int direction) {
    return (int) word(direction, FlowColumns.HEADERS) & 0xFFFF;
  }

  /** Smallest TTL or hop limit of a direction. */
  public int minTtl(int direction) {
    return (int) (word(direction, FlowColumns.HEADERS) >>> 16) & 0xFF;
  }

  /** Largest TTL or hop limit of a direction. */
  public int maxTtl(int direction) {
    return (int) (word(direction, FlowColumns.HEADERS) >>> 24) & 0xFF;
  }

  /** Type of service or traffic class of a direction's first packet. */
  public int classOfService(int direction) {
    return (int) (word(direction, FlowColumns.HEADERS) >>> 32) & 0xFF;
  }

  /** ICMP: 256 times the type, and the code, of a direction's first packet. */
  public int icmpTypeCode(int direction) {
    return (int) (word(direction, FlowColumns.HEADERS) >>> 48);
  }

  /** The outer VLAN of the first packet; -1: none. */
  public int vlan() {
    return columns.vlan(number);
  }

  /**
   * Whether the source has begun it, as far as one can see: not known of TCP that was under way
   * when its first packet came.
   */
  public boolean isSourceInitiator() {
    return (columns.state(number) & FlowColumns.IS_ARBITRARY) == 0;
  }

  /** Why it is told of. */
  public FlowEnd end() {
    return end;
  }

  private long word(int direction, int word) {
    return columns.word(2 * number + direction, word);
  }
}
