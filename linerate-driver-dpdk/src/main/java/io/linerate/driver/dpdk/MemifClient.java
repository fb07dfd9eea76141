package io.linerate.driver.dpdk;

import io.linerate.core.port.PortException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The end of a net_memif link that connects: DPDK does so once, when its device is started
 * (memif_connect_client in memif_socket.c). It is started again here when its server has gone and
 * come back, while workers are kept out of its queues. One thread's at a time.
 */
final class MemifClient {
  private static final System.Logger LOG = System.getLogger(MemifClient.class.getName());
  private static final long SERVER_WAIT_MS = 10_000;

  /** Between two attempts: both ends exchange messages for a while before the link is up. */
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final String port;
  private final DpdkDevice device;
  private final MemifSocket socket;
  private final List<QueueGate> gates = new ArrayList<>();
  private boolean isStarted;
  private long lastAttemptNs;

  MemifClient(String port, DpdkDevice device, MemifSocket socket) {
    this.port = port;
    this.device = device;
    this.socket = socket;
  }

  /** For a queue. */
  QueueGate newGate() {
    QueueGate gate = new QueueGate();
    gates.add(gate);
    return gate;
  }

  /**
   * Starts the device, and waits for its server if need be.
   *
   * @throws PortException if there is none after ten seconds
   */
  void start() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SERVER_WAIT_MS);
    boolean isTold = false;
    for (int result = tryStart(); result < 0; result = tryStart()) {
      if (!isTold) {
        LOG.log(
            Level.WARNING,
            "port waits for its server: port={0}, socket={1}, waitMs={2}; start the other side",
            port,
            socket.name(),
            Long.toString(SERVER_WAIT_MS));
        isTold = true;
      }
      if (System.nanoTime() > end || !DpdkPort.pause()) {
        throw new PortException(
            "net_memif client found no server: port=%s, socket=%s, waitMs=%d, %s; start the side with role=server, with the same socket and id"
                .formatted(port, socket.name(), SERVER_WAIT_MS, DpdkLibrary.error(result)));
      }
    }
  }

  private int tryStart() {
    lastAttemptNs = System.nanoTime();
    int result = device.tryStart();
    isStarted = result >= 0;
    return result;
  }

  /** The link is down: connects if its server is there again. */
  void reconnect() {
    if (System.nanoTime() - lastAttemptNs < RETRY_NS || !socket.isServed()) {
      return;
    }
    gates.forEach(QueueGate::close);
    if (isStarted) {
      device.stop();
    }
    if (tryStart() >= 0) {
      gates.forEach(QueueGate::open);
    }
  }

  /** Whether there is something to stop. */
  boolean isStarted() {
    return isStarted;
  }
}
