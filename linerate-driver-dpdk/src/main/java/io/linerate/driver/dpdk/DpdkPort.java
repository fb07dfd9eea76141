package io.linerate.driver.dpdk;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.ClosingSteps;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A DPDK device as a port. */
final class DpdkPort implements DriverPort {
  private static final System.Logger LOG = System.getLogger(DpdkPort.class.getName());
  private static final long LINK_WAIT_MS = 2_000;
  private static final long LINK_POLL_MS = 10;

  /** Of the packets of net_null where its address says nothing: rte_eth_null.c. */
  private static final int NULL_BYTES = 64;

  private final PortRequest request;
  private final DpdkAddress address;
  private final DpdkDevice device;
  private final DeviceSetup setup;
  private final DpdkPool pool;
  private final DpdkSteering steering;
  private final boolean attachesThreads;
  private final DpdkRxQueue[] rxQueues;

  /** One before each of those; none where the device is no interface of the kernel. */
  private final List<KernelRxQueue> kernelQueues;

  private final DpdkTxQueue[] txQueues;

  /**
   * One for each queue, or none when the device's own counts serve: those of net_memif begin again
   * at 0 when its peer goes (memif_disconnect in rte_eth_memif.c).
   */
  private final List<QueueCounts> rxCounts;

  private final List<QueueCounts> txCounts;
  private final @Nullable MemifClient client;
  private boolean started;
  private @Nullable PortStatistics last;

  private DpdkPort(
      PortRequest request,
      DpdkAddress address,
      DpdkDevice device,
      DeviceSetup setup,
      DpdkPool pool,
      boolean attachesThreads) {
    this.request = request;
    this.address = address;
    this.device = device;
    this.setup = setup;
    this.pool = pool;
    this.attachesThreads = attachesThreads;
    steering = new DpdkSteering(request.name(), device, setup.rxQueues());
    rxQueues = new DpdkRxQueue[setup.rxQueues()];
    for (int i = 0; i < rxQueues.length; i++) {
      rxQueues[i] =
          new DpdkRxQueue(
              device.port(),
              i,
              pool,
              setup.hasInterrupts(),
              setup.offloads().has(Offload.VLAN_STRIP));
    }
    kernelQueues =
        address.isInterface()
            ? Stream.of(rxQueues)
                .map(queue -> new KernelRxQueue(queue, request.pools(), FrameLimits.ring(address)))
                .toList()
            : List.of();
    txQueues = new DpdkTxQueue[setup.txQueues()];
    FrameLimits limits = FrameLimits.of(address, setup.mtu());
    PlainPackets plain = PlainPackets.of(setup.offloads(), request.pools(), pool);
    boolean isTap = address.driver().equals("net_tap");
    for (int i = 0; i < txQueues.length; i++) {
      TxPreparation preparation = new TxPreparation(setup.offloads(), setup.mtu(), isTap);
      txQueues[i] =
          new DpdkTxQueue(device.port(), i, pool, setup.mtu(), limits, plain, preparation);
    }
    boolean isCounted = address.isMemif();
    client =
        isCounted && !MemifSocket.of(address).isServer()
            ? new MemifClient(request.name(), device, MemifSocket.of(address))
            : null;
    rxCounts = counts(isCounted ? rxQueues.length : 0);
    txCounts = counts(isCounted ? txQueues.length : 0);
  }

  private static List<QueueCounts> counts(int count) {
    return Stream.generate(() -> new QueueCounts(2)).limit(count).toList();
  }

