package io.linerate.driver.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.linerate.core.driver.Errno;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortStatistics;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A device that DPDK has opened, by its port number. Failures become {@link PortException}s that
 * name the call.
 *
 * @param port the number that DPDK gave it
 */
record DpdkDevice(DpdkAddress address, int port) {
  /**
   * Has DPDK open a device.
   *
   * @throws PortException if it is open already, or there is none
   */
  static DpdkDevice probe(DpdkAddress address) {
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom(address.device()).address();
      if (ShimFunction.PORT_BY_NAME.call(name) >= 0) {
        throw new PortException(
            "DPDK device is in use already: device=%s; %s"
                .formatted(
                    address.device(),
                    address.isVirtual()
                        ? "give it another number, such as " + address.driver() + "1"
                        : "name it once"));
      }
      if (address.isMemif()) {
        MemifSocket.of(address).removeLeftover();
      }
      int result = ShimFunction.PROBE.call(arena.allocateFrom(address.devargs()).address());
      if (result >= 0) {
        result = ShimFunction.PORT_BY_NAME.call(name);
      }
      if (result < 0) {
        throw notOpened(address, result);
      }
      DpdkDevice device = new DpdkDevice(address, result);
      if (address.driver().equals("net_tap")) {
        device.requireInterface();
      }
      return device;
    }
  }

  /** A net_tap that does not know one of its arguments uses none (rte_pmd_tap_probe). */
  private void requireInterface() {
    String wanted = address.text("iface");
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/net/dev"))) {
      if (wanted.isEmpty() || lines.anyMatch(line -> line.strip().startsWith(wanted + ":"))) {
        return;
      }
    } catch (IOException e) {
      return; // It cannot be seen.
    }
    close();
    throw new PortException(
        "net_tap has not made its interface, since it does not know an argument: interface=%s, devargs=%s; it knows iface, mac and remote"
            .formatted(wanted, address.devargs()));
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
                result == -Errno.EPERM || result == -Errno.EACCES || !isRoot()
                    ? "; or run as root, which most devices need"
                    : ""));
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  DeviceInfo info() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment v = arena.allocate(JAVA_LONG, DeviceInfo.VALUES);
      check("rte_eth_dev_info_get", ShimFunction.DEVICE_INFO.call(port, v.address()));
      return new DeviceInfo(
          (int) v.getAtIndex(JAVA_LONG, 0),
          (int) v.getAtIndex(JAVA_LONG, 1),
          v.getAtIndex(JAVA_LONG, 2),
          v.getAtIndex(JAVA_LONG, 3),
          v.getAtIndex(JAVA_LONG, 4),
          (int) v.getAtIndex(JAVA_LONG, 5),
          (int) v.getAtIndex(JAVA_LONG, 6),
          (int) v.getAtIndex(JAVA_LONG, 7),
          v.getAtIndex(JAVA_LONG, 8),
          (int) v.getAtIndex(JAVA_LONG, 9),
          (int) v.getAtIndex(JAVA_LONG, 10));
    }
  }

  /**
   * @param hasInterrupts whether receive queues are to have them, if the driver can
   */
  void configure(
      int rxQueues,
      int txQueues,
      int mtu,
      long rxOffloads,
      long txOffloads,
      long rssTypes,
      boolean hasInterrupts) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values =
          arena.allocateFrom(
              JAVA_LONG,
              rxQueues,
              txQueues,
              mtu,
              rxOffloads,
              txOffloads,
              rssTypes,
              hasInterrupts ? 1 : 0);
      int result = ShimFunction.CONFIGURE.call(port, values.address());
      if (result < 0 && hasInterrupts) {
        values.setAtIndex(JAVA_LONG, 6, 0);
        result = ShimFunction.CONFIGURE.call(port, values.address());
      }
      check("rte_eth_dev_configure", result);
    }
  }

  /** Descriptors of a receive and of a transmit queue that it can have, next to what is wanted. */
  int[] adjustDescriptors(int wanted) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment counts = arena.allocateFrom(JAVA_INT, wanted, wanted);
      check(
          "rte_eth_dev_adjust_nb_rx_tx_desc",
          ShimFunction.ADJUST_DESCRIPTORS.call(port, counts.address()));
      return counts.toArray(JAVA_INT);
    }
  }

  void rxQueue(int queue, int descriptors, int socket, long offloads, DpdkPool pool) {
    check(
        "rte_eth_rx_queue_setup",
        ShimFunction.RX_QUEUE_SETUP.call(
            port, queue, descriptors, socket, offloads, pool.address()));
  }

  void txQueue(int queue, int descriptors, int socket, long offloads) {
    check(
        "rte_eth_tx_queue_setup",
        ShimFunction.TX_QUEUE_SETUP.call(port, queue, descriptors, socket, offloads));
  }

  /** Whether the device has an MTU that could be set. */
  boolean mtu(int mtu) {
    return isSupported("rte_eth_dev_set_mtu", ShimFunction.SET_MTU.call(port, mtu));
  }

  /** Whether the device knows promiscuous mode. */
  boolean promiscuous() {
    return isSupported("rte_eth_promiscuous_enable", ShimFunction.PROMISCUOUS.call(port));
  }

  void start() {
    check("rte_eth_dev_start", tryStart());
  }

  /** Starts it, if that is possible already; returns 0 or {@code -errno}. */
  int tryStart() {
    return ShimFunction.START.call(port);
  }

  void stop() {
    check("rte_eth_dev_stop", ShimFunction.STOP.call(port));
  }

  /** Closes it and takes it off the bus. */
  void close() {
    check("rte_eth_dev_close", ShimFunction.CLOSE.call(port));
  }

  boolean isLinkUp() {
    return check("rte_eth_link_get_nowait", ShimFunction.LINK.call(port)) == 1;
  }

  PortStatistics statistics() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(JAVA_LONG, 8);
      check("rte_eth_stats_get", ShimFunction.STATS.call(port, values.address()));
      long[] v = values.toArray(JAVA_LONG);
      return new PortStatistics(
          v[0], v[1], v[2], v[3], v[4] + v[5], v[5], v[6] + v[7], extendedStatistics(arena));
    }
  }

  private Map<String, Long> extendedStatistics(Arena arena) {
    int nameBytes = (int) DpdkLibrary.layout().get(ShimLayout.XSTAT_NAME_BYTES);
    int count = check("rte_eth_xstats_get", ShimFunction.XSTATS.call(port, 0, 0, 0));
    MemorySegment names = arena.allocate((long) nameBytes * count, 8);
    MemorySegment values = arena.allocate(JAVA_LONG, count);
    int got =
        check(
            "rte_eth_xstats_get",
            ShimFunction.XSTATS.call(port, names.address(), values.address(), count));
    Map<String, Long> statistics = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(got, count); i++) {
      statistics.put(names.getString((long) nameBytes * i), values.getAtIndex(JAVA_LONG, i));
    }
    return statistics;
  }

  private boolean isSupported(String call, int result) {
    return result != -Errno.EOPNOTSUPP && check(call, result) >= 0;
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
