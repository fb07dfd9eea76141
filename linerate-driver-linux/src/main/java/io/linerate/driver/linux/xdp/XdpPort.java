package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.SteeringTable;
import io.linerate.driver.linux.LinuxPort;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.packet.SuperPacketSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Queues of a network interface, taken from the kernel's stack: a socket for each. */
final class XdpPort extends LinuxPort<XdpRxQueue, XdpTxQueue> {
  private static final System.Logger LOG = System.getLogger(XdpPort.class.getName());

  /** How long the kernel may take to send what was given to it, when the port is closed. */
  private static final long LAST_SEND_NS = 100_000_000;

  private final XdpPlan plan;
  private final Umem umem;
  private final Redirect redirect;
  private final int numaNode;
  private final List<XdpSocket> sockets = new ArrayList<>();
  private final List<Integer> marks = new ArrayList<>();
  private final SteeringTable steering;
  private @Nullable Promiscuity promiscuity;
  private boolean isZeroCopy;
  private @Nullable PortStatistics last;

  private XdpPort(XdpPlan plan, PortRequest request, Umem umem, Redirect redirect) {
    super(request);
    this.plan = plan;
    this.umem = umem;
    this.redirect = redirect;
    steering = new SteeringTable(request.name(), plan.sockets(), redirect::steer);
    numaNode = numaNode(plan.networkInterface().name());
  }

