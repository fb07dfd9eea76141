package io.linerate.graph.element;

import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.MacAddress;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Right frames for tests, made without the views and checksums that the elements use: so they agree
 * with somebody else.
 */
final class SampleFrames {
  static final String MAC_A = "02:00:00:00:00:0a";
  static final String MAC_B = "02:00:00:00:00:0b";
  static final String A4 = "192.0.2.1";
  static final String B4 = "198.51.100.2";
  static final String A6 = "2001:db8::1";
  static final String B6 = "2001:db8:1::2";
  static final int DONT_FRAGMENT = 0x4000;
  static final int MORE_FRAGMENTS = 0x2000;
  static final int ETHERNET_BYTES = 14;
  static final int IPV4_BYTES = 20;
  static final int IPV6_BYTES = 40;

  private SampleFrames() {}

  static byte[] frame(int etherType, byte[]... payload) {
    return frame(MAC_B, MAC_A, etherType, payload);
  }

  static byte[] frame(String destination, String source, int etherType, byte[]... payload) {
    return join(mac(destination), mac(source), u16(etherType), join(payload));
  }

  static byte[] ipv4(int protocol, byte[] payload) {
    return ipv4(A4, B4, protocol, 0x1234, 0, payload);
  }

  static byte[] ipv4(
      String source, String destination, int protocol, int id, int fragment, byte[] payload) {
    return ipv4(source, destination, protocol, id, fragment, 64, new byte[0], payload);
  }

  static byte[] ipv4(
      String source,
      String destination,
      int protocol,
      int id,
      int fragment,
      int ttl,
      byte[] options,
      byte[] payload) {
    int headerBytes = IPV4_BYTES + options.length;
    byte[] header =
        join(
            u8(0x40 | headerBytes / 4),
            u8(0),
            u16(headerBytes + payload.length),
            u16(id),
            u16(fragment),
            u8(ttl),
            u8(protocol),
            u16(0),
            ip(source),
            ip(destination),
            options);
    put16(header, 10, checksum(header));
    return frame(EtherType.IPV4, header, payload);
  }

  static byte[] ipv6(int next, byte[] payload) {
    return ipv6(A6, B6, next, 64, payload);
  }

  static byte[] ipv6(String source, String destination, int next, int hops, byte[] payload) {
    return frame(
        EtherType.IPV6,
        u16(0x6000),
        u16(0),
        u16(payload.length),
        u8(next),
        u8(hops),
        ip(source),
        ip(destination),
        payload);
  }

  static byte[] udp4(int payloadBytes) {
    return udp4(A4, B4, 1000, 2000, payloadBytes);
  }

  static byte[] udp4(String source, String destination, int from, int to, int payloadBytes) {
    return ipv4(
        source,
        destination,
        IpProtocol.UDP,
        0x1234,
        0,
        udp(source, destination, from, to, numbers(payloadBytes)));
  }

  static byte[] udp6(int payloadBytes) {
    return udp6(A6, B6, 1000, 2000, payloadBytes);
  }

  static byte[] udp6(String source, String destination, int from, int to, int payloadBytes) {
    byte[] udp = udp(source, destination, from, to, numbers(payloadBytes));
    return ipv6(source, destination, IpProtocol.UDP, 64, udp);
  }

  static byte[] tcp4(int payloadBytes) {
    return ipv4(IpProtocol.TCP, tcp(A4, B4, payloadBytes));
  }

  static byte[] tcp6(int payloadBytes) {
    return ipv6(IpProtocol.TCP, tcp(A6, B6, payloadBytes));
  }

  static byte[] echo4(int payloadBytes) {
    byte[] icmp = join(u16(0x0800), u16(0), u16(7), u16(1), numbers(payloadBytes));
    put16(icmp, 2, checksum(icmp));
    return ipv4(IpProtocol.ICMP, icmp);
  }

  static byte[] echo6(int payloadBytes) {
    byte[] icmp = join(u16(0x8000), u16(0), u16(7), u16(1), numbers(payloadBytes));
    return ipv6(IpProtocol.ICMPV6, summed(icmp, 2, A6, B6, IpProtocol.ICMPV6));
  }

  static byte[] arp(
      int operation, String senderMac, String sender, String targetMac, String target) {
    byte[] types = join(u16(1), u16(EtherType.IPV4), u8(6), u8(4));
    return frame(
        operation == 1 ? "ff:ff:ff:ff:ff:ff" : targetMac,
        senderMac,
        EtherType.ARP,
        types,
        u16(operation),
        mac(senderMac),
        ip(sender),
        mac(targetMac),
        ip(target));
  }

  static byte[] udp(String source, String destination, int from, int to, byte[] payload) {
    byte[] udp = join(u16(from), u16(to), u16(8 + payload.length), u16(0), payload);
    return summed(udp, 6, source, destination, IpProtocol.UDP);
  }

  static byte[] tcp(String source, String destination, int payloadBytes) {
    byte[] ports = join(u16(1000), u16(80), u32(1), u32(2));
    byte[] rest = join(u16(0x5018), u16(1024), u16(0), u16(0), numbers(payloadBytes));
    return summed(join(ports, rest), 16, source, destination, IpProtocol.TCP);
  }

