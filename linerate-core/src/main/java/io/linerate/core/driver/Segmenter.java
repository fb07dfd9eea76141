package io.linerate.core.driver;

/**
 * Cuts a TCP or UDP packet that is longer than an interface transmits into packets that are not, as
 * the kernel does (Documentation/networking/segmentation-offloads.rst; tcp_gso_segment of
 * net/ipv4/tcp_offload.c). Each has a copy of the headers, with lengths, IPv4 identification,
 * sequence number and checksums of its own; FIN and PSH are the last one's, CWR the first one's. Of
 * a packet in a tunnel, each has those of the tunnel, too. For drivers only. One thread's own.
 *
 * <pre>{@code
 * for (int left = segmenter.begin(mbuf, mtu); left > 0; left--) {
 *   long part = segmenter.next();
 * }
 * }</pre>
 */
public final class Segmenter {
  private static final int FIN_AND_PSH = 0x01 | 0x08;
  private static final int CWR = 0x80;
  private static final int IPV6_BYTES = 40;

  /** Ethernet header and two VLAN tags, which an MTU does not count. */
  public static final int LINK_BYTES = 14 + 2 * 4;

  private final PacketChains packets;
  private final TransportHeader header = new TransportHeader();

  /** Of the packet that carries the one that is cut, if {@link #isInTunnel}. */
  private final TransportHeader tunnel = new TransportHeader();

  private final TransportHeader partHeader = new TransportHeader();
  private boolean isInTunnel;
  private long original;
  private int partBytes;
  private int done;

  /**
   * @param packets makes the parts
   */
  public Segmenter(PacketChains packets) {
    this.packets = packets;
  }

  /** Whether a packet may have to be cut for an interface of this MTU, or is unfinished else. */
  public static boolean isUnfinished(long mbuf, int mtuBytes) {
    return isTooLong(mbuf, mtuBytes) || Mbuf.isUnfinished(mbuf);
  }

  /** Whether it is longer than what such an interface transmits, two VLAN tags allowed. */
  public static boolean isTooLong(long mbuf, int mtuBytes) {
    return Mbuf.packetLength(mbuf) - LINK_BYTES > mtuBytes;
  }

