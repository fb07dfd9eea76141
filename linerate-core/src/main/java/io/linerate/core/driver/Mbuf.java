package io.linerate.core.driver;

import static io.linerate.core.driver.NativeMemory.ADDRESS_BITS;
import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.HOST_U16;
import static io.linerate.core.driver.NativeMemory.HOST_U32;
import static io.linerate.core.driver.NativeMemory.HOST_U64;

/**
 * The header in front of every packet buffer, whoever made it. For drivers only: the functions
 * trust the address.
 *
 * <p>The layout is that of DPDK's {@code struct rte_mbuf} (rte_mbuf_core.h), so that a packet from
 * DPDK and one from a file are read by the same compiled code. A DPDK driver compares these offsets
 * with the ones its shim was compiled with before it makes a packet.
 *
 * <pre>
 *   0        8        16  18  20  22  24        32    36    40  42  44          52  54  56
 *  +--------+--------+---+---+---+---+---------+-----+-----+---+---+-----------+---+---+--------+
 *  |buf_addr|buf_iova|off|ref|seg|prt| ol_flags|ptype|p_len|len|tci| hash      |tci|buf| pool   |
 *  +--------+--------+---+---+---+---+---------+-----+-----+---+---+-----------+---+---+--------+
 *  64       72                                                        120      128
 *  +--------+--------------------------------------------------------+--------+
 *  | next   | offloads, private size, dynamic fields  | Linerate's    | time   |
 *  +--------+-----------------------------------------+---------------+--------+
 *                                                     104             120
 *
 *   104  105  106     108     110     112     114     116             120
 *  +----+----+-------+-------+-------+-------+-------+---------------+
 *  |flag|gso |header |segment|inner  |check- | 0     | cut bytes     |
 *  |    |type|bytes  |bytes  |bytes  |sum in |       |               |
 *  +----+----+-------+-------+-------+-------+-------+---------------+
 *  `---------- struct virtio_net_hdr --------'
 * </pre>
 *
 * From 104 on, in what DPDK leaves to applications as dynamic fields, all is Linerate's own, and of
 * a packet's first segment. {@code time} is that of reception in ns since the epoch, valid when
 * {@link #HAS_TIMESTAMP} is set in {@code ol_flags}. What is before it is reserved for offloads, as
 * linux/virtio_net.h has them (checksum in: bytes from where it begins to its field; segment bytes:
 * of each packet that a longer one is to be cut into), but for inner bytes, which stand where the
 * checksum begins: see {@link #innerBytes}; cut bytes are those that a capture has left out. All of
 * it is 0 in a packet just allocated, and goes with copies. Integers are in host byte order.
 * docs/decisions/0018 says what becomes of it in DPDK.
 *
 * <p>{@code ptype} is what a device found in a frame, which nobody here reads. Where {@link
 * #HAS_LINK_TYPE} is set it has the number of the link type instead: it lies in the line of the
 * cache that is read anyway, and in every driver's buffers.
 */
public final class Mbuf {
  public static final int BUFFER_ADDRESS_OFFSET = 0;
  public static final int DATA_OFFSET_OFFSET = 16;
  public static final int REFERENCES_OFFSET = 18;
  public static final int SEGMENTS_OFFSET = 20;
  public static final int PORT_OFFSET = 22;
  public static final int FLAGS_OFFSET = 24;
  public static final int PACKET_TYPE_OFFSET = 32;
  public static final int PACKET_LENGTH_OFFSET = 36;
  public static final int DATA_LENGTH_OFFSET = 40;
  public static final int VLAN_TAG_OFFSET = 42;
  public static final int BUFFER_LENGTH_OFFSET = 54;
  public static final int POOL_OFFSET = 56;
  public static final int NEXT_OFFSET = 64;

  /** Lengths of headers and segments that a device of DPDK needs to know: rte_mbuf_tx_offload. */
  public static final int TX_OFFLOAD_OFFSET = 72;

  /** Of 10 bytes, a {@code struct virtio_net_hdr}. */
  public static final int OFFLOADS_OFFSET = 104;

