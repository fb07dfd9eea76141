package io.linerate.driver.pcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Captures what an engine's workers drop, until a file is full: each packet with a comment that
 * says why and where, such as {@code reason=tx_full, element=out0, port=out, worker=0}.
 *
 * <p>Workers copy packets into memory of their own, and never wait for the file: what finds no room
 * there is {@link #missed}. A packet has the time of its reception; one that was dropped by an
 * output, and has none of its own, the time when it was dropped.
 */
public final class DropCapture implements AutoCloseable {
  private static final long PERIOD_NS = 5_000_000;
  private static final long JOIN_MS = 5_000;

  private final Engine engine;
  private final DropFilter filter;
  private final CaptureTap file;
  private final Thread thread;
  private volatile boolean isClosed;

  // Guarded by this.
  private final Map<Worker, DropRing> rings = new LinkedHashMap<>();
  private boolean isAttached = true;

  private DropCapture(Engine engine, DropFilter filter, CaptureTap file) {
    this.engine = engine;
    this.filter = filter;
    this.file = file;
    thread = Thread.ofPlatform().daemon().name("dropped-packets").unstarted(this::run);
  }

  /**
   * Begins, whether the engine runs yet or not.
   *
   * @param file of which this writes to it alone; closed by who has made it, after this
   * @throws ConfigException if it is in pcap format, which has no comments
   */
  public static DropCapture start(Engine engine, DropFilter filter, CaptureTap file) {
    if (!file.hasComments()) {
      throw new ConfigException(
          "file cannot say why packets are dropped: file=%s; name one that does not end in .pcap"
              .formatted(file));
    }
    DropCapture capture = new DropCapture(engine, filter, file);
    try {
      capture.attach();
      capture.thread.start();
    } catch (Throwable e) { // There may be no memory for all workers.
      capture.detach();
      throw e;
    }
    return capture;
  }

  private void run() {
    try {
      while (!isClosed && !file.hasEnded()) {
        LockSupport.parkNanos(PERIOD_NS);
        attach();
        drain();
      }
    } finally {
      detach();
    }
    drain();
  }

  /** Shows the file's thread what workers drop: those that came since, too. */
  private synchronized void attach() {
    for (Worker worker : engine.workers()) {
      if (isAttached && !rings.containsKey(worker)) {
        DropRing ring = new DropRing(worker.id(), filter, file.snapLengthBytes());
        rings.put(worker, ring);
        engine.drivers().addDropTap(worker, ring);
      }
    }
  }

  private synchronized void detach() {
    isAttached = false;
    rings.forEach((worker, ring) -> engine.drivers().removeDropTap(worker, ring));
  }

  /** Holds no lock: a file may take no bytes for as long as it likes, such as a pipe. */
  private void drain() {
    attached().forEach(ring -> ring.drain(file));
  }

  private synchronized List<DropRing> attached() {
    return List.copyOf(rings.values());
  }

  /** Packets that it should have captured, and has not: their worker was too fast for the file. */
  public long missed() {
    return file.missed() + attached().stream().mapToLong(DropRing::missed).sum();
  }

  /** Whether it writes to the file no more. */
  public boolean hasEnded() {
    return !thread.isAlive();
  }

  /**
   * Ends it: what workers have dropped until now is in the file, if that is not full. A file that
   * takes nothing for 5 s is waited for no longer: then it has not {@link #hasEnded ended}, and
   * whoever asks the file for anything waits.
   */
  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(JOIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    detach();
  }
}
