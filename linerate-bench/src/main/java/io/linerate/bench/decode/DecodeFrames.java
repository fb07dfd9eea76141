package io.linerate.bench.decode;

import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Frames that are all different, and always the same: their lengths and headers are right. */
final class DecodeFrames {
  /** Kinds of captures. */
  static final int CAPTURES = 16;

  private static final int ETHERNET_BYTES = 14;
  private static final int LEAST_BYTES = 60;
  private static final int MOST_PAYLOAD_BYTES = 1_380;

  /** What one of TCP may carry to fit into a short slot, whatever its headers are. */
  private static final int SHORT_PAYLOAD_BYTES = 12;

  /** Half of a client's ports, which stand for nothing. */
  private static final int PORT = 50_000;

  private static final int PORTS = 8_000;

  /** Bytes of TCP's options, in turn: none, timestamps, those of a SYN, timestamps and SACK. */
  private static final List<Integer> OPTION_BYTES = List.of(0, 12, 20, 24);

  private static final int TLS_RECORD = 0x17_0303;
  private static final int NTP_BYTES = 48;
  private static final int DHCP_BYTES = 300;
  private static final int DNS_BYTES = 12;

  private final Random random;
  private int made;

  private DecodeFrames(long seed) {
    random = new Random(seed);
  }

  /** TCP over IPv4, one in four over IPv6, with and without options, of 60 to 126 bytes. */
  static Supplier<byte[]> tcp(int count) {
    DecodeFrames frames = new DecodeFrames(count);
    return () -> {
      byte[] tcp = frames.tcp(frames.anyPort(), frames.bytes(SHORT_PAYLOAD_BYTES));
      return frames.ethernet(frames.random.nextInt(4) == 0, IpProtocol.TCP, tcp);
    };
  }

  /** As from {@link #CAPTURES} files, one after the other: a kind of traffic in each. */
  static Supplier<byte[]> captures(int count) {
    DecodeFrames frames = new DecodeFrames(count);
    return () -> frames.of((int) ((long) frames.made++ * CAPTURES / count));
  }

