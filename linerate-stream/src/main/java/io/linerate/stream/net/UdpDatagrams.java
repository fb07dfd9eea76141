package io.linerate.stream.net;

import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.stream.net.UdpPath.halves;

import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.RangeOperation;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Udp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Datagrams in Ethernet frames, of whose addresses a link takes care. On one worker. */
final class UdpDatagrams implements DatagramOutput {
  private static final int L3 = Ethernet.HEADER_BYTES;

  /** Of an IP packet: with its Ethernet header it is one of {@link Outlet#create}. */
  static final int MOST_IP_BYTES = 65_535 - L3;

  /** At the end of the header of UDP. */
  private static final int CHECKSUM_BYTES = 2;

  private static final int MOST_HEADER_BYTES = 64;

  /** UDP_MAX_SEGMENTS of linux/udp.h, as it was at first. */
  private static final int MOST_TOGETHER = 64;

  private static final int MOST_TOGETHER_BYTES = 65_000;

  private final Outlet out;
  private final HeaderScanner scanner = new HeaderScanner();
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private final Udp udp = new Udp();
  private final Headers headers = new Headers();

  /** For packets of several segments. */
  private final MemorySegment apart = Arena.ofAuto().allocate(MOST_HEADER_BYTES, Long.BYTES);

  // Datagrams of a path that leave in one packet, which the kernel or a device cuts.
  private final MemorySegment together = Arena.ofAuto().allocate(1 << 16, Long.BYTES);
  private UdpPath togetherPath = UdpPath.NONE;
  private int togetherBytes;
  private int eachBytes;
  private int count;
  private boolean areCut = true;

  UdpDatagrams(Outlet out) {
    this.out = out;
  }

  /**
   * Reads where a packet comes from and goes to.
   *
   * @return whether it is one whole and sound datagram
   */
  boolean readPath(Packet packet, PathView path) {
    boolean isSound =
        scanner.scan(packet)
            && scanner.ipProtocol() == IpProtocol.UDP
            && scanner.defect() == HeaderDefect.NONE
            && scanner.l4Fits()
            && !scanner.isFragment()
            && scanner.l4Bytes() >= Udp.HEADER_BYTES;
    if (!isSound) {
      return false;
    }
    path.isIpv6 = scanner.ipVersion() == Ipv6.VERSION;
    if (path.isIpv6) {
      ipv6.wrap(packet, scanner.l3Offset());
      path.remoteHigh = ipv6.sourceHigh();
      path.remoteLow = ipv6.sourceLow();
      path.localHigh = ipv6.destinationHigh();
      path.localLow = ipv6.destinationLow();
    } else {
      ipv4.wrap(packet, scanner.l3Offset());
      path.remoteHigh = 0;
      path.remoteLow = Integer.toUnsignedLong(ipv4.source());
      path.localHigh = 0;
      path.localLow = Integer.toUnsignedLong(ipv4.destination());
    }
    udp.wrap(packet, scanner.l4Offset());
    path.remotePort = udp.sourcePort();
    path.localPort = udp.destinationPort();
    return udp.length() >= Udp.HEADER_BYTES && udp.length() <= scanner.l4Bytes();
  }

  /** Where the payload of the packet whose path was read begins. */
  int payloadAt() {
    return scanner.l4Offset() + Udp.HEADER_BYTES;
  }

  /** How long it is. */
  int payloadBytes() {
    return udp.length() - Udp.HEADER_BYTES;
  }

  /**
   * Copies bytes of the payload of the packet whose path was read. Seals say whether they are
   * sound.
   */
  void read(Packet packet, int at, int bytes, Datagram datagram) {
    packet.get(payloadAt() + at, datagram.memory(), 0, bytes);
    datagram.length(bytes);
  }

  @Override
  public boolean send(UdpPath path, Datagram datagram) {
    flush();
    return make(path, datagram.memory(), 0, datagram.length()) != null;
  }

  private @Nullable Packet make(UdpPath path, MemorySegment payload, long at, int bytes) {
    Packet packet = out.create(payloadAt(path) + bytes);
    if (packet != null) {
      packet.set(payloadAt(path), payload, at, bytes);
      writeHeaders(packet, path);
    }
    return packet;
  }

  @Override
  public boolean sendTogether(UdpPath path, Datagram datagram) {
    if (!areCut) {
      return send(path, datagram);
    }
    int bytes = datagram.length();
    if (!isNext(path, bytes)) {
      flush();
      togetherPath = path;
      eachBytes = bytes;
    }
    MemorySegment.copy(datagram.memory(), 0, together, togetherBytes, bytes);
    togetherBytes += bytes;
    count++;
    if (bytes < eachBytes || count == MOST_TOGETHER) {
      flush();
    }
    return true;
  }

