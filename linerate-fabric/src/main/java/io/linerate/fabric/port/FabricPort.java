package io.linerate.fabric.port;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Queues, each with a line of its own, and a thread that looks after lines that no worker polls.
 */
final class FabricPort implements DriverPort {
  private static final int HEADROOM_BYTES = 128;
  private static final long LEFT_NS = 10_000_000;
  private static final long PAUSE_MS = 5;
  private static final long LINK_NS = 2_000_000_000;

  private final PortRequest request;
  private final BufferPool pool;
  private final List<FabricRxQueue> rxQueues = new ArrayList<>();
  private final List<FabricTxQueue> txQueues = new ArrayList<>();
  private final List<FabricLine> rxLines;
  private final List<FabricLine> txLines;
  private final Thread keeper;
  private volatile boolean isClosed;

  FabricPort(PortRequest request, List<FabricLine> rxLines, List<FabricLine> txLines) {
    this.request = request;
    this.rxLines = List.copyOf(rxLines);
    this.txLines = List.copyOf(txLines);
    int room = request.config().mtu() + Segmenter.LINK_BYTES;
    pool = request.pools().create(request.name(), request.config().buffers(), HEADROOM_BYTES, room);
    rxLines.forEach(line -> rxQueues.add(new FabricRxQueue(line, pool)));
    txLines.forEach(
        line -> txQueues.add(new FabricTxQueue(line, request.pools(), request.config().mtu())));
    keeper = Thread.ofPlatform().daemon().name("fabric-port-" + request.name()).start(this::keep);
  }

  /** Answers peers, makes connections, and sees that they are gone, where no worker does. */
  private void keep() {
    try {
      while (!isClosed) {
        long now = System.nanoTime();
        for (int i = 0; i < rxLines.size(); i++) {
          FabricRxQueue queue = rxQueues.get(i);
          maintain(rxLines.get(i), now, queue::maintain);
        }
        for (int i = 0; i < txLines.size(); i++) {
          FabricTxQueue queue = txQueues.get(i);
          maintain(txLines.get(i), now, queue::maintainAndPass);
        }
        Thread.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      // The port is closed.
    }
  }

  private static void maintain(FabricLine line, long now, Runnable work) {
    if (!line.tryEnter()) {
      return;
    }
    try {
      if (!line.isClosed() && line.isLeft(now, LEFT_NS)) {
        work.run();
      }
    } catch (PortException e) {
      // The worker is told when it polls.
    } finally {
      line.leave();
    }
  }

  /** Waits a short time for a peer that is there already, so that the first packets find it. */
  FabricPort awaitLink() {
    long end = System.nanoTime() + LINK_NS;
    try {
      while (!isLinkUp() && System.nanoTime() - end < 0) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Without a link, as if the peer came later.
    }
    return this;
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(request, rxQueues.size(), txQueues.size());
  }

  @Override
  public RxQueue rxQueue(int index) {
    return rxQueues.get(index);
  }

  @Override
  public TxQueue txQueue(int index) {
    return txQueues.get(index);
  }

  @Override
  public PacketPool pool() {
    return pool;
  }

  @Override
  public boolean hasLink() {
    return true;
  }

  @Override
  public boolean isLinkUp() {
    return rxLines.stream().allMatch(FabricLine::isUp)
        && txLines.stream().allMatch(FabricLine::isUp);
  }

  @Override
  public PortStatistics statistics() {
    long[] rx =
        QueueCounts.sum(FabricRxQueue.COUNTERS, rxQueues.stream().map(queue -> queue.counts));
    long[] tx =
        QueueCounts.sum(FabricTxQueue.COUNTERS, txQueues.stream().map(queue -> queue.counts));
    return new PortStatistics(
        rx,
        tx,
        0,
        rx[FabricRxQueue.ERRORS],
        Map.of(
            "rx_messages", rx[FabricRxQueue.MESSAGES], "tx_messages", tx[FabricTxQueue.MESSAGES]));
  }

  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    keeper.interrupt();
    boolean wasInterrupted = Thread.interrupted();
    try {
      keeper.join();
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    txQueues.forEach(FabricTxQueue::close);
    rxQueues.forEach(FabricRxQueue::close);
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