  /** With a checksum over the pseudo header at an offset. */
  static byte[] summed(byte[] l4, int at, String source, String destination, int protocol) {
    put16(l4, at, 0);
    byte[] pseudo = join(ip(source), ip(destination), u32(l4.length), u32(protocol));
    int sum = checksum(join(pseudo, l4));
    put16(l4, at, sum == 0 ? 0xFFFF : sum);
    return l4;
  }

  static byte[] tagged(byte[] frame, int etherType, int tci) {
    return join(
        Arrays.copyOf(frame, 12),
        u16(etherType),
        u16(tci),
        Arrays.copyOfRange(frame, 12, frame.length));
  }

  /** RFC 1071, word by word. */
  static int checksum(byte[] bytes) {
    int sum = 0;
    for (int i = 0; i < bytes.length; i++) {
      sum += (bytes[i] & 0xFF) << (i % 2 == 0 ? 8 : 0);
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return ~sum & 0xFFFF;
  }

  /** Whether the IPv4 header at offset 14 has the right checksum. */
  static boolean hasRightHeaderChecksum(byte[] frame) {
    int headerBytes = 4 * (frame[ETHERNET_BYTES] & 0xF);
    return checksum(Arrays.copyOfRange(frame, ETHERNET_BYTES, ETHERNET_BYTES + headerBytes)) == 0;
  }

  static byte[] numbers(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 7 + (i >>> 8));
    }
    return bytes;
  }

  static byte[] with(byte[] frame, int at, int... values) {
    byte[] changed = frame.clone();
    for (int i = 0; i < values.length; i++) {
      changed[at + i] = (byte) values[i];
    }
    return changed;
  }

  static byte[] padded(byte[] frame, int count) {
    return Arrays.copyOf(frame, frame.length + count);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static byte[] u8(int value) {
    return new byte[] {(byte) value};
  }

  static byte[] u16(int value) {
    return new byte[] {(byte) (value >>> 8), (byte) value};
  }

  static byte[] u32(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  static int get16(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
  }

  static void put16(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
  }

  static byte[] mac(String text) {
    return Arrays.copyOfRange(ByteBuffer.allocate(8).putLong(MacAddress.parse(text)).array(), 2, 8);
  }

  static byte[] ip(String text) {
    try {
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** One of each kind, by name. */
  static Map<String, byte[]> ofAllKinds() {
    Map<String, byte[]> frames = new TreeMap<>();
    frames.put("udp4", udp4(40));
    frames.put("udp6", udp6(40));
    frames.put("tcp4", tcp4(33));
    frames.put("tcp6", tcp6(33));
    frames.put("echo4", echo4(32));
    frames.put("echo6", echo6(32));
    frames.put("arp request", arp(1, MAC_A, A4, "00:00:00:00:00:00", B4));
    frames.put("arp reply", arp(2, MAC_A, A4, MAC_B, B4));
    frames.put("vlan udp4", tagged(udp4(18), EtherType.VLAN, 100));
    frames.put("qinq udp6", tagged(tagged(udp6(18), EtherType.VLAN, 5), 0x88A8, 6));
    frames.put("fragment4", ipv4(A4, B4, IpProtocol.UDP, 9, MORE_FRAGMENTS, numbers(64)));
    frames.put("later fragment4", ipv4(A4, B4, IpProtocol.UDP, 9, 8, numbers(24)));
    frames.put(
        "options4", ipv4(A4, B4, 17, 1, 0, 64, new byte[] {1, 7, 7, 4, 0, 0, 0, 0}, numbers(30)));
    frames.put("fragment6", fragment6(IpProtocol.UDP, 77, 0, true, numbers(64)));
    frames.put("later fragment6", fragment6(IpProtocol.UDP, 77, 64, false, numbers(20)));
    frames.put("neighbor solicitation", solicitation());
    frames.put("unknown type", frame(0x88B5, numbers(50)));
    return frames;
  }

  static byte[] fragment6(int next, int id, int offsetBytes, boolean more, byte[] payload) {
    byte[] header = join(u8(next), u8(0), u16(offsetBytes | (more ? 1 : 0)), u32(id));
    return ipv6(IpProtocol.IPV6_FRAG, join(header, payload));
  }

  static byte[] solicitation() {
    String group = "ff02::1:ff00:2";
    byte[] option = join(u8(1), u8(1), mac(MAC_A));
    byte[] icmp = join(u16(0x8700), u16(0), u32(0), ip(B6), option);
    byte[] message = summed(icmp, 2, A6, group, IpProtocol.ICMPV6);
    byte[] frame = ipv6(A6, group, IpProtocol.ICMPV6, 255, message);
    System.arraycopy(mac("33:33:ff:00:00:02"), 0, frame, 0, 6);
    return frame;
  }

  static List<byte[]> all() {
    return List.copyOf(ofAllKinds().values());
  }
}
