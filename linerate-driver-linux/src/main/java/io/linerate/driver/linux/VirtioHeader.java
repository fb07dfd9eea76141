package io.linerate.driver.linux;

import io.linerate.core.driver.InternetSum;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.driver.TransportHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernel says of a packet in front of it, and is told: {@code struct virtio_net_hdr} of
 * linux/virtio_net.h. A checksum that it has left to hardware is completed here, so that a program
 * sees none that is not; but a super-packet's, which no wire would see, is completed by who
 * transmits its segments. One thread's own.
 *
 * <pre>
 *   0 flags u8 | 1 GSO type u8 | 2 header bytes u16 | 4 segment bytes u16 | 6 checksum start u16 | 8 its field u16
 * </pre>
 *
 * Integers are in host byte order; the checksum starts at an offset from the frame's first byte,
 * and its field at one from there.
 */
public final class VirtioHeader {
  public static final int BYTES = 10;

  private static final int NEEDS_CHECKSUM = 1;
  private static final int CHECKSUM_IS_VALID = 2; // VIRTIO_NET_HDR_F_DATA_VALID
  private static final int GSO_TCP_IPV4 = 1;
  private static final int GSO_TCP_IPV6 = 4;
  private static final int GSO_UDP = 5; // VIRTIO_NET_HDR_GSO_UDP_L4: not by fragments.
  private static final int GSO_ECN = 0x80;
  private static final int CWR = 0x80;

  /**
   * Whether the kernel takes datagrams in one packet: since Linux 6.2, and where a device cuts them
   * as it should since 6.5 ("gso: fix dodgy bit handling for GSO_UDP_L4").
   */
  public static final boolean TAKES_DATAGRAMS = takesDatagrams(System.getProperty("os.version"));

  private final TransportHeader header = new TransportHeader();
  private final MemorySegment field = Arena.ofAuto().allocate(2, 2);

  static boolean takesDatagrams(String kernel) {
    Matcher version = Pattern.compile("([0-9]{1,9})\\.([0-9]{1,9}).*").matcher(kernel);
    return version.matches()
        && Integer.parseInt(version.group(1)) * 1_000L + Integer.parseInt(version.group(2))
            >= 6_005;
  }

  /** Whether the header at {@code at} says anything that a received packet {@link #apply needs}. */
  public static boolean saysMore(long at) {
    return (NativeMemory.u16(at) & (0xFF00 | NEEDS_CHECKSUM | CHECKSUM_IS_VALID)) != 0;
  }

  /** Whether a checksum was left to hardware. */
  public static boolean needsChecksum(long at) {
    return (NativeMemory.u8(at) & NEEDS_CHECKSUM) != 0;
  }

  /** Whether the packet stands for several. */
  public static boolean isSuperPacket(long at) {
    return segmentType(at) != 0;
  }

  /** 0 for those that would have to be cut into fragments, too: no program can tell where. */
  private static int segmentType(long at) {
    int type = NativeMemory.u8(at + 1) & ~GSO_ECN;
    return type == GSO_TCP_IPV4 || type == GSO_TCP_IPV6 || type == GSO_UDP ? type : 0;
  }

  /**
   * Makes a received packet what it would be on a wire, but for its length.
   *
   * @param at the header's address
   * @param moved bytes by which the IP header is further from the frame's start than the header
   *     says
   */
  public void apply(long at, long mbuf, int moved) {
    if (isSuperPacket(at)) {
      Mbuf.superPacket(mbuf, NativeMemory.u16(at + 4));
      int start = NativeMemory.u16(at + 6) + moved;
      if (needsChecksum(at) && (!header.find(mbuf) || header.offset() != start)) {
        Mbuf.innerBytes(mbuf, Mbuf.packetLength(mbuf) - start);
      }
    } else if (needsChecksum(at)) {
      completeChecksum(mbuf, NativeMemory.u16(at + 6) + moved, NativeMemory.u16(at + 8));
    } else if ((NativeMemory.u8(at) & CHECKSUM_IS_VALID) != 0) {
      Mbuf.flags(mbuf, Mbuf.flags(mbuf) | Mbuf.TRANSPORT_CHECKSUM_GOOD);
    }
  }

