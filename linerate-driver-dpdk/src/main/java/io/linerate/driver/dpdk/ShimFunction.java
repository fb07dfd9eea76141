package io.linerate.driver.dpdk;

import io.linerate.core.driver.CFunction;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * A function of the shim, linerate_dpdk.c, which says what each does, or one of DPDK itself.
 * Addresses are longs; negative results are errno values. For all but the packet path, whose
 * functions {@link DpdkLibrary} calls.
 */
enum ShimFunction {
  LAYOUT,
  VERSION("rte_version"),
  ERROR_TEXT,
  LOG_OPEN,
  LOG_TO_STDERR,
  LOG_READ,
  LOG_MARK,
  EAL_INIT,
  EAL_CLEANUP("rte_eal_cleanup"),
  RUNTIME_DIR("rte_eal_get_runtime_dir"),
  PDUMP_INIT,
  RESERVE,
  THREAD_ATTACH,
  THREAD_DETACH,
  PROBE,
  PORT_BY_NAME,
  DEVICE_INFO,
  OFFLOAD_NAME,
  CONFIGURE,
  ADJUST_DESCRIPTORS,
  RX_QUEUE_SETUP,
  TX_QUEUE_SETUP,
  RX_DESCRIPTOR,
  SET_MTU,
  PROMISCUOUS,
  START,
  STOP,
  CLOSE,
  LINK,
  STATS,
  XSTATS,
  RSS_TYPES,
  RSS_HASH_GET,
  RSS_HASH_SET,
  RSS_TABLE,
  FLOW_CREATE,
  FLOW_DESTROY,
  POOL_CREATE,
  POOL_FREE("rte_mempool_free"),
  POOL_AVAILABLE("rte_mempool_avail_count");

  private final MethodHandle function;

  ShimFunction() {
    function = DpdkLibrary.SHIM.function("lr_" + name().toLowerCase(Locale.ROOT));
  }

  ShimFunction(String itsOwnName) {
    function = DpdkLibrary.SHIM.function(itsOwnName);
  }

  /**
   * Calls a function that returns an int, or nothing.
   *
   * @throws io.linerate.core.port.PortException if the shim or DPDK is missing
   */
  int call(long... arguments) {
    return (int) callLong(arguments);
  }

  /** As {@link #call}, of one that returns an address or another long. */
  long callLong(long... arguments) {
    return CFunction.call(function, arguments);
  }
}
