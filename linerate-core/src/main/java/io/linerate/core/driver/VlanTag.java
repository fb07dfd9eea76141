package io.linerate.core.driver;

/**
 * Puts back what a kernel or a device has taken out of a frame: its outer VLAN tag (IEEE 802.1Q,
 * clause 9), which stands beside it then. For drivers only: it trusts addresses and handles.
 *
 * <pre>
 *   0             12         14     16
 *   +-------------+----------+------+---------
 *   | MAC, MAC    | TPID u16 | TCI  | type ...
 *   +-------------+----------+------+---------
 * </pre>
 */
public final class VlanTag {
  /** Bytes of a tag, for which there has to be room in front of a frame. */
  public static final int BYTES = 4;

  /** What announces a tag that nothing else is known of. */
  public static final int TPID_8021Q = 0x8100;

  /** Bytes of the two MAC addresses, which the tag follows. */
  private static final int ADDRESSES_BYTES = 12;

  private VlanTag() {}

  /**
   * Puts a tag where it was: in front of the Ethernet type.
   *
   * @return the new address of the frame, 4 bytes before the old one
   */
  public static long insert(long frame, int tpid, int tci) {
    long tagged = frame - BYTES;
    NativeMemory.copy(frame, tagged, ADDRESSES_BYTES);
    NativeMemory.netU16(tagged + ADDRESSES_BYTES, tpid);
    NativeMemory.netU16(tagged + ADDRESSES_BYTES + 2, tci);
    return tagged;
  }

  /**
   * Puts back the tag that stands beside a packet, if one does.
   *
   * @return false if there is no room for it, or the frame is none
   */
  public static boolean restore(long mbuf) {
    int tag = Mbuf.vlanTag(mbuf);
    if (tag < 0) {
      return true;
    }
    if (Mbuf.dataOffset(mbuf) < BYTES
        || Mbuf.dataLength(mbuf) < ADDRESSES_BYTES
        || Mbuf.dataLength(mbuf) > Mbuf.MAX_SEGMENT_BYTES - BYTES) {
      return false;
    }
    long _ = insert(Mbuf.dataAddress(mbuf), TPID_8021Q, tag);
    Mbuf.dataOffset(mbuf, Mbuf.dataOffset(mbuf) - BYTES);
    Mbuf.dataLength(mbuf, Mbuf.dataLength(mbuf) + BYTES);
    Mbuf.packetLength(mbuf, Mbuf.packetLength(mbuf) + BYTES);
    Mbuf.vlanTag(mbuf, -1);
    return true;
  }
}
