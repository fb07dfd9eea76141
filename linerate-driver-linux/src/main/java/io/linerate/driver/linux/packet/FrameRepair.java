package io.linerate.driver.linux.packet;

import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.VlanTag;

/** Puts back what the kernel has taken out of a frame: its VLAN tag, which stands beside it. */
final class FrameRepair {
  static final int TAG_BYTES = VlanTag.BYTES;

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
            : VlanTag.TPID_8021Q;
    return VlanTag.insert(frame, tpid, NativeMemory.u32(packet + RxRing.VLAN_TCI) & 0xFFFF);
  }
}
