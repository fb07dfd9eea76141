package io.linerate.driver.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.linerate.core.port.PortException;
import io.linerate.core.port.PortStatistics;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A device that DPDK has opened, by its port number. Failures become {@link PortException}s that
 * name the call.
 */
final class DpdkDevice {
  private static final int EPERM = -1;
  private static final int EACCES = -13;
  private static final int ENOTSUP = -95;

  private final DpdkAddress address;
  private final int port;

  private DpdkDevice(DpdkAddress address, int port) {
    this.address = address;
    this.port = port;
  }

  /**
   * Has DPDK open a device.
   *
   * @throws PortException if it is open already, or there is none
   */
  static DpdkDevice probe(DpdkAddress address) {
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom(address.device()).address();
      if (DpdkLibrary.portByName(name) >= 0) {
        throw new PortException(
            "DPDK device is in use already: device=%s; %s"
                .formatted(
                    address.device(),
                    address.isVirtual()
                        ? "give it another number, such as " + address.driver() + "1"
                        : "name it once"));
      }
      int result = DpdkLibrary.probe(arena.allocateFrom(address.devargs()).address());
      if (result >= 0) {
        result = DpdkLibrary.portByName(name);
      }
      if (result < 0) {
        throw notOpened(address, result);
      }
      return new DpdkDevice(address, result);
    }
  }

  private static PortException notOpened(DpdkAddress address, int result) {
    String remedy =
        address.isVirtual()
            ? "name a driver that this DPDK has, with arguments that it takes"
            : "see that it exists and is bound to vfio-pci (dpdk-devbind.py --status)";
    return new PortException(
        "DPDK cannot open the device: devargs=%s, %s; %s%s"
            .formatted(
                address.devargs(),
                DpdkLibrary.error(result),
                remedy,
                result == EPERM || result == EACCES || !isRoot()
                    ? "; or run as root, which most devices need"
                    : ""));
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** The number that DPDK gave it. */
  int port() {
    return port;
  }

  DeviceInfo info() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment v = arena.allocate(JAVA_LONG, DeviceInfo.VALUES);
      check("rte_eth_dev_info_get", DpdkLibrary.deviceInfo(port, v.address()));
      return new DeviceInfo(
          (int) v.getAtIndex(JAVA_LONG, 0),
          (int) v.getAtIndex(JAVA_LONG, 1),
          v.getAtIndex(JAVA_LONG, 2),
          v.getAtIndex(JAVA_LONG, 3),
          v.getAtIndex(JAVA_LONG, 4),
          (int) v.getAtIndex(JAVA_LONG, 5),
          (int) v.getAtIndex(JAVA_LONG, 6),
          (int) v.getAtIndex(JAVA_LONG, 7),
          v.getAtIndex(JAVA_LONG, 8));
    }
  }

  void configure(
      int rxQueues, int txQueues, int mtu, long rxOffloads, long txOffloads, long rssTypes) {
    check(
        "rte_eth_dev_configure",
        DpdkLibrary.configure(port, rxQueues, txQueues, mtu, rxOffloads, txOffloads, rssTypes));
  }

  /** Descriptors of a receive and of a transmit queue that it can have, next to what is wanted. */
  int[] adjustDescriptors(int wanted) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment counts = arena.allocateFrom(JAVA_INT, wanted, wanted);
      check(
          "rte_eth_dev_adjust_nb_rx_tx_desc",
          DpdkLibrary.adjustDescriptors(port, counts.address()));
      return counts.toArray(JAVA_INT);
    }
  }

  void rxQueue(int queue, int descriptors, int socket, long offloads, DpdkPool pool) {
    check(
        "rte_eth_rx_queue_setup",
        DpdkLibrary.rxQueueSetup(port, queue, descriptors, socket, offloads, pool.address()));
  }

  void txQueue(int queue, int descriptors, int socket, long offloads) {
    check(
        "rte_eth_tx_queue_setup",
        DpdkLibrary.txQueueSetup(port, queue, descriptors, socket, offloads));
  }

  /** Whether the device has an MTU that could be set. */
  boolean mtu(int mtu) {
    return isSupported("rte_eth_dev_set_mtu", DpdkLibrary.setMtu(port, mtu));
  }

  /** Whether the device knows promiscuous mode. */
  boolean promiscuous() {
    return isSupported("rte_eth_promiscuous_enable", DpdkLibrary.promiscuous(port));
  }

  void start() {
    check("rte_eth_dev_start", DpdkLibrary.start(port));
  }

  void stop() {
    check("rte_eth_dev_stop", DpdkLibrary.stop(port));
  }

  /** Closes it and takes it off the bus. */
  void close() {
    check("rte_eth_dev_close", DpdkLibrary.close(port));
  }

  boolean isLinkUp() {
    return check("rte_eth_link_get_nowait", DpdkLibrary.link(port)) == 1;
  }

  PortStatistics statistics() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(JAVA_LONG, 8);
      check("rte_eth_stats_get", DpdkLibrary.stats(port, values.address()));
      long[] v = values.toArray(JAVA_LONG);
      return new PortStatistics(
          v[0], v[1], v[2], v[3], v[4] + v[5], v[5], v[6] + v[7], extendedStatistics(arena));
    }
  }

  private Map<String, Long> extendedStatistics(Arena arena) {
    int nameBytes = (int) DpdkLibrary.layout().get(ShimLayout.XSTAT_NAME_BYTES);
    int count = check("rte_eth_xstats_get", DpdkLibrary.xstats(port, 0, 0, 0));
    MemorySegment names = arena.allocate((long) nameBytes * count, 8);
    MemorySegment values = arena.allocate(JAVA_LONG, count);
    int got =
        check(
            "rte_eth_xstats_get",
            DpdkLibrary.xstats(port, names.address(), values.address(), count));
    Map<String, Long> statistics = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(got, count); i++) {
      statistics.put(names.getString((long) nameBytes * i), values.getAtIndex(JAVA_LONG, i));
    }
    return statistics;
  }

  private boolean isSupported(String call, int result) {
    return result != ENOTSUP && check(call, result) >= 0;
  }

  private int check(String call, int result) {
    if (result < 0) {
      throw new PortException(
          "DPDK call failed: call=%s, device=%s, %s; DPDK's own messages before this one may say more"
              .formatted(call, address.device(), DpdkLibrary.error(result)));
    }
    return result;
  }
}
