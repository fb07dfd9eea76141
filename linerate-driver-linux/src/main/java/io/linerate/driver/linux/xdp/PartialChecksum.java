package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.InternetSum;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;

/**
 * Finishes TCP and UDP checksums that a sender in the same machine left to a device that is none.
 *
 * <p>The kernel writes the sum of the pseudo header into the field, and expects hardware to add the
 * rest (CHECKSUM_PARTIAL, linux/skbuff.h). Over a veth pair nobody does, and an XDP program cannot
 * see the mark that says so. But the field can: it is the folded sum of the pseudo header, and not
 * its complement. A frame whose finished checksum happens to be that number gets the same number
 * again, for the sum over it is right; so nothing is spoilt by looking.
 */
final class PartialChecksum {
  private static final int TYPE_IPV4 = 0x0800;
  private static final int TYPE_IPV6 = 0x86DD;
  private static final int TYPE_VLAN = 0x8100;
  private static final int TYPE_PROVIDER_VLAN = 0x88A8;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int MAX_VLANS = 2;

  private PartialChecksum() {}

  /** Finishes the checksum of a received frame if it is unfinished; returns whether it was. */
  static boolean finish(long mbuf) {
    long at = Mbuf.dataAddress(mbuf);
    long end = at + Mbuf.dataLength(mbuf);
    at += 12;
    for (int i = 0; i < MAX_VLANS && at + 2 <= end && isVlan(NativeMemory.netU16(at)); i++) {
      at += 4;
    }
    int type = at + 2 <= end ? NativeMemory.netU16(at) : 0;
    return (type == TYPE_IPV4 && ofIpv4(mbuf, at + 2, end))
        || (type == TYPE_IPV6 && ofIpv6(mbuf, at + 2, end));
  }

  private static boolean isVlan(int type) {
    return type == TYPE_VLAN || type == TYPE_PROVIDER_VLAN;
  }

  private static boolean ofIpv4(long mbuf, long ip, long end) {
    if (ip + 20 > end || (NativeMemory.netU16(ip + 6) & 0x3FFF) != 0) {
      return false; // Cut short, or a fragment: never unfinished.
    }
    int headerBytes = (NativeMemory.u8(ip) & 0x0F) << 2;
    int payloadBytes = NativeMemory.netU16(ip + 2) - headerBytes;
    int protocol = NativeMemory.u8(ip + 9);
    return headerBytes >= 20
        && ofPorts(mbuf, ip + headerBytes, end, payloadBytes, protocol, InternetSum.of(ip + 12, 8));
  }

  private static boolean ofIpv6(long mbuf, long ip, long end) {
    return ip + 40 <= end
        && ofPorts(
            mbuf,
            ip + 40,
            end,
            NativeMemory.netU16(ip + 4),
            NativeMemory.u8(ip + 6),
            InternetSum.of(ip + 8, 32));
  }

  /**
   * @param addresses sum of the addresses
   */
  private static boolean ofPorts(
      long mbuf, long header, long end, int bytes, int protocol, long addresses) {
    int fieldOffset = protocol == TCP ? 16 : protocol == UDP ? 6 : -1;
    if (fieldOffset < 0 || bytes < fieldOffset + 2 || header + fieldOffset + 2 > end) {
      return false;
    }
    long field = header + fieldOffset;
    if (NativeMemory.netU16(field) != InternetSum.fold(addresses + protocol + bytes)) {
      return false;
    }
    return write(mbuf, header, field, bytes, protocol);
  }

  private static boolean write(long mbuf, long header, long field, int bytes, int protocol) {
    int offset = (int) (header - Mbuf.dataAddress(mbuf));
    if (offset + bytes > Mbuf.packetLength(mbuf)) {
      return false;
    }
    int checksum = ~InternetSum.fold(InternetSum.ofSegments(mbuf, offset, bytes)) & 0xFFFF;
    // RFC 768: 0 says that there is none.
    NativeMemory.netU16(field, checksum == 0 && protocol == UDP ? 0xFFFF : checksum);
    return true;
  }
}
