package io.linerate.driver.dpdk;

import io.linerate.core.port.PortException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The end of a net_memif link that connects: DPDK does so once, when its device is started
 * (memif_connect_client in memif_socket.c), and fails if there is no server. So the device is
 * started here as soon as its server is there, which may be another port of the program, and again
 * when the server has gone and come back. Workers are kept out of its queues meanwhile. One
 * thread's at a time.
 */
final class MemifClient {
  private static final System.Logger LOG = System.getLogger(MemifClient.class.getName());
  private static final long SERVER_WAIT_MS = 10_000;

  /**
   * The link has to be down for so long: its end in DPDK's interrupt thread, which begins with the
   * link's state (memif_disconnect), is over then.
   */
  private static final long DOWN_NS = TimeUnit.MILLISECONDS.toNanos(300);

  /** Both ends exchange messages for a while after a start, before the link is up. */
  private static final long HANDSHAKE_NS = TimeUnit.SECONDS.toNanos(3);

  private final String port;
  private final DpdkDevice device;
  private final MemifSocket socket;
  private final List<QueueGate> gates = new ArrayList<>();
  private long beginNs;
  private boolean hasConnected;
  private boolean isStarted;
  private long lastStartNs;
  private boolean isDown;
  private long downSinceNs;

  MemifClient(String port, DpdkDevice device, MemifSocket socket) {
    this.port = port;
    this.device = device;
    this.socket = socket;
  }

  /** For a queue. */
  QueueGate newGate() {
    QueueGate gate = new QueueGate(isStarted);
    gates.add(gate);
    return gate;
  }

  /** Connects, now if the server is there. */
  void begin() {
    beginNs = System.nanoTime();
    if (!connect()) {
      LOG.log(
          Level.WARNING,
          "port waits for its server: port={0}, socket={1}, waitMs={2}; start the other side",
          port,
          socket.name(),
          Long.toString(SERVER_WAIT_MS));
    }
  }

  /** Whether it has. */
  private boolean connect() {
    if (!socket.isServed() || tryStart() < 0) {
      return false;
    }
    hasConnected = true;
    gates.forEach(QueueGate::open);
    return true;
  }

  private int tryStart() {
    int result = device.tryStart();
    isStarted = result >= 0;
    lastStartNs = isStarted ? System.nanoTime() : lastStartNs;
    return result;
  }

  /** Connects for the first time, or if the link has been down for a while. */
  void look(boolean isUp) {
    if (!hasConnected) {
      if (!connect()) {
        requireTime();
      }
      return;
    }
    long nowNs = System.nanoTime();
    if (isUp) {
      isDown = false;
    } else if (!isDown) {
      isDown = true;
      downSinceNs = nowNs;
    } else if (nowNs - downSinceNs >= DOWN_NS
        && nowNs - lastStartNs >= HANDSHAKE_NS
        && socket.isServed()) {
      reconnect();
    }
  }

  private void requireTime() {
    if (System.nanoTime() - beginNs >= TimeUnit.MILLISECONDS.toNanos(SERVER_WAIT_MS)) {
      PortException none =
          new PortException(
              "net_memif client found no server: port=%s, socket=%s, waitMs=%d; start the side with role=server, with the same socket and id"
                  .formatted(port, socket.name(), SERVER_WAIT_MS));
      gates.forEach(gate -> gate.fail(none));
    }
  }

  private void reconnect() {
    gates.forEach(QueueGate::close);
    if (isStarted) {
      device.stop();
    }
    boolean _ = connect();
  }

  /** Whether there is something to stop. */
  boolean isStarted() {
    return isStarted;
  }
}
