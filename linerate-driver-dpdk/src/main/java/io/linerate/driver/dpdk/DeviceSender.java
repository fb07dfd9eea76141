package io.linerate.driver.dpdk;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;

/**
 * Gives packets of DPDK's pools to the device, with one native call. Where something is left to it,
 * that call has it look before (rte_eth_tx_prepare): a packet that it cannot send is refused.
 */
record DeviceSender(
    int port, int queue, PacketPools pools, TxPreparation preparation, DropCounts refused) {
  /** Transmits the packets; returns how many were taken, from the first. */
  int send(long handles, int count) {
    if (!preparation.isAny()) {
      return DpdkLibrary.txBurst(port, queue, handles, count);
    }
    int result = DpdkLibrary.txPrepared(port, queue, handles, count);
    int sent = result & 0xFFFF;
    int sound = result >>> 16;
    if (sent == sound && sound < count) {
      long unsound = Handles.address(handles, sent);
      refused.addPacket(DropReason.TX_ERROR, Handles.get(unsound, 0));
      pools.free(unsound, 1);
      return sent + 1;
    }
    return sent;
  }
}
