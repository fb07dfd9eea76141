package io.linerate.core.port;

import io.linerate.core.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * Packets that are to come by a queue. What a rule does not say may be anything: a rule that says
 * nothing but a queue is about all packets. Start from {@link #toQueue} and say what the packets
 * have, or {@link #parse} a line such as {@code udp dst 10.0.0.0/8 dport 53 queue 1}.
 *
 * <p>A fragment has no ports, the first one included: so all fragments of a datagram match the same
 * rules of {@code packet:} and {@code xdp:} ports, and come by one queue. Devices of DPDK may find
 * ports in the first.
 *
 * @param vlan identifier of the outermost VLAN tag, 0 to 4,094; {@link #ANY} for any or no tag
 * @param etherType of what follows up to two VLAN tags, 0x0600 to 0xFFFF; {@link #ANY}
 * @param protocol of IPv4 or IPv6, 0 to 255; {@link #ANY}
 * @param source where they come from; null: anywhere
 * @param destination where they go; null: anywhere
 * @param sourcePort of TCP, UDP or SCTP, 0 to 65,535; {@link #ANY}
 * @param destinationPort likewise
 * @param queue receive queue of the port, from 0
 */
public record SteeringRule(
    int vlan,
    int etherType,
    int protocol,
    @Nullable AddressPrefix source,
    @Nullable AddressPrefix destination,
    int sourcePort,
    int destinationPort,
    int queue) {
  /** In place of a number: it may be any. */
  public static final int ANY = -1;

  public static final int IPV4 = 0x0800;
  public static final int IPV6 = 0x86DD;
  static final int ARP = 0x0806;
  public static final int TCP = 6;
  public static final int UDP = 17;
  public static final int SCTP = 132;

  private static final int MIN_ETHER_TYPE = 0x0600;
  private static final int VLAN_TAG = 0x8100;
  private static final int SERVICE_TAG = 0x88A8;
  private static final int MAX_VLAN = 0xFFE;

  /**
   * @throws ConfigException if a number is out of range, or fields contradict each other
   */
  public SteeringRule {
    check("vlan", vlan, ANY, MAX_VLAN);
    check("ethertype", etherType, ANY, 0xFFFF);
    check("protocol", protocol, ANY, 0xFF);
    check("sport", sourcePort, ANY, 0xFFFF);
    check("dport", destinationPort, ANY, 0xFFFF);
    check("queue", queue, 0, 0xFFFF);
    require(
        etherType == ANY
            || (etherType >= MIN_ETHER_TYPE && etherType != VLAN_TAG && etherType != SERVICE_TAG),
        "not the type of a packet: ethertype=0x%04x; 0x0600 to 0xffff is allowed, and vlan ID for a tag"
            .formatted(etherType));
    require(
        (sourcePort == ANY && destinationPort == ANY)
            || protocol == TCP
            || protocol == UDP
            || protocol == SCTP,
        "rule names a port but no protocol that has some: %s; say tcp, udp or sctp"
            .formatted(sourcePort == ANY ? "dport=" + destinationPort : "sport=" + sourcePort));
    boolean isOther = etherType != ANY && etherType != IPV4 && etherType != IPV6;
    require(
        !isOther || (protocol == ANY && source == null && destination == null),
        "only IP has addresses and protocols: ethertype=0x%04x; leave out the one or the other"
            .formatted(etherType));
    require(
        agrees(etherType, source) && agrees(etherType, destination) && agree(source, destination),
        "rule is about both IPv4 and IPv6: source=%s, destination=%s; write two rules"
            .formatted(source, destination));
  }

  private static boolean agrees(int etherType, @Nullable AddressPrefix prefix) {
    return etherType == ANY || prefix == null || etherType == etherType(prefix);
  }

  private static boolean agree(@Nullable AddressPrefix a, @Nullable AddressPrefix b) {
    return a == null || b == null || a.version() == b.version();
  }

  private static int etherType(AddressPrefix prefix) {
    return prefix.version() == 4 ? IPV4 : IPV6;
  }

  private static void check(String key, int number, int min, int max) {
    require(
        number >= min && number <= max,
        "number of a steering rule is out of range: %s=%d; %d to %d is allowed"
            .formatted(key, number, Math.max(min, 0), max));
  }

  private static void require(boolean isRight, String message) {
    if (!isRight) {
      throw new ConfigException(message);
    }
  }

  /** All packets, to a queue. */
  public static SteeringRule toQueue(int queue) {
    return new SteeringRule(ANY, ANY, ANY, null, null, ANY, ANY, queue);
  }

  /**
   * Reads words in any order:
   *
   * <pre>
   *   [vlan ID] [ipv4|ipv6|arp|ethertype 0xHHHH] [tcp|udp|sctp|icmp|icmpv6|proto N]
   *   [src ADDRESS[/BITS]] [dst ADDRESS[/BITS]] [sport PORT] [dport PORT] queue QUEUE
   * </pre>
   *
   * @throws ConfigException if it is no rule
   */
  public static SteeringRule parse(String text) {
    return new SteeringText(text).rule();
  }

  public SteeringRule withVlan(int id) {
    return new SteeringRule(
        id, etherType, protocol, source, destination, sourcePort, destinationPort, queue);
  }

  public SteeringRule withEtherType(int type) {
    return new SteeringRule(
        vlan, type, protocol, source, destination, sourcePort, destinationPort, queue);
  }

  public SteeringRule withProtocol(int number) {
    return new SteeringRule(
        vlan, etherType, number, source, destination, sourcePort, destinationPort, queue);
  }

  public SteeringRule withSource(AddressPrefix prefix) {
    return new SteeringRule(
        vlan, etherType, protocol, prefix, destination, sourcePort, destinationPort, queue);
  }

  public SteeringRule withDestination(AddressPrefix prefix) {
    return new SteeringRule(
        vlan, etherType, protocol, source, prefix, sourcePort, destinationPort, queue);
  }

  public SteeringRule withSourcePort(int number) {
    return new SteeringRule(
        vlan, etherType, protocol, source, destination, number, destinationPort, queue);
  }

  public SteeringRule withDestinationPort(int number) {
    return new SteeringRule(
        vlan, etherType, protocol, source, destination, sourcePort, number, queue);
  }

  /**
   * The EtherType that packets have: what the rule says, or that of its addresses; {@link #ANY} if
   * neither says it, also where a protocol says that it is one of IP.
   */
  public int impliedEtherType() {
    AddressPrefix prefix = source == null ? destination : source;
    return etherType == ANY && prefix != null ? etherType(prefix) : etherType;
  }

  /** Whether it says anything of IP: an address, a protocol, a port. */
  public boolean isAboutIp() {
    return protocol != ANY || source != null || destination != null;
  }

  /** Whether it says anything of ports. */
  public boolean isAboutPorts() {
    return sourcePort != ANY || destinationPort != ANY;
  }

  /** Whether a packet may match both. Then the first of them decides. */
  public boolean overlaps(SteeringRule other) {
    return meet(vlan, other.vlan)
        && meet(impliedEtherType(), other.impliedEtherType())
        && meet(protocol, other.protocol)
        && meet(sourcePort, other.sourcePort)
        && meet(destinationPort, other.destinationPort)
        && meet(source, other.source)
        && meet(destination, other.destination)
        && !(isAboutIp() && other.isOther())
        && !(isOther() && other.isAboutIp());
  }

  /** Whether it is about packets that are not IP. */
  private boolean isOther() {
    return etherType != ANY && etherType != IPV4 && etherType != IPV6;
  }

  private static boolean meet(int a, int b) {
    return a == ANY || b == ANY || a == b;
  }

  private static boolean meet(@Nullable AddressPrefix a, @Nullable AddressPrefix b) {
    return a == null || b == null || a.overlaps(b);
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return SteeringText.of(this);
  }
}
