package io.linerate.testkit.graph;

import io.linerate.core.memory.Packet;
import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;
import io.linerate.wire.Vlan;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The headers of a packet in a test, each as its view. One that is not there fails the test, with
 * what is there in its place:
 *
 * <pre>{@code
 * Layers packet = harness.layers("out");
 * assertThat(packet.ipv4().ttl()).isEqualTo(63);
 * assertThat(packet.tcp().has(Tcp.SYN)).isTrue();
 * }</pre>
 */
public final class Layers {
  private static final int SHOWN_BYTES = 64;

  private final Packet packet;
  private final HeaderScanner scanner = new HeaderScanner();

  private Layers(Packet packet) {
    this.packet = packet;
    boolean _ = scanner.scan(packet);
  }

  /** Those of a packet as it is now. */
  public static Layers of(Packet packet) {
    return new Layers(packet);
  }

  public Packet packet() {
    return packet;
  }

  /** Scanned. */
  public HeaderScanner scanner() {
    return scanner;
  }

  public Ethernet ethernet() {
    require(Ethernet.fits(packet, 0), "Ethernet");
    return new Ethernet().wrap(packet, 0);
  }

  /**
   * A VLAN tag.
   *
   * @param index 0 for the outermost
   */
  public Vlan vlan(int index) {
    require(index < scanner.vlanTags(), "VLAN");
    return new Vlan().wrap(packet, Ethernet.HEADER_BYTES + index * Vlan.HEADER_BYTES);
  }

  public Arp arp() {
    require(scanner.etherType() == EtherType.ARP && Arp.fits(packet, scanner.l3Offset()), "ARP");
    return new Arp().wrap(packet, scanner.l3Offset());
  }

  public Ipv4 ipv4() {
    require(scanner.ipVersion() == Ipv4.VERSION, "IPv4");
    return new Ipv4().wrap(packet, scanner.l3Offset());
  }

  public Ipv6 ipv6() {
    require(scanner.ipVersion() == Ipv6.VERSION, "IPv6");
    return new Ipv6().wrap(packet, scanner.l3Offset());
  }

  public Udp udp() {
    requireUpper("UDP", IpProtocol.UDP);
    return new Udp().wrap(packet, scanner.l4Offset());
  }

  public Tcp tcp() {
    requireUpper("TCP", IpProtocol.TCP);
    return new Tcp().wrap(packet, scanner.l4Offset());
  }

  /** Of ICMP or ICMPv6. */
  public Icmp icmp() {
    requireUpper("ICMP", IpProtocol.ICMP, IpProtocol.ICMPV6);
    return new Icmp().wrap(packet, scanner.l4Offset());
  }

  /** What is behind a number of bytes, up to the end of the IP packet; of others to the end. */
  public byte[] payload(int offset) {
    byte[] bytes = packet.toBytes();
    int end = scanner.ipEnd() < 0 ? bytes.length : scanner.ipEnd();
    return Arrays.copyOfRange(bytes, offset, end);
  }

  private void requireUpper(String what, int... protocols) {
    require(
        scanner.l4Fits() && Arrays.stream(protocols).anyMatch(p -> p == scanner.ipProtocol()),
        what);
  }

  private void require(boolean isThere, String what) {
    if (!isThere) {
      throw new AssertionError("packet has no %s header: %s".formatted(what, this));
    }
  }

  @Override
  public String toString() {
    byte[] bytes = packet.toBytes();
    int shown = Math.min(bytes.length, SHOWN_BYTES);
    return "%s, defect=%s, length=%d, bytes=%s%s"
        .formatted(
            headers(),
            scanner.defect(),
            bytes.length,
            HexFormat.of().formatHex(bytes, 0, shown),
            shown < bytes.length ? "…" : "");
  }

  private String headers() {
    if (scanner.etherType() < 0) {
      return "etherType=none";
    }
    String link =
        "etherType=%s, vlanTags=%d"
            .formatted(EtherType.name(scanner.etherType()), scanner.vlanTags());
    return scanner.ipProtocol() < 0
        ? link
        : link + ", ipProtocol=" + IpProtocol.name(scanner.ipProtocol());
  }
}
