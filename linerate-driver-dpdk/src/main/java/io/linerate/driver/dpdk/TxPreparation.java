package io.linerate.driver.dpdk;

import io.linerate.core.driver.InternetSum;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.driver.TransportHeader;

/**
 * Says in the headers of packets what the device is to do with them: flags RTE_MBUF_F_TX_… and the
 * lengths of rte_mbuf_tx_offload (rte_mbuf_core.h). One thread's own.
 *
 * <pre>
 *   tx_offload: bits 0 l2_len | 7 l3_len | 16 l4_len | 24 tso_segsz | 40 of tunnels
 * </pre>
 */
final class TxPreparation {
  static final long VLAN = 1L << 57;
  static final long IPV6 = 1L << 56;
  static final long IPV4 = 1L << 55;
  static final long IP_CHECKSUM = 1L << 54;
  static final long UDP_CHECKSUM = 3L << 52;
  static final long TCP_CHECKSUM = 1L << 52;
  static final long TCP_SEGMENTS = 1L << 50;

  /** All that are set here. */
  private static final long FLAGS = VLAN | IPV6 | IPV4 | IP_CHECKSUM | UDP_CHECKSUM | TCP_SEGMENTS;

  private static final int L3_LENGTH = 7;
  private static final int L4_LENGTH = 16;
  private static final int SEGMENT_LENGTH = 24;

  /** What {@code rte_mbuf_tx_offload(1, 1, 1, 1, 0, 0, 0)} has to be. */
  static final long EACH_LENGTH_ONE = 1L | 1L << L3_LENGTH | 1L << L4_LENGTH | 1L << SEGMENT_LENGTH;

  private static final int MAX_L2_BYTES = 127;

  private final boolean checksums;
  private final boolean ipChecksums;

  /** Some cards refuse shorter ones: I40E_MIN_TSO_MSS of i40e_rxtx.h. The program cuts these. */
  private static final int LEAST_SEGMENT_BYTES = 256;

  private final boolean segments;
  private final boolean tags;
  private final boolean isTap;
  private final int mtuBytes;
  private final TransportHeader header = new TransportHeader();

  /** Payload of each segment of the packet that was looked at last; 0 if it is not to be cut. */
  private int partBytes;

  /** Whether a packet was ever prepared: bursts may be offered in parts, and again. */
  private boolean isAny;

  /**
   * @param isTap whether the device is a net_tap, whose rte_gso cuts IPv4 only, and counts the
   *     Ethernet header in its MTU (pmd_tx_burst of rte_eth_tap.c)
   */
  TxPreparation(DeviceOffloads offloads, int mtuBytes, boolean isTap) {
    checksums = offloads.has(Offload.TX_CHECKSUM);
    ipChecksums = offloads.makesIpChecksums();
    segments = offloads.has(Offload.TSO);
    tags = offloads.has(Offload.VLAN_INSERT);
    this.isTap = isTap;
    this.mtuBytes = mtuBytes;
  }

  boolean makesChecksums() {
    return checksums;
  }

  boolean isUseful() {
    return checksums || segments || tags;
  }

  /** Whether packets may be among those that are offered that were prepared. */
  boolean isAny() {
    return isAny;
  }

  /** Whether a packet is left to the device to cut. */
  static boolean isCut(long mbuf) {
    return (Mbuf.flags(mbuf) & TCP_SEGMENTS) != 0;
  }

  /** Has a copy be prepared as its original is. */
  static void copy(long from, long to) {
    long flags = Mbuf.flags(from) & FLAGS;
    if (flags != 0) {
      set(to, flags, NativeMemory.u64(from + Mbuf.TX_OFFLOAD_OFFSET));
      NativeMemory.u16(to + Mbuf.VLAN_TAG_OFFSET, NativeMemory.u16(from + Mbuf.VLAN_TAG_OFFSET));
    }
  }

  private static void set(long mbuf, long flags, long lengths) {
    NativeMemory.u64(mbuf + Mbuf.TX_OFFLOAD_OFFSET, lengths);
    Mbuf.flags(mbuf, (Mbuf.flags(mbuf) & ~FLAGS) | flags);
  }

  /** Prepares an unfinished packet; false if the device cannot finish it. */
  boolean prepare(long mbuf) {
    long flags = 0;
    if (Mbuf.vlanTag(mbuf) >= 0) {
      if (!tags) {
        return false;
      }
      flags = VLAN;
    }
    long lengths = 0;
    if (Mbuf.isSuperPacket(mbuf)
        || Mbuf.needsChecksum(mbuf)
        || Segmenter.isTooLong(mbuf, mtuBytes)) {
      boolean isFound = Mbuf.innerBytes(mbuf) == 0 && header.find(mbuf);
      long transport = isFound ? transportFlags(mbuf) : 0;
      if (transport == 0) {
        return false;
      }
      flags |= transport;
      lengths = lengths((flags & TCP_SEGMENTS) != 0);
    }
    set(mbuf, flags, lengths);
    isAny = true;
    return true;
  }

  /** What the device is to do with the IP packet, 0 if it cannot. */
  private long transportFlags(long mbuf) {
    boolean isTcp = header.protocol() == TransportHeader.TCP;
    if (!header.isPlain() || header.networkOffset() > MAX_L2_BYTES) {
      return 0;
    }
    partBytes = Segmenter.partBytes(mbuf, header, mtuBytes);
    if (partBytes > 0) {
      boolean canCut = segments && isTcp && (header.isIpv4() || !isTap);
      return canCut && partBytes >= LEAST_SEGMENT_BYTES ? beginSegments() : 0;
    }
    boolean isLeft = Mbuf.needsChecksum(mbuf) || (Mbuf.isSuperPacket(mbuf) && header.hasChecksum());
    if (!checksums || !isLeft) {
      return 0;
    }
    header.beginChecksum();
    return (isTcp ? TCP_CHECKSUM : UDP_CHECKSUM) | (header.isIpv4() ? IPV4 : IPV6);
  }

  /**
   * Whoever cuts adds the length of each segment to the sum: rte_eth_tx_prepare of rte_ethdev.h.
   */
  private long beginSegments() {
    header.checksum(pseudoHeader());
    long flags = TCP_SEGMENTS | TCP_CHECKSUM;
    if (!header.isIpv4()) {
      return flags | IPV6;
    }
    return flags | IPV4 | (ipChecksums ? IP_CHECKSUM : 0);
  }

  private int pseudoHeader() {
    return InternetSum.fold(header.pseudoHeaderSum(0));
  }

  private long lengths(boolean isCut) {
    long l3 = (long) header.offset() - header.networkOffset();
    long l4 = (long) header.payloadOffset() - header.offset();
    long segment = isCut ? segmentBytes() : 0;
    return header.networkOffset() | l3 << L3_LENGTH | l4 << L4_LENGTH | segment << SEGMENT_LENGTH;
  }

  private long segmentBytes() {
    return isTap ? Math.min(partBytes, mtuBytes - header.payloadOffset()) : partBytes;
  }
}