  /** Whether one of these packets is. */
  public static boolean anyIsUnfinished(MbufArray packets, int mtuBytes) {
    for (int i = 0; i < packets.size(); i++) {
      if (isUnfinished(packets.handle(i), mtuBytes)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Bytes of payload that each part of a packet has, 0 if it cannot be cut or need not be. A UDP
   * datagram is cut only if it is known to stand for several, and only into these; a TCP segment
   * may be any length.
   *
   * @param header of the packet
   */
  public static int partBytes(long mbuf, TransportHeader header, int mtuBytes) {
    int most = mtuBytes - (header.payloadOffset() - header.outerNetworkOffset());
    boolean isMarked = Mbuf.isSuperPacket(mbuf);
    int bytes = isMarked ? Math.min(Mbuf.segmentBytes(mbuf), most) : most;
    if (isMarked && header.protocol() == TransportHeader.UDP && bytes < Mbuf.segmentBytes(mbuf)) {
      return 0;
    }
    boolean mayBeCut = isMarked || header.protocol() == TransportHeader.TCP;
    boolean isTooLong = header.end() - header.payloadOffset() > bytes;
    return mayBeCut && isTooLong ? Math.max(0, bytes) : 0;
  }

  /**
   * Begins to cut a packet, which stays as it is, and its caller's.
   *
   * @return the number of parts, or 0 if it is to be sent as it is
   */
  public int begin(long mbuf, int mtuBytes) {
    original = mbuf;
    done = 0;
    partBytes = find(mbuf) ? partBytes(mbuf, header, mtuBytes) : 0;
    return partBytes == 0 ? 0 : Math.ceilDiv(payloadBytes(), partBytes);
  }

  /** Finds the header behind which a packet is cut: of a tunnel's only if all lengths are known. */
  private boolean find(long mbuf) {
    int bytes = Mbuf.innerBytes(mbuf);
    isInTunnel = false;
    if (header.find(mbuf) && (bytes == 0 || isBeforeEnd(mbuf, bytes))) {
      return true;
    }
    isInTunnel =
        bytes != 0
            && tunnel.findCarrier(mbuf)
            && header.findInner(mbuf)
            && isBeforeEnd(mbuf, bytes)
            && header.end() == tunnel.end();
    return isInTunnel;
  }

  private boolean isBeforeEnd(long mbuf, int bytes) {
    return Mbuf.packetLength(mbuf) - header.offset() == bytes;
  }

  private int payloadBytes() {
    return header.end() - header.payloadOffset();
  }

  /** The next part, whose owner is the caller, or 0 if there are not enough buffers for it. */
  public long next() {
    int from = done * partBytes;
    int bytes = Math.min(partBytes, payloadBytes() - from);
    int headerBytes = header.payloadOffset();
    long part = packets.make(headerBytes + bytes);
    if (part == 0) {
      return 0;
    }
    try {
      SegmentCopy.between(original, 0, part, 0, headerBytes);
      SegmentCopy.between(original, headerBytes + from, part, headerBytes, bytes);
      MappedFileFault.settle(original);
    } catch (Throwable e) { // The file that the packet is in became shorter.
      packets.free(part);
      throw e;
    }
    correct(Mbuf.dataAddress(part), from, bytes);
    completeChecksums(part);
    done++;
    return part;
  }

  private void correct(long frame, int from, int bytes) {
    correctLengths(frame, header, bytes);
    if (isInTunnel) {
      correctLengths(frame, tunnel, bytes);
    }
    if (header.protocol() == TransportHeader.TCP) {
      correctTcp(frame + header.offset(), from, bytes);
    }
  }

  /** Those of an IP header, with its identification and checksum, and of the UDP header behind. */
  private void correctLengths(long frame, TransportHeader of, int payloadBytes) {
    long network = frame + of.networkOffset();
    int end = header.payloadOffset() + payloadBytes;
    int networkBytes = end - of.networkOffset();
    if (of.isIpv4()) {
      NativeMemory.netU16(network + 2, networkBytes);
      NativeMemory.netU16(network + 4, NativeMemory.netU16(network + 4) + done);
      NativeMemory.netU16(network + 10, 0);
      long sum = InternetSum.of(network, of.offset() - of.networkOffset());
      NativeMemory.netU16(network + 10, ~InternetSum.fold(sum));
    } else {
      NativeMemory.netU16(network + 4, networkBytes - IPV6_BYTES);
    }
    if (of.protocol() == TransportHeader.UDP) {
      NativeMemory.netU16(frame + of.offset() + 4, end - of.offset());
    }
  }

  private void correctTcp(long transport, int from, int bytes) {
    long sequence = (long) NativeMemory.netU16(transport + 4) << 16;
    sequence += NativeMemory.netU16(transport + 6) + from;
    NativeMemory.netU16(transport + 4, (int) (sequence >>> 16));
    NativeMemory.netU16(transport + 6, (int) sequence);
    int flags = header.tcpFlags();
    flags &= from + bytes < payloadBytes() ? ~FIN_AND_PSH : ~0;
    flags &= from > 0 ? ~CWR : ~0;
    NativeMemory.u8(transport + 13, flags);
  }

  /** The tunnel's covers the other one. */
  private void completeChecksums(long part) {
    if (isInTunnel) {
      if (partHeader.findInner(part) && header.hasChecksum()) {
        partHeader.completeChecksum();
      }
      if (partHeader.find(part) && partHeader.checksum() != 0) {
        partHeader.completeChecksum();
      }
    } else if (partHeader.find(part) && header.hasChecksum()) {
      partHeader.completeChecksum();
    }
  }
}
