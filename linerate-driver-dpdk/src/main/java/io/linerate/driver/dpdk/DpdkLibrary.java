package io.linerate.driver.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the shim, linerate_dpdk.c, which says what each does. Addresses are longs;
 * negative results are errno values.
 *
 * <p>Where the shim or DPDK is missing, every function throws {@link #unavailable}; loading this
 * class never fails.
 *
 * <p>None is {@code Linker.Option.critical}: a critical call holds up every safepoint until it
 * returns. Receiving and transmitting are system calls in some drivers (af_packet, tap, pcap),
 * which may block; freeing and allocating are short, but the 1.1 ns that such a call saves are
 * under 0.04 ns a packet at bursts of 32.
 */
final class DpdkLibrary {
  private static final Shim SHIM = Shim.load();

  private static final MethodHandle READ_LAYOUT = bind("lr_layout", JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle VERSION_ADDRESS = bind("lr_version", JAVA_LONG);
  private static final MethodHandle ERROR_TEXT_ADDRESS = bind("lr_error_text", JAVA_LONG, JAVA_INT);
  private static final MethodHandle LOG_OPEN = bind("lr_log_open", JAVA_INT, JAVA_LONG);
  private static final MethodHandle LOG_READ =
      bind("lr_log_read", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle LOG_MARK = bind("lr_log_mark", JAVA_INT, JAVA_INT);
  private static final MethodHandle EAL_INIT = bind("lr_eal_init", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle EAL_CLEANUP = bind("lr_eal_cleanup", JAVA_INT);
  private static final MethodHandle RUNTIME_DIR_ADDRESS = bind("lr_runtime_dir", JAVA_LONG);
  private static final MethodHandle THREAD_ATTACH = bind("lr_thread_attach", JAVA_INT);
  private static final MethodHandle THREAD_DETACH = bind("lr_thread_detach", null);
  private static final MethodHandle PROBE = bind("lr_probe", JAVA_INT, JAVA_LONG);
  private static final MethodHandle PORT_BY_NAME = bind("lr_port_by_name", JAVA_INT, JAVA_LONG);
  private static final MethodHandle DEVICE_INFO =
      bind("lr_device_info", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle CONFIGURE =
      bind(
          "lr_configure",
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle ADJUST_DESCRIPTORS =
      bind("lr_adjust_descriptors", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle RX_QUEUE_SETUP =
      bind(
          "lr_rx_queue_setup",
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle TX_QUEUE_SETUP =
      bind("lr_tx_queue_setup", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle SET_MTU = bind("lr_set_mtu", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle PROMISCUOUS = bind("lr_promiscuous", JAVA_INT, JAVA_INT);
  private static final MethodHandle START = bind("lr_start", JAVA_INT, JAVA_INT);
  private static final MethodHandle STOP = bind("lr_stop", JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = bind("lr_close", JAVA_INT, JAVA_INT);
  private static final MethodHandle LINK = bind("lr_link", JAVA_INT, JAVA_INT);
  private static final MethodHandle STATS = bind("lr_stats", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle XSTATS =
      bind("lr_xstats", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle RSS_TYPES = bind("lr_rss_types", JAVA_LONG, JAVA_INT);
  private static final MethodHandle RSS_INFO = bind("lr_rss_info", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle RSS_HASH_GET =
      bind("lr_rss_hash_get", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle RSS_HASH_SET =
      bind("lr_rss_hash_set", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle RSS_TABLE =
      bind("lr_rss_table", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle POOL_CREATE =
      bind("lr_pool_create", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle POOL_FREE = bind("lr_pool_free", null, JAVA_LONG);
  private static final MethodHandle POOL_AVAILABLE = bind("lr_pool_available", JAVA_INT, JAVA_LONG);
  private static final MethodHandle ALLOC_BULK =
      bind("lr_alloc_bulk", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle FREE_BULK = bind("lr_free_bulk", null, JAVA_LONG, JAVA_INT);
  private static final MethodHandle RX_BURST =
      bind("lr_rx_burst", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle TX_BURST =
      bind("lr_tx_burst", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);

  private static final ShimLayout LAYOUT = SHIM.symbols() == null ? new ShimLayout() : readLayout();
  private static final String PROBLEM =
      SHIM.symbols() == null ? SHIM.problem() : LAYOUT.problem(version());

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
      throw unavailable(PROBLEM);
    }
  }

  /** What the shim was compiled with. Without values when it is missing. */
  static ShimLayout layout() {
    return LAYOUT;
  }

  /** The DPDK that is there, such as {@code DPDK 22.11.11}. */
  static String version() {
    return text(versionAddress());
  }

  /** Where DPDK keeps files while it runs. */
  static String runtimeDir() {
    return text(runtimeDirAddress());
  }

  /** Code and text of a negative result: {@code error=-22, text=Invalid argument}. */
  static String error(int result) {
    return "error=" + result + ", text=" + text(errorTextAddress(result));
  }

  private static int readLayout(long values, int capacity) {
    try {
      return (int) READ_LAYOUT.invokeExact(values, capacity);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static long versionAddress() {
    try {
      return (long) VERSION_ADDRESS.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static long errorTextAddress(int error) {
    try {
      return (long) ERROR_TEXT_ADDRESS.invokeExact(error);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int logOpen(long fds) {
    try {
      return (int) LOG_OPEN.invokeExact(fds);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int logRead(int fd, long message, int capacity) {
    try {
      return (int) LOG_READ.invokeExact(fd, message, capacity);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int logMark(int fd) {
    try {
      return (int) LOG_MARK.invokeExact(fd);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int ealInit(int argc, long argv) {
    try {
      return (int) EAL_INIT.invokeExact(argc, argv);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int ealCleanup() {
    try {
      return (int) EAL_CLEANUP.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static long runtimeDirAddress() {
    try {
      return (long) RUNTIME_DIR_ADDRESS.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int threadAttach() {
    try {
      return (int) THREAD_ATTACH.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void threadDetach() {
    try {
      THREAD_DETACH.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int probe(long devargs) {
    try {
      return (int) PROBE.invokeExact(devargs);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int portByName(long name) {
    try {
      return (int) PORT_BY_NAME.invokeExact(name);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int deviceInfo(int port, long values) {
    try {
      return (int) DEVICE_INFO.invokeExact(port, values);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int configure(
      int port,
      int rxQueues,
      int txQueues,
      int mtu,
      long rxOffloads,
      long txOffloads,
      long rssTypes) {
    try {
      return (int)
          CONFIGURE.invokeExact(port, rxQueues, txQueues, mtu, rxOffloads, txOffloads, rssTypes);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int adjustDescriptors(int port, long descriptors) {
    try {
      return (int) ADJUST_DESCRIPTORS.invokeExact(port, descriptors);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int rxQueueSetup(
      int port, int queue, int descriptors, int socket, long offloads, long pool) {
    try {
      return (int) RX_QUEUE_SETUP.invokeExact(port, queue, descriptors, socket, offloads, pool);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int txQueueSetup(int port, int queue, int descriptors, int socket, long offloads) {
    try {
      return (int) TX_QUEUE_SETUP.invokeExact(port, queue, descriptors, socket, offloads);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int setMtu(int port, int mtu) {
    try {
      return (int) SET_MTU.invokeExact(port, mtu);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int promiscuous(int port) {
    try {
      return (int) PROMISCUOUS.invokeExact(port);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int start(int port) {
    try {
      return (int) START.invokeExact(port);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int stop(int port) {
    try {
      return (int) STOP.invokeExact(port);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int close(int port) {
    try {
      return (int) CLOSE.invokeExact(port);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int link(int port) {
    try {
      return (int) LINK.invokeExact(port);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int stats(int port, long values) {
    try {
      return (int) STATS.invokeExact(port, values);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int xstats(int port, long names, long values, int capacity) {
    try {
      return (int) XSTATS.invokeExact(port, names, values, capacity);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long rssTypes(int field) {
    try {
      return (long) RSS_TYPES.invokeExact(field);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int rssInfo(int port, long values) {
    try {
      return (int) RSS_INFO.invokeExact(port, values);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int rssHashGet(int port, long key, int keyBytes, long types) {
    try {
      return (int) RSS_HASH_GET.invokeExact(port, key, keyBytes, types);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int rssHashSet(int port, long key, int keyBytes, long types) {
    try {
      return (int) RSS_HASH_SET.invokeExact(port, key, keyBytes, types);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int rssTable(int port, long table, int size, int write) {
    try {
      return (int) RSS_TABLE.invokeExact(port, table, size, write);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long poolCreate(long name, int capacity, int cache, int roomBytes, int socket) {
    try {
      return (long) POOL_CREATE.invokeExact(name, capacity, cache, roomBytes, socket);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void poolFree(long pool) {
    try {
      POOL_FREE.invokeExact(pool);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int poolAvailable(long pool) {
    try {
      return (int) POOL_AVAILABLE.invokeExact(pool);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int allocBulk(long pool, long packets, int count) {
    try {
      return (int) ALLOC_BULK.invokeExact(pool, packets, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void freeBulk(long packets, int count) {
    try {
      FREE_BULK.invokeExact(packets, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Packets received in the lower 16 bits, and their bytes in the others. */
  static long rxBurst(int port, int queue, long packets, int count) {
    try {
      return (long) RX_BURST.invokeExact(port, queue, packets, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int txBurst(int port, int queue, long packets, int count) {
    try {
      return (int) TX_BURST.invokeExact(port, queue, packets, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static ShimLayout readLayout() {
    try (Arena arena = Arena.ofConfined()) {
      int count = readLayout(MemorySegment.NULL.address(), 0);
      MemorySegment values = arena.allocate(JAVA_LONG, count);
      int written = readLayout(values.address(), count);
      return new ShimLayout(Arrays.copyOf(values.toArray(JAVA_LONG), written));
    }
  }

  @SuppressWarnings("restricted")
  private static String text(long address) {
    return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(
      String name, @Nullable MemoryLayout result, MemoryLayout... parameters) {
    FunctionDescriptor signature =
        result == null
            ? FunctionDescriptor.ofVoid(parameters)
            : FunctionDescriptor.of(result, parameters);
    SymbolLookup symbols = SHIM.symbols();
    if (symbols == null) {
      return missing(signature.toMethodType(), SHIM.problem());
    }
    return symbols
        .find(name)
        .map(address -> Linker.nativeLinker().downcallHandle(address, signature))
        .orElseGet(() ->
            missing(signature.toMethodType(), "reason=the shim lacks " + name + "; build again"));
  }

  /** A function of that type that throws. */
  private static MethodHandle missing(MethodType type, String problem) {
    MethodHandle thrower =
        MethodHandles.throwException(type.returnType(), PortException.class)
            .bindTo(unavailable(problem));
    return MethodHandles.dropArguments(thrower, 0, type.parameterList());
  }

  private static PortException unavailable(String problem) {
    return new PortException("DPDK ports are unavailable: " + problem);
  }

  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof RuntimeException exception) {
      return exception;
    }
    throw new AssertionError("a call of the DPDK shim failed", e);
  }
}