  private static int numaNode(String interfaceName) {
    Path node = Path.of("/sys/class/net", interfaceName, "device", "numa_node");
    try {
      return Integer.parseInt(Files.readString(node).strip());
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }

  /** Attaches the program and binds the sockets; frames come when the port is started. */
  static XdpPort open(XdpPlan plan, PortRequest request, Umem umem) {
    umem.reserve(request.name(), plan.ringBuffers());
    XdpPort port = null;
    try {
      Redirect redirect = Redirect.attach(plan, request.name());
      port = new XdpPort(plan, request, umem, redirect);
      port.bind();
      return port;
    } catch (RuntimeException e) {
      if (port == null) {
        umem.unreserve(plan.ringBuffers());
      } else {
        port.close();
      }
      throw e;
    }
  }

  private void bind() {
    new SocketBinding(plan, umem, redirect.mode()).bind(sockets);
    isZeroCopy = sockets.getFirst().isZeroCopy();
    FillRing fill = null;
    CompletionRing completion = null;
    for (XdpSocket socket : sockets) {
      int mark = umem.nextMark();
      marks.add(mark);
      if (fill == null || completion == null || !plan.isSpread()) {
        fill = new FillRing(socket, umem, mark, plan.isSpread());
        completion = new CompletionRing(socket, umem);
      }
      if (plan.address().busyPollUs() > 0) {
        socket.busyPoll(plan.address().busyPollUs());
      }
      socket.raiseTxBudget();
      rxQueues.add(new XdpRxQueue(plan, name(), socket, umem, fill));
      if (plan.txQueues().contains(socket.queue())) {
        XdpTxQueue queue =
            new XdpTxQueue(
                plan, name(), socket, umem, request.pools(), completion, superPackets(), mark);
        completion.add(queue, mark);
        txQueues.add(queue);
      }
    }
    umem.addSenders(txQueues);
    if (request.config().promiscuous()) {
      promiscuity = new Promiscuity(plan.networkInterface());
    }
    LOG.log(
        Level.DEBUG,
        "port is open: port={0}, mode={1}, zerocopy={2}, queues={3}, chunk={4}",
        name(),
        redirect.mode(),
        isZeroCopy,
        plan.queues(),
        umem.chunkBytes());
    if (redirect.mode() == XdpMode.GENERIC) {
      LOG.log(
          Level.INFO,
          "generic XDP: the kernel does not say of how many bytes each packet is that a longer one stands for; such TCP is cut to the MTU of where it leaves, such UDP is dropped as tx_too_long: port={0}, interface={1}; use mode=native where the driver has it, or have senders on this machine cut: sudo ethtool -K PEER tso off gso off",
          name(),
          plan.networkInterface().name());
    }
  }

  /**
   * Of a veth with one queue, which hands on at once what it is given: elsewhere what is sent by
   * the ring and by a socket of the kernel's waits in two queues.
   */
  private @Nullable SuperPacketSocket superPackets() {
    NetInterface its = plan.networkInterface();
    return its.driver().equals("veth") && its.txQueues() == 1 ? SuperPacketSocket.open(its) : null;
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(
        request.name(), request.address(), rxQueues.size(), txQueues.size(), numaNode);
  }

  @Override
  protected NetInterface netInterface() {
    return plan.networkInterface();
  }

  @Override
  public PacketPool pool() {
    return umem.pool();
  }

  @Override
  public void start() {
    for (int i = 0; i < sockets.size(); i++) {
      rxQueues.get(i).prepare();
      redirect.add(plan.isSpread() ? i : sockets.get(i).queue(), sockets.get(i).descriptor());
    }
  }

  /** Rules that name another queue than the device are refused where they cannot be kept. */
  @Override
  public @Nullable FlowSteering steering() {
    return sockets.size() > 1 ? steering : null;
  }

  @Override
  public synchronized PortStatistics statistics() {
    return last == null ? count() : last;
  }

  private PortStatistics count() {
    SocketStatistics kernel =
        sockets.stream()
            .map(XdpSocket::statistics)
            .reduce(SocketStatistics.NONE, SocketStatistics::plus);
    long[] rx = QueueCounts.sum(XdpRxQueue.COUNTERS, rxQueues.stream().map(queue -> queue.counts));
    long[] tx = QueueCounts.sum(XdpTxQueue.COUNTERS, txQueues.stream().map(queue -> queue.counts));
    Map<String, Long> extended = new LinkedHashMap<>();
    extended.put("rx_dropped", kernel.rxDropped());
    extended.put("rx_ring_full", kernel.rxRingFull());
    extended.put("rx_fill_ring_empty", kernel.fillRingEmpty());
    extended.put("rx_invalid_descs", kernel.rxInvalid());
    extended.put("tx_invalid_descs", kernel.txInvalid());
    extended.put("tx_ring_empty", kernel.txRingEmpty());
    extended.put("rx_calls", rx[XdpRxQueue.CALLS]);
    extended.put("tx_calls", tx[XdpTxQueue.CALLS]);
    extended.put("rx_checksums_finished", rx[XdpRxQueue.FINISHED_CHECKSUMS]);
    extended.put("tx_copies", tx[XdpTxQueue.COPIES]);
    extended.put("tx_super_packets", tx[XdpTxQueue.SUPER_PACKETS]);
    extended.put("is_native", redirect.mode() == XdpMode.NATIVE ? 1L : 0L);
    extended.put("is_zerocopy", isZeroCopy ? 1L : 0L);
    return new PortStatistics(
        rx,
        tx,
        kernel.rxDropped() + kernel.rxRingFull(),
        kernel.rxInvalid() + kernel.txInvalid() + tx[XdpTxQueue.ERRORS],
        extended);
  }

  @Override
  public synchronized void close() {
    if (last != null) {
      return;
    }
    steering.close();
    redirect.close();
    sendTheRest();
    umem.removeSenders(txQueues);
    rxQueues.forEach(XdpRxQueue::close);
    txQueues.forEach(XdpTxQueue::close);
    last = count();
    sockets.forEach(XdpSocket::close);
    // The kernel has let go of all that these sockets held.
    marks.forEach(umem::reclaim);
    umem.unreserve(plan.ringBuffers());
    if (promiscuity != null) {
      promiscuity.close();
    }
  }

  private void sendTheRest() {
    long start = System.nanoTime();
    txQueues.forEach(XdpTxQueue::drain);
    while (txQueues.stream().anyMatch(XdpTxQueue::isBusy)
        && System.nanoTime() - start < LAST_SEND_NS) {
      txQueues.forEach(XdpTxQueue::drain);
      Thread.onSpinWait();
    }
  }
}