  public static final int TIMESTAMP_OFFSET = 120;

  /** Bytes of a header. */
  public static final int HEADER_BYTES = 128;

  /** The longest segment, in bytes: its length is a u16. */
  public static final int MAX_SEGMENT_BYTES = 0xFFFF;

  /**
   * The last bit that DPDK leaves to applications (RTE_MBUF_F_LAST_FREE). Drivers of DPDK clear the
   * flags of what they receive, so a stale time is never taken for a real one.
   */
  public static final long HAS_TIMESTAMP = 1L << 40;

  /**
   * A packet longer than any that leaves, which the kernel has put together or has not cut yet (GRO
   * and GSO), with the bytes of payload that each one has that it stands for. Its TCP or UDP
   * checksum is not complete: who transmits makes those of the packets that it stands for.
   */
  public static final long IS_SUPER_PACKET = 1L << 39;

  /**
   * A packet whose TCP or UDP checksum who transmits makes: what stands in its field means nothing.
   */
  public static final long NEEDS_CHECKSUM = 1L << 38;

  /** A packet that does not begin with an Ethernet header: see {@link #linkType}. */
  public static final long HAS_LINK_TYPE = 1L << 37;

  /** A packet whose bytes are those of a mapped file: see {@link MappedFileFault}. */
  public static final long IS_IN_FILE = 1L << 36;

  /** A packet that was longer on the wire than what was captured: see {@link #cutBytes}. */
  public static final long IS_CUT = 1L << 35;

  private static final int ETHERNET = 1;

  /**
   * The outer VLAN tag stands beside the frame, since a device took it off:
   * RTE_MBUF_F_RX_VLAN_STRIPPED and RTE_MBUF_F_RX_VLAN.
   */
  public static final long HAS_VLAN_TAG = 1L << 6 | 1L;

  /** RTE_MBUF_F_RX_L4_CKSUM_BAD and _GOOD; both: it is not made, but the packet is sound. */
  public static final long TRANSPORT_CHECKSUM_BAD = 1L << 3;

  public static final long TRANSPORT_CHECKSUM_GOOD = 1L << 8;

  /** RTE_MBUF_F_RX_IP_CKSUM_BAD and _GOOD. */
  public static final long IP_CHECKSUM_BAD = 1L << 4;

  public static final long IP_CHECKSUM_GOOD = 1L << 7;

  private static final long CHECKSUM_STATES =
      TRANSPORT_CHECKSUM_BAD | TRANSPORT_CHECKSUM_GOOD | IP_CHECKSUM_BAD | IP_CHECKSUM_GOOD;

  /** What whoever transmits has to do something about. */
  private static final long UNFINISHED = IS_SUPER_PACKET | NEEDS_CHECKSUM | 1L << 6;

  /** Flags that go with copies. */
  private static final long COPIED =
      UNFINISHED | HAS_VLAN_TAG | CHECKSUM_STATES | HAS_TIMESTAMP | HAS_LINK_TYPE | IS_CUT;

  private static final int SEGMENT_BYTES_OFFSET = OFFLOADS_OFFSET + 4;
  private static final int INNER_BYTES_OFFSET = OFFLOADS_OFFSET + 6;
  private static final int CUT_BYTES_OFFSET = OFFLOADS_OFFSET + 12;

  private Mbuf() {}

  public static long bufferAddress(long mbuf) {
    return ALL.get(HOST_U64, (mbuf & ADDRESS_BITS) + BUFFER_ADDRESS_OFFSET);
  }

  /** Bytes between the start of the buffer and the first byte of the segment: the headroom. */
  public static int dataOffset(long mbuf) {
    return ALL.get(HOST_U16, (mbuf & ADDRESS_BITS) + DATA_OFFSET_OFFSET);
  }

