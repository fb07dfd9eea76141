package io.linerate.testkit.graph;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Ipv6Extension;
import io.linerate.wire.MacAddress;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;
import io.linerate.wire.Vlan;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A frame for a test, header by header, as the views of {@code io.linerate.wire} write it.
 *
 * <pre>{@code
 * udp4().payload(40).toBytes();
 * tcp6().ports(1234, 80).tcp(tcp -> tcp.flags(Tcp.SYN)).options(2, 4, 5, 0xB4).vlan(7).toBytes();
 * ipv4().between("10.0.0.1", "10.0.0.2").fragment(9, 1_480, true).payload(64).toBytes();
 * udp4().ipv4(ip -> ip.ttl(1)).padding(5).bytes(24, 0x12, 0x34).toBytes();
 * }</pre>
 *
 * Headers stand in the order in which they were named, but VLAN tags, the last of which is the
 * outermost. Naming a header again changes it. Lengths and what announces the next header are
 * written before the change; a checksum afterwards, unless the change has written one. What makes a
 * header unreadable is written by {@link #bytes}.
 *
 * <p>A value: each method returns another one.
 */
public final class FrameBuilder {
  /** Unless told otherwise, a frame goes from A to B. */
  public static final String MAC_A = "02:00:00:00:00:0a";

  public static final String MAC_B = "02:00:00:00:00:0b";
  public static final String A4 = "192.0.2.1";
  public static final String B4 = "198.51.100.2";
  public static final String A6 = "2001:db8::1";
  public static final String B6 = "2001:db8:1::2";

  /** Of the Ethernet header, which nothing announces. */
  private static final int ETHERNET = -1;

  private static final byte[] NOTHING = {};

  private final FrameLayout layout;

  private FrameBuilder(FrameLayout layout) {
    this.layout = layout;
  }

  // --- where a frame begins ---

  /** An Ethernet header alone, of a local experimental type. */
  public static FrameBuilder ethernet() {
    return new FrameBuilder(FrameLayout.EMPTY).ethernet(_ -> {});
  }

  /** An Ethernet header alone. */
  public static FrameBuilder ethernet(int etherType) {
    return ethernet().protocol(etherType);
  }

  public static FrameBuilder ipv4() {
    return ethernet().ipv4(_ -> {});
  }

  public static FrameBuilder ipv6() {
    return ethernet().ipv6(_ -> {});
  }

  /** From port 1000 to 2000. */
  public static FrameBuilder udp4() {
    return ipv4().udp(_ -> {});
  }

  /** From port 1000 to 2000. */
  public static FrameBuilder udp6() {
    return ipv6().udp(_ -> {});
  }

  /** From port 1000 to 80. */
  public static FrameBuilder tcp4() {
    return ipv4().tcp(_ -> {});
  }

  /** From port 1000 to 80. */
  public static FrameBuilder tcp6() {
    return ipv6().tcp(_ -> {});
  }

  /** An echo request. */
  public static FrameBuilder icmp4() {
    return ipv4().icmp(_ -> {});
  }

  /** An echo request. */
  public static FrameBuilder icmp6() {
    return ipv6().icmp(_ -> {});
  }

  /** An ARP message; a request is broadcast. */
  public static FrameBuilder arp(
      int operation, String senderMac, String sender, String targetMac, String target) {
    long to = operation == Arp.REQUEST ? MacAddress.BROADCAST : MacAddress.parse(targetMac);
    return ethernet()
        .ethernet(ethernet -> ethernet.destination(to).source(MacAddress.parse(senderMac)))
        .arp(arp ->
            arp.operation(operation)
                .senderHardwareAddress(MacAddress.parse(senderMac))
                .senderProtocolAddress(Ipv4Address.parse(sender))
                .targetHardwareAddress(MacAddress.parse(targetMac))
                .targetProtocolAddress(Ipv4Address.parse(target)));
  }

  // --- headers: each is added, or changed if it is there ---

  public FrameBuilder ethernet(Consumer<Ethernet> change) {
    return header(
        ETHERNET,
        Ethernet.HEADER_BYTES,
        place -> new Ethernet().wrap(place.packet(), place.at()),
        (ethernet, place) ->
            ethernet
                .destination(MacAddress.parse(MAC_B))
                .source(MacAddress.parse(MAC_A))
                .etherType(place.next()),
        change,
        (_, _) -> {});
  }

  /** Sends the frame from one MAC address to another. */
  public FrameBuilder ethernet(String source, String destination) {
    return ethernet(ethernet ->
        ethernet.source(MacAddress.parse(source)).destination(MacAddress.parse(destination)));
  }

  /** Another VLAN tag, as the outermost. */
  public FrameBuilder vlan(int vid) {
    return vlan(EtherType.VLAN, vlan -> vlan.vid(vid));
  }

  /**
   * Another VLAN tag, as the outermost.
   *
   * @param etherType that announces it
   */
  public FrameBuilder vlan(int etherType, Consumer<Vlan> change) {
    return new FrameBuilder(
        layout.insert(
            1,
            new FrameHeader(
                etherType,
                Vlan.HEADER_BYTES,
                NOTHING,
                place ->
                    change.accept(
                        new Vlan().wrap(place.packet(), place.at()).etherType(place.next())),
                _ -> {})));
  }

  public FrameBuilder arp(Consumer<Arp> change) {
    return header(
        EtherType.ARP,
        Arp.HEADER_BYTES,
        place -> new Arp().wrap(place.packet(), place.at()),
        (arp, _) -> arp.ethernetIpv4(),
        change,
        (_, _) -> {});
  }

  public FrameBuilder ipv4(Consumer<Ipv4> change) {
    return header(
        EtherType.IPV4,
        Ipv4.HEADER_BYTES,
        place -> new Ipv4().wrap(place.packet(), place.at()),
        (ip, place) ->
            ip.version(Ipv4.VERSION)
                .ihl(place.headerBytes() / 4)
                .totalLength(place.count())
                .identification(0x1234)
                .ttl(64)
                .protocol(place.next())
                .source(Ipv4Address.parse(A4))
                .destination(Ipv4Address.parse(B4)),
        change,
        (ip, place) -> {
          if (ip.headerChecksum() == 0) {
            InternetChecksum.writeIpv4Header(place.packet(), place.at());
          }
        });
  }

  public FrameBuilder ipv6(Consumer<Ipv6> change) {
    Ipv6Address source = Ipv6Address.parse(A6);
    Ipv6Address destination = Ipv6Address.parse(B6);
    return header(
        EtherType.IPV6,
        Ipv6.HEADER_BYTES,
        place -> new Ipv6().wrap(place.packet(), place.at()),
        (ip, place) ->
            ip.version(Ipv6.VERSION)
                .payloadLength(place.count() - Ipv6.HEADER_BYTES)
                .nextHeader(place.next())
                .hopLimit(64)
                .source(source.high(), source.low())
                .destination(destination.high(), destination.low()),
        change,
        (_, _) -> {});
  }

  /** Sends the packet from one IP address to another. */
  public FrameBuilder between(String source, String destination) {
    if (layout.find(EtherType.IPV4) >= 0) {
      return ipv4(
          ip -> ip.source(Ipv4Address.parse(source)).destination(Ipv4Address.parse(destination)));
    }
    Ipv6Address from = Ipv6Address.parse(source);
    Ipv6Address to = Ipv6Address.parse(destination);
    return ipv6(ip -> ip.source(from.high(), from.low()).destination(to.high(), to.low()));
  }

  /**
   * Another extension header of IPv6: of options, or for routing.
   *
   * @param content behind its length; zeros are added up to a length that it can have
   */
  public FrameBuilder extension(int type, int... content) {
    byte[] bytes = padded(content, 2, 8);
    return append(
        new FrameHeader(
            type,
            2,
            bytes,
            place ->
                new Ipv6Extension()
                    .wrap(place.packet(), place.at(), type)
                    .nextHeader(place.next())
                    .hdrExtLen(bytes.length / 8),
            _ -> {}));
  }

  /** Makes a fragment of the packet: in IPv6 by an extension header. */
  public FrameBuilder fragment(int identification, int offsetBytes, boolean isMoreToCome) {
    int units = offsetBytes / 8;
    if (layout.find(EtherType.IPV4) >= 0) {
      return ipv4(ip ->
          ip.identification(identification).moreFragments(isMoreToCome).fragmentOffset(units));
    }
    return append(
        new FrameHeader(
            IpProtocol.IPV6_FRAG,
            Ipv6Extension.HEADER_BYTES,
            NOTHING,
            place ->
                new Ipv6Extension()
                    .wrap(place.packet(), place.at(), IpProtocol.IPV6_FRAG)
                    .nextHeader(place.next())
                    .fragmentOffset(units)
                    .moreFragments(isMoreToCome)
                    .identification(identification),
            _ -> {}));
  }

  public FrameBuilder udp(Consumer<Udp> change) {
    return header(
        IpProtocol.UDP,
        Udp.HEADER_BYTES,
        place -> new Udp().wrap(place.packet(), place.at()),
        (udp, place) -> udp.sourcePort(1000).destinationPort(2000).length(place.count()),
        change,
        (udp, place) -> {
          if (udp.checksum() == 0) {
            InternetChecksum.writeUdp(place.packet(), place.ipAt(), place.at(), place.count());
          }
        });
  }

  /** PSH and ACK are set. */
  public FrameBuilder tcp(Consumer<Tcp> change) {
    return header(
        IpProtocol.TCP,
        Tcp.HEADER_BYTES,
        place -> new Tcp().wrap(place.packet(), place.at()),
        (tcp, place) ->
            tcp.sourcePort(1000)
                .destinationPort(80)
                .sequenceNumber(1)
                .acknowledgmentNumber(2)
                .dataOffset(place.headerBytes() / 4)
                .flags(Tcp.PSH | Tcp.ACK)
                .window(1024),
        change,
        (tcp, place) -> {
          if (tcp.checksum() == 0) {
            InternetChecksum.writeTcp(place.packet(), place.ipAt(), place.at(), place.count());
          }
        });
  }

  /** Ports of TCP or UDP. */
  public FrameBuilder ports(int source, int destination) {
    return layout.find(IpProtocol.TCP) >= 0
        ? tcp(tcp -> tcp.sourcePort(source).destinationPort(destination))
        : udp(udp -> udp.sourcePort(source).destinationPort(destination));
  }

  /** ICMP or ICMPv6, as the packet is of IPv4 or IPv6. */
  public FrameBuilder icmp(Consumer<Icmp> change) {
    boolean isIpv4 = layout.find(EtherType.IPV4) >= 0;
    return header(
        isIpv4 ? IpProtocol.ICMP : IpProtocol.ICMPV6,
        Icmp.HEADER_BYTES,
        place -> new Icmp().wrap(place.packet(), place.at()),
        (icmp, _) ->
            icmp.type(isIpv4 ? Icmp.ECHO : Icmpv6.ECHO_REQUEST).identifier(7).sequenceNumber(1),
        change,
        (icmp, place) -> {
          if (icmp.checksum() != 0) {
            return;
          }
          if (isIpv4) {
            InternetChecksum.writeIcmp(place.packet(), place.at(), place.count());
          } else {
            InternetChecksum.writeIcmpv6(place.packet(), place.ipAt(), place.at(), place.count());
          }
        });
  }

  /** Options of TCP, or of IPv4 where there is no TCP header; zeros fill up the last word. */
  public FrameBuilder options(int... options) {
    int tcp = layout.find(IpProtocol.TCP);
    int index = tcp >= 0 ? tcp : layout.find(EtherType.IPV4);
    if (index < 0) {
      throw new IllegalStateException("no header has options: call tcp or ipv4 before");
    }
    return new FrameBuilder(
        layout.replace(index, layout.headers().get(index).options(padded(options, 0, 4))));
  }

  // --- what is behind them ---

  /** What the last header says of the payload: an ether type or an IP protocol. */
  public FrameBuilder protocol(int number) {
    return new FrameBuilder(layout.payloadNumber(number));
  }

  /** A payload of {@link #numbers}. */
  public FrameBuilder payload(int count) {
    return payload(numbers(count));
  }

  /** The payload, in parts. */
  public FrameBuilder payload(byte[]... parts) {
    return new FrameBuilder(layout.payload(join(parts)));
  }

  /** Bytes behind the packet, which no header counts. */
  public FrameBuilder padding(int count) {
    return new FrameBuilder(layout.paddingBytes(count));
  }

  /** Writes bytes over the finished frame: lengths and checksums stay as they are. */
  public FrameBuilder bytes(int offset, int... values) {
    byte[] bytes = padded(values, 0, 1);
    return new FrameBuilder(layout.edit(packet -> packet.set(offset, bytes, 0, bytes.length)));
  }

  /** Bytes that differ from their neighbors. */
  public static byte[] numbers(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 7 + (i >>> 8));
    }
    return bytes;
  }

  /** The bytes of a MAC, IPv4 or IPv6 address. */
  public static byte[] address(String text) {
    if (text.indexOf('.') >= 0) {
      return ByteBuffer.allocate(4).putInt(Ipv4Address.parse(text)).array();
    }
    if (text.length() == MAC_A.length() && text.indexOf("::") < 0) {
      return ByteBuffer.allocate(6)
          .putShort((short) (MacAddress.parse(text) >>> 32))
          .putInt((int) MacAddress.parse(text))
          .array();
    }
    Ipv6Address six = Ipv6Address.parse(text);
    return ByteBuffer.allocate(16).putLong(six.high()).putLong(six.low()).array();
  }

  private static byte[] join(byte[]... parts) {
    int count = 0;
    for (byte[] part : parts) {
      count += part.length;
    }
    ByteBuffer all = ByteBuffer.allocate(count);
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  /** With zeros, so that these and those before them are a multiple of {@code unit}. */
  private static byte[] padded(int[] values, int before, int unit) {
    byte[] bytes = new byte[Math.ceilDiv(before + values.length, unit) * unit - before];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  // --- the frame ---

  public byte[] toBytes() {
    try (Packets packets = new Packets(Math.ceilDiv(layout.length() + 1, Packets.ROOM_BYTES))) {
      return toPacket(packets).toBytes();
    }
  }

  /** The bytes of each. */
  public static byte[][] bytesOf(FrameBuilder... frames) {
    byte[][] bytes = new byte[frames.length][];
    for (int i = 0; i < frames.length; i++) {
      bytes[i] = frames[i].toBytes();
    }
    return bytes;
  }

  /** The frame as a packet; the one made before is freed. */
  public Packet toPacket(Packets packets) {
    Packet packet = packets.of(new byte[layout.length()]);
    layout.write(packet);
    return packet;
  }

  /** Changes the header of that number; adds it first if there is none. */
  private <V> FrameBuilder header(
      int number,
      int bytes,
      Function<FrameHeader.Place, V> view,
      BiConsumer<V, FrameHeader.Place> fields,
      Consumer<V> change,
      BiConsumer<V, FrameHeader.Place> checksum) {
    int index = layout.find(number);
    Consumer<FrameHeader.Place> changed = place -> change.accept(view.apply(place));
    if (index >= 0) {
      return new FrameBuilder(layout.replace(index, layout.headers().get(index).then(changed)));
    }
    return append(
        new FrameHeader(
            number,
            bytes,
            NOTHING,
            place -> {
              fields.accept(view.apply(place), place);
              changed.accept(place);
            },
            place -> checksum.accept(view.apply(place), place)));
  }

  private FrameBuilder append(FrameHeader header) {
    if (header.isBehindIp() && layout.headers().stream().noneMatch(FrameHeader::isIp)) {
      throw new IllegalStateException(
          "no IP header: protocol=" + header.number() + "; call ipv4 or ipv6 before");
    }
    return new FrameBuilder(layout.insert(layout.headers().size(), header));
  }
}
