package io.linerate.driver.pcap.libpcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.FilterSettings;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.driver.linux.LinuxPort;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.pcap.libpcap.LibpcapAddress.Precision;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An interface or a file behind libpcap. What sends is opened when a program first wants it. */
final class LibpcapPort extends LinuxPort<LibpcapRxQueue, LibpcapTxQueue> {
  private static final int HEADROOM_BYTES = 128;
  private static final int MIN_ROOM_BYTES = 2_048;

  private static final Set<LinkType> COOKED = Set.of(LinkType.LINUX_SLL, LinkType.LINUX_SLL2);

  private final LibpcapAddress address;
  private final LibpcapHandle receiver;
  private final BufferPool pool;
  private final @Nullable NetInterface netInterface;
  private final LibpcapLosses losses = new LibpcapLosses();
  private boolean isClosed;

  private LibpcapPort(PortRequest request, LibpcapAddress address, LibpcapHandle receiver) {
    super(request);
    this.address = address;
    this.receiver = receiver;
    // Not every device is an interface, and a file is none.
    netInterface =
        NetInterface.names().contains(address.device())
            ? NetInterface.read(address.device())
            : null;
    int room = Math.max(MIN_ROOM_BYTES, request.config().mtu() + Segmenter.LINK_BYTES);
    pool =
        request
            .pools()
            .create(
                request.name(),
                request.config().buffers(),
                HEADROOM_BYTES,
                Math.min(room, Mbuf.MAX_SEGMENT_BYTES - HEADROOM_BYTES));
    rxQueues.add(new LibpcapRxQueue(receiver, pool));
  }

  static LibpcapPort open(PortRequest request, LibpcapAddress address) {
    LibpcapHandle receiver = receiver(request, address);
    try {
      return new LibpcapPort(request, address, receiver);
    } catch (RuntimeException e) {
      receiver.close();
      throw e;
    }
  }

  private static LibpcapHandle receiver(PortRequest request, LibpcapAddress address) {
    if (address.file() != null) {
      boolean isMicro = address.precision() == Precision.MICRO;
      int precision = isMicro ? Libpcap.PRECISION_MICRO : Libpcap.PRECISION_NANO;
      return LibpcapHandle.reader(address.file(), precision, address.filter());
    }
    Boolean promiscuous = address.promiscuous();
    return LibpcapHandle.receiver(
        address,
        promiscuous == null ? request.config().promiscuous() : promiscuous,
        FilterSettings.kernelProgram(request.config()));
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(request, 1, address.file() == null ? request.txQueues() : 0);
  }

  @Override
  public PacketPool pool() {
    return pool;
  }

  @Override
  protected @Nullable NetInterface netInterface() {
    return netInterface;
  }

  @Override
  public Set<LinkType> linkTypes() {
    return Set.of(receiver.linkType());
  }

  /** A cooked header is one that the kernel makes up: nothing can be sent with it. */
  @Override
  public boolean transmits(LinkType type) {
    return type.equals(receiver.linkType()) && !COOKED.contains(type);
  }

  @Override
  public void start() {
    if (address.file() == null) {
      receiver.acceptFiltered();
    }
  }

  @Override
  public RxQueue rxQueue(int index) {
    if (index != 0) {
      throw new IndexOutOfBoundsException(
          "port has one receive queue: port=" + name() + ", queue=" + index);
    }
    return super.rxQueue(index);
  }

  @Override
  public synchronized TxQueue txQueue(int index) {
    if (address.file() != null) {
      throw new ConfigException(
          "port only reads a file: port=%s, address=%s; send through another, such as pcap:tx=PATH"
              .formatted(name(), address()));
    }
    Objects.checkIndex(index, txQueues());
    while (txQueues.size() <= index) {
      txQueues.add(openTxQueue());
    }
    return super.txQueue(index);
  }

  private LibpcapTxQueue openTxQueue() {
    if (isClosed) {
      throw new IllegalStateException("port is closed: port=" + name() + "; open another");
    }
    int mtu = netInterface == null ? Integer.MAX_VALUE : netInterface.mtuBytes();
    return new LibpcapTxQueue(
        LibpcapHandle.sender(address.device(), address.linkType()), request.pools(), mtu);
  }

  @Override
  public synchronized PortStatistics statistics() {
    losses.read(receiver);
    long[] rx =
        QueueCounts.sum(LibpcapRxQueue.COUNTERS, rxQueues.stream().map(queue -> queue.counts));
    long[] tx =
        QueueCounts.sum(LibpcapTxQueue.COUNTERS, txQueues.stream().map(queue -> queue.counts));
    Map<String, Long> extended = new TreeMap<>();
    extended.put("rx_libpcap_calls", rx[LibpcapRxQueue.CALLS]);
    extended.put("rx_cut", rx[LibpcapRxQueue.CUT]);
    extended.put("tx_libpcap_calls", tx[LibpcapTxQueue.CALLS]);
    losses.addTo(extended);
    if (receiver.isFilteredForEngine()) {
      extended.put(PortStatistics.IS_FILTERED_BY_KERNEL, 1L);
    }
    return new PortStatistics(
        rx, tx, losses.missed(), rx[LibpcapRxQueue.ERRORS] + tx[LibpcapTxQueue.ERRORS], extended);
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    losses.read(receiver);
    isClosed = true;
    receiver.close();
    txQueues.forEach(LibpcapTxQueue::close);
    request.pools().release(pool);
  }
}