  /** The field holds the sum of the pseudo header: CHECKSUM_PARTIAL of linux/skbuff.h. */
  private void completeChecksum(long mbuf, int start, int offset) {
    int bytes = Mbuf.packetLength(mbuf) - start;
    if (offset + 2 > bytes) {
      return; // The kernel itself would not have made it.
    }
    int checksum = ~InternetSum.fold(InternetSum.ofSegments(mbuf, start, bytes)) & 0xFFFF;
    // In UDP, 0 says that there is none (RFC 768); everywhere else 0xFFFF is as good (RFC 1071).
    int value = checksum == 0 ? 0xFFFF : checksum;
    if (start + offset + 2 <= Mbuf.dataLength(mbuf)) {
      NativeMemory.netU16(Mbuf.dataAddress(mbuf) + start + offset, value);
    } else {
      NativeMemory.netU16(field.address(), value);
      SegmentCopy.write(mbuf, start + offset, field, 0, 2);
    }
  }

  /**
   * Writes the header of a packet that is transmitted. The checksum of a super-packet, of what the
   * kernel is to cut, and one that was left to who transmits, begins with the sum of the pseudo
   * header, to which the kernel adds the rest; otherwise nothing is left to the kernel.
   *
   * @param mtuBytes of the interface
   */
  public void write(long at, long mbuf, int mtuBytes) {
    NativeMemory.u64(at, 0);
    NativeMemory.u16(at + 8, 0);
    if (Segmenter.isUnfinished(mbuf, mtuBytes)) {
      if (header.find(mbuf)) {
        writeUnfinished(at, mbuf, mtuBytes);
      }
      MappedFileFault.settle(mbuf);
    }
  }

  private void writeUnfinished(long at, long mbuf, int mtuBytes) {
    if (Mbuf.innerBytes(mbuf) != 0) {
      return; // The kernel cannot be told of tunnels: who sends it cuts it before.
    }
    int segmentBytes = Segmenter.partBytes(mbuf, header, mtuBytes);
    if (segmentBytes > 0) {
      trim(mbuf, header.end()); // The kernel takes what is behind for payload.
      NativeMemory.u8(at + 1, segmentType(header));
      NativeMemory.u16(at + 2, header.payloadOffset());
      NativeMemory.u16(at + 4, segmentBytes);
    } else if (!Mbuf.isSuperPacket(mbuf) && !Mbuf.needsChecksum(mbuf)) {
      return;
    }
    if (segmentBytes == 0 && header.end() != Mbuf.packetLength(mbuf)) {
      header.completeChecksum(); // The kernel would sum the padding as well.
      return;
    }
    header.beginChecksum();
    NativeMemory.u8(at, NEEDS_CHECKSUM);
    NativeMemory.u16(at + 6, header.offset());
    NativeMemory.u16(at + 8, header.checksumOffset());
  }

  /** Takes off what is behind the first bytes of a packet. */
  private static void trim(long mbuf, int bytes) {
    if (bytes == Mbuf.packetLength(mbuf)) {
      return;
    }
    Mbuf.packetLength(mbuf, bytes);
    int left = bytes;
    for (long segment = mbuf; segment != 0; segment = Mbuf.next(segment)) {
      Mbuf.dataLength(segment, Math.min(left, Mbuf.dataLength(segment)));
      left -= Mbuf.dataLength(segment);
    }
  }

  private static int segmentType(TransportHeader header) {
    if (header.protocol() == TransportHeader.UDP) {
      return GSO_UDP;
    }
    int type = header.isIpv4() ? GSO_TCP_IPV4 : GSO_TCP_IPV6;
    return (header.tcpFlags() & CWR) != 0 ? type | GSO_ECN : type;
  }
}