  /** Those of {@link #captures} in any order. */
  static Supplier<byte[]> shuffled(int count) {
    Supplier<byte[]> captures = captures(count);
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(captures.get());
    }
    Collections.shuffle(all, new Random(count));
    return all.iterator()::next;
  }

  private byte[] of(int capture) {
    boolean isIpv6 = random.nextInt(5) == 0;
    return switch (capture) {
      case 0, 1 -> ethernet(isIpv6, IpProtocol.TCP, tcp(anyPort(), bytes(MOST_PAYLOAD_BYTES)));
      case 2 -> ethernet(isIpv6, IpProtocol.TCP, tcp(anyPort(), new byte[0]));
      case 3, 4 -> ethernet(isIpv6, IpProtocol.TCP, tcp(443, tls()));
      case 5 -> ethernet(isIpv6, IpProtocol.UDP, udp(53, bytes(DNS_BYTES, 200)));
      case 6 -> ethernet(isIpv6, IpProtocol.UDP, udp(anyPort(), bytes(MOST_PAYLOAD_BYTES)));
      case 7 -> ethernet(isIpv6, IpProtocol.UDP, udp(123, bytes(NTP_BYTES, NTP_BYTES)));
      case 8 -> ethernet(false, IpProtocol.UDP, udp(67, bytes(DHCP_BYTES, DHCP_BYTES)));
      case 9 -> arp();
      case 10 -> ethernet(false, IpProtocol.ICMP, echo(random.nextBoolean() ? 8 : 0));
      case 11 -> ethernet(true, IpProtocol.ICMPV6, echo(128 + random.nextInt(2)));
      case 12 -> tagged(of(random.nextInt(9)));
      case 13 -> tagged(tagged(of(random.nextInt(9))));
      case 14 -> fragment();
      default -> of(random.nextInt(CAPTURES - 1));
    };
  }

  private int anyPort() {
    return PORT + random.nextInt(PORTS);
  }

  private byte[] bytes(int most) {
    return bytes(0, most);
  }

  private byte[] bytes(int least, int most) {
    byte[] bytes = new byte[least + random.nextInt(most - least + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Records; the last of some is not there as a whole. */
  private byte[] tls() {
    ByteBuffer records = ByteBuffer.allocate(MOST_PAYLOAD_BYTES);
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      byte[] content = bytes(1, 300);
      boolean isWhole = i < count - 1 || random.nextBoolean();
      records.put((byte) (TLS_RECORD >>> 16)).putShort((short) TLS_RECORD);
      records.putShort((short) (isWhole ? content.length : content.length + 4_000)).put(content);
    }
    return Arrays.copyOf(records.array(), records.position());
  }

  private byte[] tcp(int port, byte[] payload) {
    int options = OPTION_BYTES.get(random.nextInt(OPTION_BYTES.size()));
    ByteBuffer tcp = ByteBuffer.allocate(20 + options + payload.length);
    ports(tcp, port).putInt(random.nextInt()).putInt(random.nextInt());
    tcp.putShort((short) ((((20 + options) / 4) << 12) | 0x10)).putShort((short) 501);
    tcp.position(20);
    for (int i = 0; i < options; i++) {
      tcp.put((byte) 1); // No operation.
    }
    return bytesOf(tcp.put(payload));
  }

  private byte[] udp(int port, byte[] payload) {
    ByteBuffer udp = ByteBuffer.allocate(8 + payload.length);
    ports(udp, port).putShort((short) (8 + payload.length)).putShort((short) 0);
    return bytesOf(udp.put(payload));
  }

  /** From a client to a server, or back. */
  private ByteBuffer ports(ByteBuffer header, int port) {
    int client = PORT + random.nextInt(PORTS);
    boolean isBack = random.nextBoolean();
    return header
        .putShort((short) (isBack ? port : client))
        .putShort((short) (isBack ? client : port));
  }

  private byte[] echo(int type) {
    byte[] echo = bytes(8, 64);
    echo[0] = (byte) type;
    echo[1] = 0;
    return echo;
  }

  private byte[] arp() {
    ByteBuffer frame = frame(EtherType.ARP, 28);
    frame.putShort((short) 1).putShort((short) EtherType.IPV4).put((byte) 6).put((byte) 4);
    frame.putShort((short) (1 + random.nextInt(2))).putLong(random.nextLong());
    return bytesOf(frame);
  }

  /** A first part of a datagram, or a later one. */
  private byte[] fragment() {
    byte[] frame =
        ethernet(false, IpProtocol.UDP, udp(anyPort(), bytes(1_000, MOST_PAYLOAD_BYTES)));
    boolean isFirst = random.nextBoolean();
    ByteBuffer.wrap(frame).putShort(ETHERNET_BYTES + 6, (short) (isFirst ? 0x2000 : 100));
    return frame;
  }

  private byte[] ethernet(boolean isIpv6, int protocol, byte[] payload) {
    return isIpv6 ? ipv6(protocol, payload) : ipv4(protocol, payload);
  }

  private byte[] ipv4(int protocol, byte[] payload) {
    ByteBuffer frame = frame(EtherType.IPV4, 20 + payload.length);
    frame.putShort((short) 0x4500).putShort((short) (20 + payload.length)).putInt(0);
    frame.put((byte) 64).put((byte) protocol).putShort((short) 0);
    return bytesOf(frame.putLong(random.nextLong()).put(payload));
  }

  private byte[] ipv6(int protocol, byte[] payload) {
    boolean hasOptions = protocol == IpProtocol.UDP && random.nextInt(8) == 0;
    int options = hasOptions ? 8 : 0;
    ByteBuffer frame = frame(EtherType.IPV6, 40 + options + payload.length);
    frame.putInt(0x6000_0000).putShort((short) (options + payload.length));
    frame.put((byte) (hasOptions ? IpProtocol.HOPOPT : protocol)).put((byte) 64);
    for (int i = 0; i < 4; i++) {
      frame.putLong(random.nextLong());
    }
    if (hasOptions) {
      frame.put((byte) protocol).put((byte) 0).put((byte) 1).put((byte) 4).putInt(0);
    }
    return bytesOf(frame.put(payload));
  }

  /** A frame of the least length at least, behind its first header. */
  private ByteBuffer frame(int type, int bytes) {
    ByteBuffer frame = ByteBuffer.allocate(Math.max(LEAST_BYTES, ETHERNET_BYTES + bytes));
    frame.putInt(0x0200_0000 | random.nextInt(0x100_0000)).putLong(0x0001_0200_0000_0000L);
    return frame.putShort((short) type);
  }

  private static byte[] bytesOf(ByteBuffer whole) {
    byte[] bytes = new byte[whole.capacity()];
    whole.get(0, bytes);
    return bytes;
  }

  private byte[] tagged(byte[] frame) {
    ByteBuffer longer = ByteBuffer.allocate(frame.length + 4).put(frame, 0, 12);
    longer.putShort((short) EtherType.VLAN).putShort((short) random.nextInt(4_096));
    return bytesOf(longer.put(frame, 12, frame.length - 12));
  }
}