  public static void dataOffset(long mbuf, int bytes) {
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + DATA_OFFSET_OFFSET, (char) bytes);
  }

  /** Address of the first byte of this segment. */
  public static long dataAddress(long mbuf) {
    return bufferAddress(mbuf) + dataOffset(mbuf);
  }

  /** Bytes in this segment. */
  public static int dataLength(long mbuf) {
    return ALL.get(HOST_U16, (mbuf & ADDRESS_BITS) + DATA_LENGTH_OFFSET);
  }

  public static void dataLength(long mbuf, int bytes) {
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + DATA_LENGTH_OFFSET, (char) bytes);
  }

  /** Bytes in all segments; valid in the first one only. */
  public static int packetLength(long mbuf) {
    return ALL.get(HOST_U32, (mbuf & ADDRESS_BITS) + PACKET_LENGTH_OFFSET);
  }

  public static void packetLength(long mbuf, int bytes) {
    ALL.set(HOST_U32, (mbuf & ADDRESS_BITS) + PACKET_LENGTH_OFFSET, bytes);
  }

  /** Number of segments; valid in the first one only. */
  public static int segments(long mbuf) {
    return ALL.get(HOST_U16, (mbuf & ADDRESS_BITS) + SEGMENTS_OFFSET);
  }

  public static void segments(long mbuf, int count) {
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + SEGMENTS_OFFSET, (char) count);
  }

  /** Bytes of the buffer: headroom, data and tailroom. */
  public static int bufferLength(long mbuf) {
    return ALL.get(HOST_U16, (mbuf & ADDRESS_BITS) + BUFFER_LENGTH_OFFSET);
  }

  /** The pool it returns to: an id of {@link PacketPools} or the address of a foreign pool. */
  public static long pool(long mbuf) {
    return ALL.get(HOST_U64, (mbuf & ADDRESS_BITS) + POOL_OFFSET);
  }

  /** The next segment, or 0. */
  public static long next(long mbuf) {
    return ALL.get(HOST_U64, (mbuf & ADDRESS_BITS) + NEXT_OFFSET);
  }

  public static void next(long mbuf, long nextMbuf) {
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + NEXT_OFFSET, nextMbuf);
  }

  /** {@code ol_flags}: what is known of the packet, and what is left to a device. */
  public static long flags(long mbuf) {
    return ALL.get(HOST_U64, (mbuf & ADDRESS_BITS) + FLAGS_OFFSET);
  }

  public static void flags(long mbuf, long flags) {
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + FLAGS_OFFSET, flags);
  }

  public static boolean hasTimestamp(long mbuf) {
    return (flags(mbuf) & HAS_TIMESTAMP) != 0;
  }

  /** Time of reception in ns since the epoch; meaningful when {@link #hasTimestamp}. */
  public static long timestampNs(long mbuf) {
    return ALL.get(HOST_U64, (mbuf & ADDRESS_BITS) + TIMESTAMP_OFFSET);
  }

  public static void timestampNs(long mbuf, long epochNs) {
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + TIMESTAMP_OFFSET, epochNs);
    flags(mbuf, flags(mbuf) | HAS_TIMESTAMP);
  }

  /** Whether {@link #IS_SUPER_PACKET}. */
  public static boolean isSuperPacket(long mbuf) {
    return (flags(mbuf) & IS_SUPER_PACKET) != 0;
  }

  /** Bytes of payload of each packet that it stands for; meaningful when {@link #isSuperPacket}. */
  public static int segmentBytes(long mbuf) {
    return ALL.get(HOST_U16, (mbuf & ADDRESS_BITS) + SEGMENT_BYTES_OFFSET);
  }

  /** Makes it a super-packet, which is cut behind its outermost TCP or UDP header. */
  public static void superPacket(long mbuf, int segmentBytes) {
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + SEGMENT_BYTES_OFFSET, (char) segmentBytes);
    innerBytes(mbuf, 0);
    flags(mbuf, flags(mbuf) | IS_SUPER_PACKET);
  }

  /**
   * Bytes from the TCP or UDP header of the packet that this one carries, as in a tunnel, to the
   * end, if it is that one which stands for several; 0 if it is the outermost, or none does.
   */
  public static int innerBytes(long mbuf) {
    return isSuperPacket(mbuf) ? ALL.get(HOST_U16, (mbuf & ADDRESS_BITS) + INNER_BYTES_OFFSET) : 0;
  }

  /** Says so of a super-packet. */
  public static void innerBytes(long mbuf, int bytes) {
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + INNER_BYTES_OFFSET, (char) bytes);
  }

  /** Whether {@link #NEEDS_CHECKSUM}. */
  public static boolean needsChecksum(long mbuf) {
    return (flags(mbuf) & NEEDS_CHECKSUM) != 0;
  }

  /** Leaves the checksum to who transmits; what a device had found of it is known no more. */
  public static void leaveChecksum(long mbuf) {
    long states = TRANSPORT_CHECKSUM_BAD | TRANSPORT_CHECKSUM_GOOD;
    flags(mbuf, (flags(mbuf) & ~states) | NEEDS_CHECKSUM);
  }

  /** It stands for itself, and its checksum is made. */
  public static void finished(long mbuf) {
    flags(mbuf, flags(mbuf) & ~(IS_SUPER_PACKET | NEEDS_CHECKSUM));
  }

  /** The tag that {@link #HAS_VLAN_TAG} says of (IEEE 802.1Q, clause 9.6: TCI), or -1. */
  public static int vlanTag(long mbuf) {
    return (flags(mbuf) & HAS_VLAN_TAG) == HAS_VLAN_TAG
        ? ALL.get(HOST_U16, (mbuf & ADDRESS_BITS) + VLAN_TAG_OFFSET)
        : -1;
  }

  /** Has a tag stand beside the frame; -1: none. */
  public static void vlanTag(long mbuf, int tag) {
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + VLAN_TAG_OFFSET, (char) tag);
    flags(mbuf, tag < 0 ? flags(mbuf) & ~HAS_VLAN_TAG : flags(mbuf) | HAS_VLAN_TAG);
  }

  /** Whether it begins with something else than an Ethernet header. */
  public static boolean hasLinkType(long mbuf) {
    return (flags(mbuf) & HAS_LINK_TYPE) != 0;
  }

  /** Whether it begins with an Ethernet header, and nothing of it was cut off. */
  public static boolean isWholeEthernet(long mbuf) {
    return (flags(mbuf) & (HAS_LINK_TYPE | IS_CUT)) == 0;
  }

  /** What it begins with, as LINKTYPE_ has it: 1 is Ethernet. */
  public static int linkType(long mbuf) {
    return hasLinkType(mbuf)
        ? ALL.get(HOST_U32, (mbuf & ADDRESS_BITS) + PACKET_TYPE_OFFSET)
        : ETHERNET;
  }

  /** For buffers of any pool. */
  public static void linkType(long mbuf, int number) {
    boolean isOther = number != ETHERNET;
    ALL.set(HOST_U32, (mbuf & ADDRESS_BITS) + PACKET_TYPE_OFFSET, isOther ? number : 0);
    flags(mbuf, isOther ? flags(mbuf) | HAS_LINK_TYPE : flags(mbuf) & ~HAS_LINK_TYPE);
  }

  /** Bytes that followed on the wire, and were not captured. */
  public static int cutBytes(long mbuf) {
    return (flags(mbuf) & IS_CUT) != 0
        ? ALL.get(HOST_U32, (mbuf & ADDRESS_BITS) + CUT_BYTES_OFFSET)
        : 0;
  }

  /** Says how many bytes were not captured, 0 or more: for buffers of any pool. */
  public static void cutBytes(long mbuf, int bytes) {
    ALL.set(HOST_U32, (mbuf & ADDRESS_BITS) + CUT_BYTES_OFFSET, bytes);
    flags(mbuf, bytes > 0 ? flags(mbuf) | IS_CUT : flags(mbuf) & ~IS_CUT);
  }

  /** Whether {@link #IS_IN_FILE}. */
  public static boolean isInFile(long mbuf) {
    return (flags(mbuf) & IS_IN_FILE) != 0;
  }

  /** Says that its bytes are those of a mapped file. */
  public static void inFile(long mbuf) {
    flags(mbuf, flags(mbuf) | IS_IN_FILE);
  }

  /**
   * Whether who transmits has to do more than to send its bytes: it stands for several, needs its
   * checksum, or has its VLAN tag beside it.
   */
  public static boolean isUnfinished(long mbuf) {
    return (flags(mbuf) & UNFINISHED) != 0;
  }

  /** Forgets what a device has found of checksums: other headers are in front now. */
  public static void forgetChecksums(long mbuf) {
    long flags = flags(mbuf);
    if ((flags & CHECKSUM_STATES) != 0) {
      flags(mbuf, flags & ~CHECKSUM_STATES);
    }
  }

  /**
   * Gives a packet what another has beside its bytes: time, offloads, VLAN tag, link type, and what
   * is known of its checksums.
   */
  public static void copyMetadata(long from, long to) {
    ALL.set(HOST_U64, (to & ADDRESS_BITS) + OFFLOADS_OFFSET, offloads(from, 0));
    ALL.set(HOST_U64, (to & ADDRESS_BITS) + OFFLOADS_OFFSET + 8, offloads(from, 8));
    ALL.set(
        HOST_U16,
        (to & ADDRESS_BITS) + VLAN_TAG_OFFSET,
        ALL.get(HOST_U16, (from & ADDRESS_BITS) + VLAN_TAG_OFFSET));
    ALL.set(
        HOST_U32,
        (to & ADDRESS_BITS) + PACKET_TYPE_OFFSET,
        ALL.get(HOST_U32, (from & ADDRESS_BITS) + PACKET_TYPE_OFFSET));
    ALL.set(HOST_U64, (to & ADDRESS_BITS) + TIMESTAMP_OFFSET, timestampNs(from));
    flags(to, flags(to) | (flags(from) & COPIED));
  }

  private static long offloads(long mbuf, int offset) {
    return ALL.get(HOST_U64, (mbuf & ADDRESS_BITS) + OFFLOADS_OFFSET + offset);
  }

  /**
   * Makes a packet of one empty segment, its first byte {@code headroomBytes} into the buffer;
   * flags, with them the link type, and offloads are cleared.
   */
  public static void reset(long mbuf, int headroomBytes) {
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + DATA_OFFSET_OFFSET, (char) headroomBytes);
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + REFERENCES_OFFSET, (char) 1);
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + SEGMENTS_OFFSET, (char) 1);
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + FLAGS_OFFSET, 0L);
    ALL.set(HOST_U32, (mbuf & ADDRESS_BITS) + PACKET_LENGTH_OFFSET, 0);
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + DATA_LENGTH_OFFSET, (char) 0);
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + NEXT_OFFSET, 0L);
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + OFFLOADS_OFFSET, 0L);
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + OFFLOADS_OFFSET + 8, 0L);
  }

  /** Points the header at a buffer, which may be anywhere in native memory. */
  public static void buffer(long mbuf, long bufferAddress, int bufferLengthBytes) {
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + BUFFER_ADDRESS_OFFSET, bufferAddress);
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + BUFFER_LENGTH_OFFSET, (char) bufferLengthBytes);
  }

  /**
   * The region of its pool's memory that the bytes of this segment lie in, for buffers of
   * Linerate's own pools: DPDK keeps the number of the port here.
   */
  static int region(long mbuf) {
    return ALL.get(HOST_U16, (mbuf & ADDRESS_BITS) + PORT_OFFSET);
  }

  static void region(long mbuf, int region) {
    ALL.set(HOST_U16, (mbuf & ADDRESS_BITS) + PORT_OFFSET, (char) region);
  }

  static void pool(long mbuf, long poolId) {
    ALL.set(HOST_U64, (mbuf & ADDRESS_BITS) + POOL_OFFSET, poolId);
  }
}
