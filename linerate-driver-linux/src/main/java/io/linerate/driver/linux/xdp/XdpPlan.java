package io.linerate.driver.linux.xdp;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortRequest;
import io.linerate.driver.linux.Capabilities;
import io.linerate.driver.linux.Capabilities.Capability;
import io.linerate.driver.linux.NetInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a port will be, found out before anything is touched.
 *
 * @param queues of the device, a socket for each; with {@code spread}, one queue and several
 *     sockets
 * @param entries slots of each ring
 */
record XdpPlan(
    XdpAddress address,
    NetInterface networkInterface,
    List<Integer> queues,
    int entries,
    EngineConfig config) {
  private static final int ETHERNET_BYTES = 14;
  private static final int VLAN_BYTES = 4;
  private static final int MIN_ENTRIES = 64;

  /**
   * Slots where nobody says how many, of all queues together and of each. A TCP sender in this
   * machine waits for nothing, and has as many packets on their way as its window of 6 MiB allows.
   */
  private static final int ALL_ENTRIES = 16_384;

  private static final int LEAST_ENTRIES = 1_024;
  private static final int MOST_ENTRIES = 4_096;

  /** Devices that other parts of this machine send through, and leave checksums unfinished. */
  private static final Set<String> LOCAL_DRIVERS =
      Set.of("veth", "tun", "bridge", "macvlan", "ipvlan", "virtio_net", "vif");

  /**
   * Looks at the interface and at what this process may do.
   *
   * @throws PortException if it cannot become a port
   */
  static XdpPlan of(XdpAddress address, NetInterface networkInterface, PortRequest request) {
    requireEthernet(networkInterface);
    requireUp(networkInterface);
    requireCapabilities(address);
    List<Integer> queues = queues(address, networkInterface);
    requireOneToSpread(address, queues);
    return new XdpPlan(
        address,
        networkInterface,
        queues,
        entries(request.config().descriptors(), Math.max(address.spread(), queues.size())),
        request.config());
  }

  private static void requireEthernet(NetInterface networkInterface) {
    int type = networkInterface.hardwareType();
    if (type != NetInterface.ETHERNET && type != NetInterface.LOOPBACK) {
      throw new PortException(
          "not an Ethernet interface: interface=%s, type=%d; use libpcap:%s"
              .formatted(networkInterface.name(), type, networkInterface.name()));
    }
  }

  private static void requireUp(NetInterface networkInterface) {
    if (!networkInterface.isUp()) {
      throw new PortException(
          "interface is down: interface=%s; run: sudo ip link set dev %s up"
              .formatted(networkInterface.name(), networkInterface.name()));
    }
  }

  private static void requireCapabilities(XdpAddress address) {
    Capabilities have = Capabilities.read();
    List<String> missing = new ArrayList<>();
    for (Capability needed :
        List.of(Capability.CAP_NET_RAW, Capability.CAP_NET_ADMIN, Capability.CAP_BPF)) {
      boolean isImplied = needed == Capability.CAP_BPF && have.has(Capability.CAP_SYS_ADMIN);
      if (!have.has(needed) && !isImplied) {
        missing.add(needed.name());
      }
    }
    if (!missing.isEmpty()) {
      throw new PortException(
          "no permission to use AF_XDP: interface=%s, missing=%s; run as root, or with: setpriv --inh-caps +net_raw,+net_admin,+bpf,+ipc_lock --ambient-caps +net_raw,+net_admin,+bpf,+ipc_lock"
              .formatted(address.interfaceName(), String.join(",", missing)));
    }
  }

  private static List<Integer> queues(XdpAddress address, NetInterface networkInterface) {
    int there = networkInterface.rxQueues();
    if (address.queues().isEmpty()) {
      return IntStream.range(0, there).boxed().toList();
    }
    int last = address.queues().getLast();
    if (last >= there) {
      throw new PortException(
          "interface has no such queue: interface=%s, queue=%d, queues=%d, possible=%d; %s"
              .formatted(
                  networkInterface.name(),
                  last,
                  there,
                  networkInterface.maxQueues(),
                  last < networkInterface.maxQueues()
                      ? "run: ethtool -L %s combined %d (or rx %d tx %d)"
                          .formatted(networkInterface.name(), last + 1, last + 1, last + 1)
                      : "use queues=0-" + (there - 1)));
    }
    return address.queues();
  }

  /** The kernel gives a frame to sockets of its queue only: xsk_rcv_check of net/xdp/xsk.c. */
  private static void requireOneToSpread(XdpAddress address, List<Integer> queues) {
    if (address.spread() > 0 && queues.size() > 1) {
      throw new PortException(
          "frames of one queue of the device only can be shared out: interface=%s, spread=%d, queues=%d; set queues=0 and leave the device one queue (sudo ethtool -L %s combined 1, or rx 1)"
              .formatted(
                  address.interfaceName(),
                  address.spread(),
                  queues.size(),
                  address.interfaceName()));
    }
  }

  private static int entries(int descriptors, int queues) {
    if (descriptors > 0) {
      return Math.max(MIN_ENTRIES, powerOfTwo(descriptors));
    }
    int each = Integer.highestOneBit(ALL_ENTRIES / queues);
    return Math.clamp(each, LEAST_ENTRIES, MOST_ENTRIES);
  }

  private static int powerOfTwo(int atLeast) {
    return Integer.highestOneBit(2 * atLeast - 1);
  }

  /** Bytes of the longest frame that the interface takes: is_skb_forwardable, net/core/dev.c. */
  int maxFrameBytes() {
    return networkInterface.mtuBytes() + ETHERNET_BYTES + VLAN_BYTES;
  }

  /** Bytes of the longest frame that there may be, here or at other ports. */
  int frameBytes() {
    int mtu = Math.max(networkInterface.mtuBytes(), config.mtu());
    return mtu + Segmenter.LINK_BYTES;
  }

  /** Whether frames may be longer than a chunk. */
  boolean needsSegments(Umem umem) {
    return maxFrameBytes() > umem.roomBytes();
  }

  /** How many there are: the receive queues of the port. */
  int sockets() {
    return Math.max(address.spread(), queues.size());
  }

  /** Whether several sockets have one queue of the device, and one fill and completion ring. */
  boolean isSpread() {
    return address.spread() > 0;
  }

  /** Slots of the completion ring of a queue of the device; its fill ring has twice as many. */
  int queueEntries() {
    return entries * powerOfTwo(Math.max(address.spread(), 1));
  }

  /** Buffers that full rings of this port hold: fill rings, transmit rings. */
  int ringBuffers() {
    return ringBuffers(entries);
  }

  private int ringBuffers(int each) {
    int fill = queues.size() * 2 * powerOfTwo(Math.max(address.spread(), 1));
    return (fill + sockets()) * each;
  }

  /**
   * Buffers for this port and another like it, or what is configured; both if the rings of others
   * may be shorter.
   */
  int sharedBuffers() {
    int ofTwo = 2 * ringBuffers();
    return isAdaptable() ? ofTwo + config.buffers() : Math.max(config.buffers(), ofTwo);
  }

  /** Whether nobody said how long the rings are. */
  private boolean isAdaptable() {
    return config.descriptors() == 0;
  }

  /** With shorter rings, if need be and nobody said how long, for no more buffers than these. */
  XdpPlan fitting(int buffers) {
    int fewer = entries;
    while (isAdaptable() && ringBuffers(fewer) > buffers && fewer > MIN_ENTRIES) {
      fewer >>= 1;
    }
    return new XdpPlan(address, networkInterface, queues, fewer, config);
  }

  /** Queues that can send: the device may have fewer transmit queues than receive queues. */
  List<Integer> txQueues() {
    return queues.stream().filter(queue -> queue < networkInterface.txQueues()).toList();
  }

  boolean finishesChecksums() {
    return switch (address.checksum()) {
      case ON -> true;
      case OFF -> false;
      case AUTO -> LOCAL_DRIVERS.contains(networkInterface.driver());
    };
  }
}
