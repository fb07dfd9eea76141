package io.linerate.core.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Finds the TCP or UDP header of an Ethernet frame: behind two VLAN tags at most, an IPv4 header
 * with options, or an IPv6 header with hop-by-hop and destination options. A fragment has none, nor
 * has a packet whose IP header says that it is longer than the frame, or of a length that it cannot
 * say (jumbograms). For drivers only: it trusts the handle. One thread's own.
 */
public final class TransportHeader {
  public static final int TCP = 6;
  public static final int UDP = 17;

  /** Bytes of a frame that are looked at. */
  public static final int MOST_BYTES = 256;

  private static final int ADDRESSES_BYTES = 12;
  private static final int TYPE_IPV4 = 0x0800;
  private static final int TYPE_IPV6 = 0x86DD;
  private static final int TYPE_VLAN = 0x8100;
  private static final int TYPE_PROVIDER_VLAN = 0x88A8;
  private static final int MAX_VLANS = 2;
  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;
  private static final int FRAGMENT_BITS = 0x3FFF;
  private static final int HOP_BY_HOP = 0;
  private static final int DESTINATION_OPTIONS = 60;
  private static final int TCP_BYTES = 20;
  private static final int UDP_BYTES = 8;
  private static final int TCP_CHECKSUM = 16;
  private static final int UDP_CHECKSUM = 6;

  /** The first bytes of a packet whose first segment is short. */
  private final MemorySegment copied = Arena.ofAuto().allocate(MOST_BYTES, 8);

  private long mbuf;
  private long frame;
  private int bytes;
  private boolean isIpv4;
  private int networkOffset;
  private int offset;
  private int protocol;
  private int payloadOffset;
  private int end;

  /** Whether the packet has such a header; the other methods tell of it then. */
  public boolean find(long packet) {
    mbuf = packet;
    int length = Mbuf.packetLength(packet);
    bytes = Math.min(length, MOST_BYTES);
    if (Mbuf.dataLength(packet) >= bytes) {
      frame = Mbuf.dataAddress(packet);
    } else {
      frame = copied.address();
      SegmentCopy.read(packet, 0, copied, 0, bytes);
    }
    int at = ADDRESSES_BYTES;
    for (int i = 0; i < MAX_VLANS && at + 2 <= bytes && isVlan(u16(at)); i++) {
      at += 4;
    }
    networkOffset = at + 2;
    int type = networkOffset <= bytes ? u16(at) : 0;
    return (type == TYPE_IPV4 ? findInIpv4() : type == TYPE_IPV6 && findInIpv6())
        && end <= length
        && hasHeader();
  }

  private static boolean isVlan(int type) {
    return type == TYPE_VLAN || type == TYPE_PROVIDER_VLAN;
  }

  private boolean findInIpv4() {
    isIpv4 = true;
    if (networkOffset + IPV4_BYTES > bytes || (u16(networkOffset + 6) & FRAGMENT_BITS) != 0) {
      return false;
    }
    int headerBytes = (u8(networkOffset) & 0x0F) << 2;
    offset = networkOffset + headerBytes;
    end = networkOffset + u16(networkOffset + 2);
    protocol = u8(networkOffset + 9);
    return headerBytes >= IPV4_BYTES;
  }

  private boolean findInIpv6() {
    isIpv4 = false;
    offset = networkOffset + IPV6_BYTES;
    if (offset > bytes) {
      return false;
    }
    end = offset + u16(networkOffset + 4);
    protocol = u8(networkOffset + 6);
    while (protocol == HOP_BY_HOP || protocol == DESTINATION_OPTIONS) {
      if (offset + 8 > bytes) {
        return false;
      }
      protocol = u8(offset);
      offset += (u8(offset + 1) + 1) << 3;
    }
    return true;
  }

  private boolean hasHeader() {
    boolean isTcp = protocol == TCP;
    int leastBytes = isTcp ? TCP_BYTES : UDP_BYTES;
    int most = Math.min(bytes, end);
    if ((!isTcp && protocol != UDP) || offset + leastBytes > most) {
      return false;
    }
    payloadOffset = offset + (isTcp ? (u8(offset + 12) >>> 4) << 2 : UDP_BYTES);
    return payloadOffset >= offset + leastBytes && payloadOffset <= most;
  }

  private int u8(int at) {
    return NativeMemory.u8(frame + at);
  }

  private int u16(int at) {
    return NativeMemory.netU16(frame + at);
  }

  public boolean isIpv4() {
    return isIpv4;
  }

  /** {@link #TCP} or {@link #UDP}. */
  public int protocol() {
    return protocol;
  }

  /** Bytes from the start of the frame to its IP header. */
  public int networkOffset() {
    return networkOffset;
  }

  /** Bytes from the start of the frame to its TCP or UDP header. */
  public int offset() {
    return offset;
  }

  /** Bytes from the start of the frame to what follows that header. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** Bytes from the start of the frame to the end of its IP packet. */
  public int end() {
    return end;
  }

  /** Flags of a TCP header (RFC 9293, section 3.1): FIN 1, PSH 8, CWR 0x80. */
  public int tcpFlags() {
    return u8(offset + 13);
  }

  /** Bytes from the TCP or UDP header to its checksum. */
  public int checksumOffset() {
    return protocol == TCP ? TCP_CHECKSUM : UDP_CHECKSUM;
  }

  public int checksum() {
    return u16(offset + checksumOffset());
  }

  /**
   * The sum of the pseudo header (RFC 9293, section 3.1; RFC 8200, section 8.1), for a segment of
   * so many bytes, its header among them.
   */
  public long pseudoHeaderSum(int segmentBytes) {
    long addresses =
        isIpv4
            ? InternetSum.of(frame + networkOffset + 12, 8)
            : InternetSum.of(frame + networkOffset + 8, 32);
    return addresses + protocol + segmentBytes;
  }

  /** Writes the checksum into the packet. */
  public void checksum(int value) {
    int at = offset + checksumOffset();
    if (at + 2 <= Mbuf.dataLength(mbuf)) {
      NativeMemory.netU16(Mbuf.dataAddress(mbuf) + at, value);
    } else {
      NativeMemory.netU16(copied.address(), value);
      SegmentCopy.write(mbuf, at, copied, 0, 2);
    }
  }

  /**
   * Writes the sum of the pseudo header alone where the checksum stands, as the kernel wants it
   * before who transmits adds the rest (CHECKSUM_PARTIAL of linux/skbuff.h).
   */
  public void beginChecksum() {
    checksum(InternetSum.fold(pseudoHeaderSum(end - offset)));
  }

  /** Writes the checksum over all that it covers. */
  public void completeChecksum() {
    checksum(0);
    long sum = pseudoHeaderSum(end - offset) + InternetSum.ofSegments(mbuf, offset, end - offset);
    int checksum = ~InternetSum.fold(sum) & 0xFFFF;
    // In UDP, 0 says that there is none (RFC 768).
    checksum(checksum == 0 && protocol == UDP ? 0xFFFF : checksum);
  }
}
