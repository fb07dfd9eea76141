package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortRequest;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How a device is configured: what is wanted, as far as the device can.
 *
 * @param rxDescriptors slots of each receive queue
 * @param txDescriptors slots of each transmit queue
 * @param offloads what the device does in place of the program
 * @param rssTypes what packets are spread over the receive queues by; 0: not at all
 * @param buffers packet buffers in its pool
 * @param roomBytes bytes of data in each
 * @param hasInterrupts whether receive queues are to say when packets come, if the driver can
 */
record DeviceSetup(
    String portName,
    int rxQueues,
    int txQueues,
    int rxDescriptors,
    int txDescriptors,
    DeviceOffloads offloads,
    long rssTypes,
    int mtu,
    int buffers,
    int roomBytes,
    int socket,
    boolean hasInterrupts) {
  private static final System.Logger LOG = System.getLogger(DeviceSetup.class.getName());

  /** Room of a buffer that most drivers want at least, RTE_MBUF_DEFAULT_DATAROOM. */
  private static final int DEFAULT_ROOM_BYTES = 2_048;

  /** Addresses and type, two VLAN tags. */
  private static final int HEADER_BYTES = 14 + 8;

  /** Addresses and type, and the frame check sequence: what DPDK adds to an MTU. */
  private static final int FRAME_OVERHEAD_BYTES = 14 + 4;

  private static final int DEFAULT_DESCRIPTORS = 1_024;

  private static final int DEFAULT_MTU = EngineConfig.DEFAULT.mtu();

  static DeviceSetup of(DpdkDevice device, DpdkAddress address, PortRequest request) {
    EngineConfig config = request.config();
    DeviceInfo info = device.info();
    int rxQueues =
        address.hasFixedRxQueues()
            ? info.maxRxQueues()
            : Math.min(request.rxQueues(), info.maxRxQueues());
    int txQueues = Math.min(request.txQueues(), info.maxTxQueues());
    int[] descriptors =
        device.adjustDescriptors(
            config.descriptors() == 0 ? DEFAULT_DESCRIPTORS : config.descriptors());
    boolean isLong = frameBytes(config.mtu()) > DEFAULT_ROOM_BYTES;
    DeviceOffloads offloads =
        DeviceOffloads.of(
            info, address, isVirtio(address), isLong && Offload.MULTI_SEGMENT.bits(info) != 0);
    int roomBytes =
        offloads.has(Offload.SCATTER)
            ? DEFAULT_ROOM_BYTES
            : Math.max(DEFAULT_ROOM_BYTES, frameBytes(config.mtu()));
    requireRoom(address, roomBytes);
    return new DeviceSetup(
        request.name(),
        rxQueues,
        txQueues,
        descriptors[0],
        descriptors[1],
        offloads,
        rxQueues > 1 ? info.rssTypes() & DpdkLibrary.layout().get(ShimLayout.RSS_TYPES) : 0,
        mtu(info, address, request),
        buffers(request, rxQueues * descriptors[0] + txQueues * descriptors[1]),
        roomBytes,
        info.socket(),
        config.idle() == Idle.INTERRUPT);
  }

  /**
   * The MTU to configure. Virtual devices name limits that their frames need not keep, and so get
   * what they accept.
   */
  private static int mtu(DeviceInfo info, DpdkAddress address, PortRequest request) {
    int wanted = request.config().mtu();
    int most = (int) Math.min(info.maxMtu(), info.maxFrameBytes() - FRAME_OVERHEAD_BYTES);
    if (wanted >= info.minMtu() && wanted <= most) {
      return wanted;
    }
    if (!address.isVirtual()) {
      throw new PortException(
          "MTU is not possible for the device: port=%s, mtu=%d, least=%d, most=%d; set mtu= between"
              .formatted(request.name(), wanted, info.minMtu(), most));
    }
    LOG.log(
        Level.WARNING,
        "virtual device does not promise frames of the MTU: port=%s, address=%s, mtu=%d, promised=%d"
            .formatted(request.name(), request.address(), wanted, most));
    return most;
  }

  /** net_null trusts its argument: frames longer than a buffer would reach into the next. */
  private static void requireRoom(DpdkAddress address, int roomBytes) {
    int size = address.number("size", 0);
    if (address.driver().equals("net_null") && size > roomBytes) {
      throw new ConfigException(
          "frames of net_null do not fit a buffer: size=%d, room=%d; set mtu=%d"
              .formatted(size, roomBytes, size));
    }
  }

  private static int frameBytes(int mtu) {
    return mtu + HEADER_BYTES;
  }

  /**
   * Whether the peer of a device may leave checksums to it: virtio, by its driver or PCI vendor.
   */
  static boolean isVirtio(DpdkAddress address) {
    if (address.isVirtual()) {
      return address.driver().equals("net_virtio_user") || address.driver().equals("net_vhost");
    }
    Path vendor = Path.of("/sys/bus/pci/devices", address.device(), "vendor");
    try {
      return Files.readString(vendor).strip().equals("0x1af4");
    } catch (IOException e) {
      return false;
    }
  }

  /** Full rings and what the workers hold must not exhaust the pool. */
  private static int buffers(PortRequest request, int inRings) {
    EngineConfig config = request.config();
    int held = config.rxBurst() + config.txBurst() + config.freeBurst() + 2 * DpdkPool.CACHE;
    int needed = inRings + config.mostWorkers() * held;
    if (needed > config.buffers()) {
      LOG.log(
          Level.INFO,
          "port gets more packet buffers than configured, for its rings: port=%s, buffers=%d, configured=%d"
              .formatted(request.name(), needed, config.buffers()));
    }
    return Math.max(needed, config.buffers());
  }

  /** Configures the device and its queues. */
  void apply(DpdkDevice device, DpdkPool pool) {
    long rxOffloads = offloads.rxBits();
    long txOffloads = offloads.txBits();
    device.configure(rxQueues, txQueues, mtu, rxOffloads, txOffloads, rssTypes, hasInterrupts);
    if (mtu != DEFAULT_MTU && !device.mtu(mtu)) {
      LOG.log(
          Level.INFO,
          "device has no MTU to set, frames are as long as it lets them be: port={0}, mtu={1}",
          portName,
          mtu);
    }
    for (int queue = 0; queue < rxQueues; queue++) {
      device.rxQueue(queue, rxDescriptors, socket, rxOffloads, pool);
    }
    for (int queue = 0; queue < txQueues; queue++) {
      device.txQueue(queue, txDescriptors, socket, txOffloads);
    }
  }
}
