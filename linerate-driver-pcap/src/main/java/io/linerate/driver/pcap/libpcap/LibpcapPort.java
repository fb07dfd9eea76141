package io.linerate.driver.pcap.libpcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.driver.pcap.libpcap.LibpcapAddress.Precision;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An interface or a file behind libpcap. What sends is opened when the first queue is wanted. */
final class LibpcapPort implements DriverPort {
  private static final int HEADROOM_BYTES = 128;
  private static final int MIN_ROOM_BYTES = 2_048;

  /** Ethernet header and two VLAN tags, which the MTU does not count. */
  private static final int LINK_BYTES = 14 + 2 * 4;

  private final PortRequest request;
  private final LibpcapAddress address;
  private final LibpcapHandle receiver;
  private final BufferPool pool;
  private final LibpcapRxQueue rxQueue;
  private final @Nullable LibpcapTxQueue[] txQueues;
  private final @Nullable InterfaceLink link;
  private final LibpcapLosses losses = new LibpcapLosses();
  private boolean isClosed;

  private LibpcapPort(PortRequest request, LibpcapAddress address, LibpcapHandle receiver) {
    this.request = request;
    this.address = address;
    this.receiver = receiver;
    int room = Math.max(MIN_ROOM_BYTES, request.config().mtu() + LINK_BYTES);
    pool =
        request
            .pools()
            .create(
                request.name(),
                request.config().buffers(),
                HEADROOM_BYTES,
                Math.min(room, Mbuf.MAX_SEGMENT_BYTES - HEADROOM_BYTES));
    rxQueue = new LibpcapRxQueue(receiver, pool);
    txQueues = new LibpcapTxQueue[address.file() == null ? request.txQueues() : 0];
    link = address.file() == null ? InterfaceLink.of(address.device()) : null;
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
        address, promiscuous == null ? request.config().promiscuous() : promiscuous);
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(request, 1, txQueues.length);
  }

  @Override
  public PacketPool pool() {
    return pool;
  }

  @Override
  public boolean hasLink() {
    return link != null;
  }

  @Override
  public boolean isLinkUp() {
    return link == null || link.isUp();
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
    return rxQueue;
  }

  @Override
  public synchronized TxQueue txQueue(int index) {
    if (address.file() != null) {
      throw new ConfigException(
          "port only reads a file: port=%s, address=%s; send through another, such as pcap:tx=PATH"
              .formatted(name(), address()));
    }
    LibpcapTxQueue queue = txQueues[index];
    if (queue == null) {
      if (isClosed) {
        throw new IllegalStateException("port is closed: port=" + name() + "; open another");
      }
      int mtu = link == null ? Integer.MAX_VALUE : link.mtuBytes();
      queue = new LibpcapTxQueue(LibpcapHandle.sender(address.device()), request.pools(), mtu);
      txQueues[index] = queue;
    }
    return queue;
  }

  @Override
  public synchronized PortStatistics statistics() {
    losses.read(receiver);
    long[] rx = QueueCounts.sum(LibpcapRxQueue.COUNTERS, Stream.of(rxQueue.counts));
    long[] tx =
        QueueCounts.sum(
            LibpcapTxQueue.COUNTERS,
            Stream.of(txQueues).filter(Objects::nonNull).map(queue -> queue.counts));
    Map<String, Long> extended = new TreeMap<>();
    extended.put("rx_libpcap_calls", rx[LibpcapRxQueue.CALLS]);
    extended.put("rx_cut", rx[LibpcapRxQueue.CUT]);
    extended.put("tx_libpcap_calls", tx[LibpcapTxQueue.CALLS]);
    losses.addTo(extended);
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
    for (LibpcapTxQueue queue : txQueues) {
      if (queue != null) {
        queue.close();
      }
    }
  }
}