  /** All are as long as the first two; the last one may be shorter. */
  private boolean isNext(UdpPath path, int bytes) {
    return count > 0
        && (count == 1 ? bytes == eachBytes : bytes <= eachBytes)
        && togetherBytes + bytes <= MOST_TOGETHER_BYTES
        && path.equals(togetherPath);
  }

  @Override
  public void flush() {
    int bytes = togetherBytes;
    boolean isOne = count == 1;
    count = 0;
    togetherBytes = 0;
    if (bytes == 0) {
      return;
    }
    Packet packet = make(togetherPath, together, 0, bytes);
    if (isOne || (packet != null && packet.leaveCutting(eachBytes))) {
      return;
    }
    int at = 0;
    if (packet != null) {
      areCut = false; // And never were: an engine asks its ports once.
      packet.shrinkTail(bytes - eachBytes);
      writeHeaders(packet, togetherPath);
      at = eachBytes;
    }
    while (at < bytes
        && make(togetherPath, together, at, Math.min(eachBytes, bytes - at)) != null) {
      at += eachBytes;
    }
  }

  /** Where the payload of a packet by a path begins. */
  static int payloadAt(UdpPath path) {
    return L3 + path.headerBytes();
  }

  /**
   * Writes what is before the payload of a packet, all of which is there. Headers are written as
   * whole words, and summed before they are: what was written in parts a processor reads late.
   */
  void writeHeaders(Packet packet, UdpPath path) {
    int at = payloadAt(path);
    headers.path = path;
    headers.udpBytes = packet.length() - at + Udp.HEADER_BYTES;
    long sum;
    if (packet.isInOneSegment(0, at)) {
      sum = packet.apply(0, at, headers);
    } else {
      sum = headers.apply(apart.address(), at);
      packet.set(0, apart, 0, at);
    }
    if (!packet.leaveChecksum()) {
      int checksum = InternetChecksum.complement(sum + packet.sum16(at, packet.length() - at));
      packet.u16(at - CHECKSUM_BYTES, checksum == 0 ? 0xFFFF : checksum); // RFC 768: 0 is none.
    }
  }

  /** Writes headers into native memory that has room for them. */
  private static final class Headers implements RangeOperation {
    private static final int IPV4 = 0x45;
    private static final int DO_NOT_FRAGMENT = 0x4000; // RFC 8899, section 3.
    private static final int HOP_LIMIT = 64;

    private UdpPath path = UdpPath.NONE;
    private int udpBytes;

    /**
     * Leaves the checksum of UDP 0.
     *
     * @return what that is to be the complement of, but for the payload
     */
    @Override
    public int apply(long address, int bytes) {
      long at = address & NativeMemory.ADDRESS_BITS;
      put(at, 0);
      put(at + L3 - Long.BYTES, path.isIpv6() ? EtherType.IPV6 : EtherType.IPV4);
      if (path.isIpv6()) {
        ipv6(at + L3);
      } else {
        ipv4(at + L3);
      }
      long ports = (long) path.localPort() << 48 | (long) path.remotePort() << 32;
      long udp = ports | (long) udpBytes << 16;
      put(at + bytes - Udp.HEADER_BYTES, udp);
      return InternetChecksum.fold(path.addressSum() + IpProtocol.UDP + udpBytes + halves(udp));
    }

    private void ipv4(long at) {
      int bytes = Ipv4.HEADER_BYTES + udpBytes;
      long lengths = (long) IPV4 << 56 | (long) bytes << 32 | DO_NOT_FRAGMENT;
      long rest = (long) (HOP_LIMIT << 8 | IpProtocol.UDP) << 48 | path.localLow();
      long sum = halves(lengths) + halves(rest) + path.remoteLow();
      put(at, lengths);
      put(at + 8, rest | (long) InternetChecksum.complement(sum) << 32);
      ALL.set(NativeMemory.NET_U32, at + 16, (int) path.remoteLow());
    }

    private void ipv6(long at) {
      put(at, 0x6L << 60 | (long) udpBytes << 16 | IpProtocol.UDP << 8 | HOP_LIMIT);
      put(at + 8, path.localHigh());
      put(at + 16, path.localLow());
      put(at + 24, path.remoteHigh());
      put(at + 32, path.remoteLow());
    }

    private static void put(long at, long word) {
      ALL.set(NativeMemory.NET_U64, at, word);
    }
  }
}