  /** Opens a device and sets it up; it is started later. */
  static DpdkPort open(DpdkPools pools, DpdkAddress address, PortRequest request) {
    DpdkDevice device = DpdkDevice.probe(address);
    DpdkPool pool = null;
    try {
      DeviceSetup setup = DeviceSetup.of(device, address, request);
      pool =
          pools.create(
              "linerate-" + device.port(),
              setup.buffers(),
              (int) DpdkLibrary.layout().get(ShimLayout.HEADROOM_BYTES),
              setup.roomBytes(),
              setup.socket());
      setup.apply(device, pool);
      DpdkPort port = new DpdkPort(request, address, device, setup, pool, pools.attachesThreads());
      pools.keep(pool);
      return port;
    } catch (RuntimeException e) {
      try {
        device.close();
        if (pool != null) {
          pool.close(); // After the device, whose queues refer to it.
        }
      } catch (RuntimeException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(
        request.name(), request.address(), rxQueues.length, txQueues.length, setup.socket());
  }

  @Override
  public synchronized RxQueue rxQueue(int index) {
    RxQueue queue = kernelQueues.isEmpty() ? rxQueues[index] : kernelQueues.get(index);
    if (address.driver().equals("net_pcap")) {
      queue = new PcapTimeRxQueue(queue);
    } else if (setup.offloads().has(Offload.RX_CHECKSUM) && DeviceSetup.isVirtio(address)) {
      queue = new FinishingRxQueue(queue);
    }
    return rxCounts.isEmpty() ? queue : new CountingRxQueue(queue, rxCounts.get(index), gate());
  }

  @Override
  public synchronized TxQueue txQueue(int index) {
    TxQueue queue = txQueues[index];
    return txCounts.isEmpty() ? queue : new CountingTxQueue(queue, txCounts.get(index), gate());
  }

  private QueueGate gate() {
    return client == null ? new QueueGate(true) : client.newGate();
  }

  @Override
  public PacketPool pool() {
    return pool;
  }

  @Override
  public @Nullable FlowSteering steering() {
    return rxQueues.length > 1 ? steering : null;
  }

  @Override
  public synchronized void start() {
    if (request.config().promiscuous() && !device.promiscuous()) {
      LOG.log(Level.DEBUG, "device knows no promiscuous mode: port={0}", name());
    }
    if (client == null) {
      device.start();
    } else {
      client.begin();
    }
    started = true;
    warnOfCuts();
    address.rss().apply(steering, name(), setup.rxQueues());
    steering.start();
    boolean mayHaveLink = client == null || client.isStarted();
    if (mayHaveLink && !waitForLink()) {
      LOG.log(
          Level.WARNING,
          "port has no link yet: port={0}, address={1}; packets flow when its peer is up",
          name(),
          address());
    }
  }

  /** Sleeps for a moment; returns whether nobody interrupts it. */
  private static boolean pause() {
    try {
      Thread.sleep(LINK_POLL_MS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void warnOfCuts() {
    int ringBytes = FrameLimits.ring(address);
    if (ringBytes > 0) {
      LOG.log(
          Level.WARNING,
          "driver cuts what the kernel has put together, as of TCP flows and fragments, and such packets are lost: port={0}, address={1}, longestBytes={2}; use packet:{3}",
          name(),
          address(),
          ringBytes,
          address.text("iface"));
    }
  }

  /** The peer of a virtual device may come at any time; a cable is there or not. */
  private boolean waitForLink() {
    long polls = address.isVirtual() ? 0 : LINK_WAIT_MS / LINK_POLL_MS;
    while (!device.isLinkUp()) {
      if (polls-- == 0 || !pause()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void attachThread() {
    int result = attachesThreads ? ShimFunction.THREAD_ATTACH.call() : 0;
    if (result < 0) {
      LOG.log(
          Level.WARNING,
          "thread has no buffer cache, and so is slower: port={0}, {1}; run fewer workers",
          name(),
          DpdkLibrary.error(result));
    }
  }

  @Override
  public void detachThread() {
    if (attachesThreads) {
      int _ = ShimFunction.THREAD_DETACH.call();
    }
  }

  @Override
  public boolean hasLink() {
    return true;
  }

  /** Connects again, too, if the port is a client whose server has come back. */
  @Override
  public synchronized boolean isLinkUp() {
    boolean isRunning = last == null && started;
    boolean isUp = isRunning && device.isLinkUp();
    if (isRunning && client != null) {
      client.look(isUp);
    }
    return isUp;
  }

  @Override
  public synchronized PortStatistics statistics() {
    return last == null ? count() : last;
  }

  private PortStatistics count() {
    PortStatistics counted = device.statistics();
    long[] rx = {counted.rxPackets(), counted.rxBytes()};
    long[] tx = {counted.txPackets(), counted.txBytes()};
    if (!rxCounts.isEmpty()) {
      rx = QueueCounts.sum(2, rxCounts.stream());
      tx = QueueCounts.sum(2, txCounts.stream());
    }
    if (address.driver().equals("net_null")) { // It counts packets only, all of one length.
      rx[QueueCounts.BYTES] = rx[QueueCounts.PACKETS] * address.number("size", NULL_BYTES);
    }
    long refused = Stream.of(txQueues).mapToLong(DpdkTxQueue::refusedPackets).sum();
    long[] cut = QueueCounts.sum(2, kernelQueues.stream().map(KernelRxQueue::cut));
    return new PortStatistics(
            rx[QueueCounts.PACKETS] - cut[QueueCounts.PACKETS],
            rx[QueueCounts.BYTES] - cut[QueueCounts.BYTES],
            tx[QueueCounts.PACKETS],
            tx[QueueCounts.BYTES],
            counted.missed(),
            counted.noBuffers(),
            counted.errors() + refused + cut[QueueCounts.PACKETS],
            counted.extended())
        .withExtended(setup.offloads().flags());
  }

  @Override
  public synchronized void close() {
    if (last != null) {
      return;
    }
    last = PortStatistics.NONE; // If it cannot be counted.
    ClosingSteps steps = new ClosingSteps("port is not closed as it should: port=" + name());
    steps.take(() -> last = count());
    steps.take(steering::close);
    steps.take(this::stop);
    steps.take(this::closeQueues);
    steps.take(device::close);
    steps.end();
  }

  private void stop() {
    if (started) {
      if (address.driver().equals("net_ring")) {
        drain();
      }
      if (client == null || client.isStarted()) {
        device.stop();
      }
    }
  }

  private void closeQueues() {
    List.of(rxQueues).forEach(DpdkRxQueue::close);
    List.of(txQueues).forEach(DpdkTxQueue::close);
  }

  /** DPDK frees the rings of net_ring, but not what is in them. */
  private void drain() {
    MbufArray left = new MbufArray(256);
    for (DpdkRxQueue queue : rxQueues) {
      while (queue.receive(left) > 0) {
        request.pools().free(left.address(), left.size());
        left.clear();
      }
    }
  }
}
