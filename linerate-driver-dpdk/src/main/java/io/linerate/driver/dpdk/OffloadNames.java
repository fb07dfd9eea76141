package io.linerate.driver.dpdk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bits of RTE_ETH_RX_OFFLOAD_ and RTE_ETH_TX_OFFLOAD_ by the names that the DPDK has for them that
 * was found: rte_eth_dev_rx_offload_name and rte_eth_dev_tx_offload_name.
 */
final class OffloadNames {
  private static final Map<String, Long> RX = read(false);
  private static final Map<String, Long> TX = read(true);

  private OffloadNames() {}

  /** The bit, or 0 if this DPDK has none of that name. */
  static long bit(String name, boolean isTx) {
    return (isTx ? TX : RX).getOrDefault(name, 0L);
  }

  /** The names of some bits, from the lowest. */
  static List<String> of(long bits, boolean isTx) {
    List<String> names = new ArrayList<>();
    for (long rest = bits; rest != 0; rest &= rest - 1) {
      names.add(name(Long.lowestOneBit(rest), isTx));
    }
    return names;
  }

  private static Map<String, Long> read(boolean isTx) {
    Map<String, Long> bits = new HashMap<>();
    for (int i = 0; i < Long.SIZE; i++) {
      bits.putIfAbsent(name(1L << i, isTx), 1L << i);
    }
    return Map.copyOf(bits);
  }

  private static String name(long bit, boolean isTx) {
    return DpdkLibrary.offloadName(bit, isTx);
  }
}
