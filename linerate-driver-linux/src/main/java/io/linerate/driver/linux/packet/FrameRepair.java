package io.linerate.driver.linux.packet;

import io.linerate.core.driver.NativeMemory;

/** Puts back what the kernel has taken out of a frame: its VLAN tag, which stands beside it. */
final class FrameRepair {
  /** Bytes of the two MAC addresses, which the tag follows. */
  private static final int ADDRESSES_BYTES = 12;

  static final int TAG_BYTES = 4;
  private static final int TPID_8021Q = 0x8100;

  private FrameRepair() {}

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
