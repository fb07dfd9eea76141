package io.linerate.driver.linux.packet;

import io.linerate.core.driver.InternetSum;
import io.linerate.core.driver.NativeMemory;

/**
 * Makes a frame what it would be on a wire. The kernel leaves two things to hardware that a packet
 * socket's packet has not passed: its checksum, and its VLAN tag, which stands beside it.
 */
final class FrameRepair {
  /** Bytes of the two MAC addresses, which the tag follows. */
  private static final int ADDRESSES_BYTES = 12;

  static final int TAG_BYTES = 4;
  private static final int TPID_8021Q = 0x8100;

  private FrameRepair() {}

  /**
   * Completes the checksum of a frame whose status is {@link RxRing#CSUM_NOT_READY}: its field
   * holds the sum of the pseudo-header, to which that of the rest is added (CHECKSUM_PARTIAL in
   * linux/skbuff.h).
   */
  static void completeChecksum(long frame, int lengthBytes) {
    long vnet = frame - RxRing.VNET_BYTES;
    int start = NativeMemory.u16(vnet + RxRing.VNET_CSUM_START);
    int field = start + NativeMemory.u16(vnet + RxRing.VNET_CSUM_OFFSET);
    if (field + 2 > lengthBytes) {
      return; // The kernel itself would not have made it.
    }
    int checksum = ~InternetSum.fold(InternetSum.of(frame + start, lengthBytes - start)) & 0xFFFF;
    // In UDP, 0 says that there is none (RFC 768); everywhere else 0xFFFF is as good (RFC 1071).
    NativeMemory.netU16(frame + field, checksum == 0 ? 0xFFFF : checksum);
  }

  /**
   * Puts the VLAN tag back where it was: in front of the Ethernet type.
   *
   * @param packet address of the header in the ring
   * @return the new address of the frame, 4 bytes before the old one
   */
  static long restoreTag(long packet, long frame, int status) {
    int tpid =
        (status & RxRing.VLAN_TPID_VALID) != 0
            ? NativeMemory.u16(packet + RxRing.VLAN_TPID)
            : TPID_8021Q;
    int tci = NativeMemory.u32(packet + RxRing.VLAN_TCI);
    long tagged = frame - TAG_BYTES;
    NativeMemory.copy(frame, tagged, ADDRESSES_BYTES);
    NativeMemory.netU16(tagged + ADDRESSES_BYTES, tpid);
    NativeMemory.netU16(tagged + ADDRESSES_BYTES + 2, tci & 0xFFFF);
    return tagged;
  }
}
