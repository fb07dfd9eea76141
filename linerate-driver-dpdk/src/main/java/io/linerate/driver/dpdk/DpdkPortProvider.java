package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code dpdk:DEVARGS}: a physical device by its PCI address, or a virtual one by its
 * driver's name, a number and arguments, as DPDK's {@code --vdev} takes them.
 *
 * <p>Some arguments are Linerate's own and not passed on. Offloads, each {@code auto}, {@code on}
 * or {@code off}: {@code rx-checksum}, {@code tx-checksum}, {@code tso}, {@code vlan-strip}, {@code
 * vlan-insert}, {@code scatter}, {@code multi-segment}, {@code fast-free}. And {@code
 * rss=symmetric} has the device bring both directions of a flow to the same queue, {@code
 * rssfields=ipv4+ipv4-tcp+…} names what it spreads, {@code rsskey=HEX} gives the key of its hash. A
 * device without RSS is refused with these three.
 *
 * <p>The first port starts DPDK's environment, which lives as long as the engine. There is one in a
 * process, once: the next engine with such a port needs a new process.
 */
public final class DpdkPortProvider implements PortProvider {
  /** Sockets of net_memif whose first port in this process connects. */
  private final Set<String> memifClients = new HashSet<>();

  private @Nullable Eal eal;
  private @Nullable DpdkPools pools;

  @Override
  public String scheme() {
    return "dpdk";
  }

  @Override
  public DriverPort open(PortRequest request) {
    DpdkAddress address = DpdkAddress.parse(request.address());
    address.requireNotIn(request.config().get(DpdkSettings.BLOCK));
    DpdkLibrary.requireAvailable();
    if (address.isMemif()) {
      requireServerFirst(request.name(), MemifSocket.of(address));
    }
    if (eal == null || pools == null) {
      eal = Eal.start(request.config());
      pools = new DpdkPools(request.pools(), eal);
    }
    try {
      return DpdkPort.open(pools, address, request);
    } finally {
      eal.settleLog();
    }
  }

  /** DPDK listens at a socket only if the first port that uses it does (memif_socket_init). */
  private void requireServerFirst(String port, MemifSocket socket) {
    if (!socket.isServer()) {
      memifClients.add(socket.name());
    } else if (memifClients.contains(socket.name())) {
      throw new ConfigException(
          "net_memif server is opened after its client: port=%s, socket=%s; open the port with role=server first, or exchange the roles"
              .formatted(port, socket.name()));
    }
  }

  /**
   * Ends what the ports shared.
   *
   * @throws IllegalStateException if buffers are missing: a bug. DPDK's memory stays then, so that
   *     whoever still holds a packet does not read freed memory.
   */
  @Override
  public void close() {
    if (eal != null && pools != null) {
      pools.close();
      eal.close();
    }
  }
}
