package io.linerate.driver.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.linerate.core.driver.CFunction;
import io.linerate.core.driver.Shim;
import io.linerate.core.driver.ShimName;
import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * The shim of this process: whether it can be used, and its functions of the packet path. Those of
 * {@link ShimFunction} are the others.
 *
 * <p>Where the shim or DPDK is missing, every function throws; loading this class never fails.
 *
 * <p>None is {@code Linker.Option.critical}: a critical call holds up every safepoint until it
 * returns. Receiving and transmitting are system calls in some drivers (af_packet, tap, pcap),
 * which may block; freeing and allocating are short, but the 1.1 ns that such a call saves are
 * under 0.04 ns a packet at bursts of 32.
 */
final class DpdkLibrary {
  /** That of this process. */
  static final Shim SHIM =
      Shim.load(
          new ShimName(
              "liblinerate_dpdk.so",
              "DPDK",
              "gcc, make, pkg-config and libdpdk-dev",
              "the DPDK that it was built with (Debian: apt install dpdk)",
              problem -> new PortException("DPDK ports are unavailable: " + problem)),
          DpdkLibrary.class);

  private static final MethodHandle ALLOC_BULK = SHIM.function("lr_alloc_bulk");
  private static final MethodHandle FREE_BULK = SHIM.function("lr_free_bulk");
  private static final MethodHandle EXCHANGE = SHIM.function("lr_exchange");
  private static final MethodHandle RX_ARM = SHIM.function("lr_rx_arm");
  private static final MethodHandle TX_BURST = SHIM.function("lr_tx_burst");
  private static final MethodHandle TX_PREPARED = SHIM.function("lr_tx_prepared");

  private static final ShimLayout LAYOUT = SHIM.isLoaded() ? readLayout() : new ShimLayout();
  private static final String PROBLEM =
      SHIM.isLoaded() ? LAYOUT.problem(version()) : SHIM.problem();

  private DpdkLibrary() {}

  /** Why DPDK cannot be used, in the form {@code reason=...; what to do}; "" if it can. */
  static String problem() {
    return PROBLEM;
  }

  /**
   * @throws PortException if DPDK cannot be used
   */
  static void requireAvailable() {
    if (!PROBLEM.isEmpty()) {
      throw SHIM.unavailable(PROBLEM);
    }
  }

  /** What the shim was compiled with. Without values when it is missing. */
  static ShimLayout layout() {
    return LAYOUT;
  }

  /** The DPDK that is there, such as {@code DPDK 22.11.11}. */
  static String version() {
    return text(ShimFunction.VERSION.callLong());
  }

  /** Where DPDK keeps files while it runs. */
  static String runtimeDir() {
    return text(ShimFunction.RUNTIME_DIR.callLong());
  }

  /** Code and text of a negative result: {@code error=-22, text=Invalid argument}. */
  static String error(int result) {
    return "error=" + result + ", text=" + text(ShimFunction.ERROR_TEXT.callLong(result));
  }

  /** What DPDK calls a bit of receive or transmit offloads. */
  static String offloadName(long bit, boolean isTx) {
    return text(ShimFunction.OFFLOAD_NAME.callLong(bit, isTx ? 1 : 0));
  }

  static int allocBulk(long pool, long packets, int count) {
    try {
      return (int) (long) ALLOC_BULK.invokeExact(pool, packets, (long) count, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  static void freeBulk(long packets, int count) {
    try {
      long _ = (long) FREE_BULK.invokeExact(packets, (long) count, 0L, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** A queue as {@link #exchange} takes it, to receive; to transmit, 32 bits to the left. */
  static long queue(int port, int queue) {
    return (long) queue << 16 | port;
  }

  /**
   * Transmits what is due, frees packets of any mempools, then receives.
   *
   * @param queues the one that receives, and the one that transmits if there is one
   * @param counts of 16 bits each from the lowest: packets to receive at most, spent, due
   * @return from the lowest: 16 bits of packets received, 16 bits of packets transmitted, and the
   *     bytes of what was received
   */
  static long exchange(long queues, long packets, long counts, long spent, long due) {
    try {
      return (long) EXCHANGE.invokeExact(queues, packets, counts, spent, due, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** Arms or disarms the interrupt of a receive queue: workers sleep and wake often. */
  static int rxArm(int port, int queue, boolean isOn) {
    try {
      return (int) (long) RX_ARM.invokeExact((long) port, (long) queue, isOn ? 1L : 0L, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  static int txBurst(int port, int queue, long packets, int count) {
    try {
      return (int)
          (long) TX_BURST.invokeExact((long) port, (long) queue, packets, (long) count, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /**
   * As {@link #txBurst}, of packets in which something is left to the device.
   *
   * @return from the lowest: 16 bits of packets sent, 16 bits of those, from the first, that the
   *     device can send
   */
  static int txPrepared(int port, int queue, long packets, int count) {
    try {
      return (int)
          (long) TX_PREPARED.invokeExact((long) port, (long) queue, packets, (long) count, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  private static ShimLayout readLayout() {
    try (Arena arena = Arena.ofConfined()) {
      int count = ShimFunction.LAYOUT.call(0, 0);
      MemorySegment values = arena.allocate(JAVA_LONG, count);
      int written = ShimFunction.LAYOUT.call(values.address(), count);
      return new ShimLayout(Arrays.copyOf(values.toArray(JAVA_LONG), written));
    }
  }

  /** A text of DPDK's, or none where there is no address. */
  static String textOrNone(long address) {
    return address == 0 ? "none" : text(address);
  }

  @SuppressWarnings("restricted")
  private static String text(long address) {
    return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
  }
}
