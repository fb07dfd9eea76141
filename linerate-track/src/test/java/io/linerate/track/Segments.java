package io.linerate.track;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.wire.EtherType;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;
import java.util.List;

/** Packets between a client, 10.0.0.1, and a server, 10.0.0.2, with right checksums. */
public final class Segments implements AutoCloseable {
  public static final int CLIENT = 0x0A00_0001;
  public static final int SERVER = 0x0A00_0002;
  public static final int CLIENT_PORT = 40_000;
  public static final int SERVER_PORT = 80;

  private static final int L3 = 14;
  public static final int L4 = 34;

  private final Packets packets = new Packets();

  /** Has the packet that was made last. */
  public Burst burst() {
    return packets.burst();
  }

  /** Makes a burst of copies. */
  public Burst burst(List<byte[]> frames) {
    packets.clear();
    frames.forEach(packets::append);
    return packets.burst();
  }

  /** The same for its owner. */
  public OwnedBurst owned() {
    return packets.owned();
  }

  private Packet ipv4(int protocol, boolean isFromClient, int payloadBytes) {
    Packet packet = packets.of(new byte[L4 + payloadBytes]);
    packet.u16(12, EtherType.IPV4);
    packet.u8(L3, 0x45);
    Ipv4 ip = new Ipv4().wrap(packet, L3);
    ip.totalLength(20 + payloadBytes).ttl(64).protocol(protocol);
    ip.source(isFromClient ? CLIENT : SERVER).destination(isFromClient ? SERVER : CLIENT);
    InternetChecksum.writeIpv4Header(packet, L3);
    return packet;
  }

  /**
   * A TCP segment.
   *
   * @param scale window scale, -1: no such option
   */
  public Packet tcp(
      boolean isFromClient, int flags, long sequence, long ack, int window, int bytes, int scale) {
    int options = scale < 0 ? 0 : 4;
    Packet packet = ipv4(IpProtocol.TCP, isFromClient, 20 + options + bytes);
    Tcp tcp = new Tcp().wrap(packet, L4);
    tcp.dataOffset(5 + options / 4).flags(flags).window(window);
    tcp.sequenceNumber(sequence & 0xFFFF_FFFFL).acknowledgmentNumber(ack & 0xFFFF_FFFFL);
    tcp.sourcePort(isFromClient ? CLIENT_PORT : SERVER_PORT);
    tcp.destinationPort(isFromClient ? SERVER_PORT : CLIENT_PORT);
    if (scale >= 0) {
      packet.u32(L4 + 20, 0x0103_0300L | scale); // NOP, window scale.
    }
    InternetChecksum.writeTcp(packet, L3, L4, 20 + options + bytes);
    return packet;
  }

  public Packet udp(boolean isFromClient, int bytes) {
    Packet packet = ipv4(IpProtocol.UDP, isFromClient, 8 + bytes);
    Udp udp = new Udp().wrap(packet, L4);
    udp.sourcePort(isFromClient ? CLIENT_PORT : SERVER_PORT);
    udp.destinationPort(isFromClient ? SERVER_PORT : CLIENT_PORT).length(8 + bytes);
    InternetChecksum.writeUdp(packet, L3, L4, 8 + bytes);
    return packet;
  }

  public Packet icmp(boolean isFromClient, int type, int identifier) {
    Packet packet = ipv4(IpProtocol.ICMP, isFromClient, 16);
    packet.u8(L4, type);
    packet.u16(L4 + 4, identifier);
    InternetChecksum.writeIcmp(packet, L4, 16);
    return packet;
  }

  /** An error about a packet, of which it quotes the first 28 bytes. */
  public Packet error(boolean isFromClient, int type, Packet about) {
    byte[] quoted = new byte[28];
    for (int i = 0; i < quoted.length; i++) {
      quoted[i] = (byte) about.u8(L3 + i);
    }
    Packet packet = ipv4(IpProtocol.ICMP, isFromClient, 8 + quoted.length);
    packet.u8(L4, type);
    for (int i = 0; i < quoted.length; i++) {
      packet.u8(L4 + 8 + i, quoted[i] & 0xFF);
    }
    InternetChecksum.writeIcmp(packet, L4, 8 + quoted.length);
    return packet;
  }

  /** Another protocol. */
  public Packet other(int protocol, boolean isFromClient) {
    return ipv4(protocol, isFromClient, 16);
  }

  public Packet fragment(boolean isFirst) {
    Packet packet = ipv4(IpProtocol.UDP, true, 24);
    packet.u16(L3 + 6, isFirst ? 0x2000 : 3);
    InternetChecksum.writeIpv4Header(packet, L3);
    return packet;
  }

  @Override
  public void close() {
    packets.close();
  }
}
