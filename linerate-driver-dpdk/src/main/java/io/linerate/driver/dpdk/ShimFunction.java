package io.linerate.driver.dpdk;

import io.linerate.core.driver.CFunction;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * A function of the shim, linerate_dpdk.c, which says what each does. Addresses are longs; negative
 * results are errno values. For all but the packet path, whose functions {@link DpdkLibrary} calls.
 */
enum ShimFunction {
  LAYOUT,
  VERSION,
  ERROR_TEXT,
  LOG_OPEN,
  LOG_TO_STDERR,
  LOG_READ,
  LOG_MARK,
  EAL_INIT,
  EAL_CLEANUP,
  RUNTIME_DIR,
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
  RSS_INFO,
  RSS_HASH_GET,
  RSS_HASH_SET,
  RSS_TABLE,
  POOL_CREATE,
  POOL_FREE,
  POOL_AVAILABLE;

  private final MethodHandle function =
      Shim.LOADED.function("lr_" + name().toLowerCase(Locale.ROOT));

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
