package io.linerate.driver.pcap;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.ReceiveFilter;
import io.linerate.core.port.PortException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A capture file that packets are written to on their way elsewhere. One that fails, or is full,
 * does not stop them. Safe for use by several threads, which wait for each other.
 */
public final class CaptureTap implements AutoCloseable {
  private final CaptureWriter writer;
  private final long maxPackets;
  private final long maxBytes;
  private final @Nullable ReceiveFilter filter;
  private final Consumer<PortException> onFailure;

  /** Whether no more is taken: read for each burst, written once. */
  private volatile boolean isFull;

  // Guarded by this.
  private @Nullable PortException failure;
  private long offered;
  private boolean isClosed;

  /**
   * @param onFailure told once, on the thread that wrote, why the file takes no more packets
   */
  public CaptureTap(CaptureWriter writer, Consumer<PortException> onFailure) {
    this(writer, Long.MAX_VALUE, Long.MAX_VALUE, onFailure);
  }

  /** Of a file that is full with so many packets, or bytes of packets. */
  public CaptureTap(
      CaptureWriter writer, long maxPackets, long maxBytes, Consumer<PortException> onFailure) {
    this(writer, maxPackets, maxBytes, Optional.empty(), onFailure);
  }

  /** Of bursts only packets that a filter accepts, if there is one. */
  public CaptureTap(
      CaptureWriter writer,
      long maxPackets,
      long maxBytes,
      Optional<ReceiveFilter> filter,
      Consumer<PortException> onFailure) {
    this.writer = writer;
    this.filter = filter.orElse(null);
    this.maxPackets = maxPackets;
    this.maxBytes = maxBytes;
    this.onFailure = onFailure;
  }

  public void write(Burst burst) {
    if (isFull) {
      return;
    }
    if (filter != null) {
      writeAccepted(burst, filter);
      return;
    }
    synchronized (this) {
      for (Packet packet : burst) {
        write(packet);
      }
    }
  }

  private void writeAccepted(Burst burst, ReceiveFilter wanted) {
    for (Packet packet : burst) {
      if (wanted.accepts(packet)) {
        write(packet);
      }
    }
  }

  public synchronized void write(Packet packet) {
    if (isOffered()) {
      try {
        boolean _ = writer.write(packet); // If not, it shows as missed.
        isFull = isEnough();
      } catch (PortException e) {
        fail(e);
      }
    }
  }

  /** Writes bytes of a packet that are elsewhere by now. */
  synchronized void write(MemorySegment bytes, RecordHeader header) {
    if (isOffered()) {
      try {
        boolean _ = writer.write(bytes, header);
        isFull = isEnough();
      } catch (PortException e) {
        fail(e);
      }
    }
  }

  /** Whether a packet is to be written: counts it, unless it is not wanted. */
  private boolean isOffered() {
    offered += isFull ? 0 : 1;
    return !isFull && failure == null;
  }

  private boolean isEnough() {
    return writer.packets() >= maxPackets || writer.bytes() >= maxBytes;
  }

  /** Counts a packet that nobody could offer. */
  public synchronized void miss() {
    offered++;
  }

  /** Passes on to the file what was written. */
  public synchronized void flush() {
    if (failure == null && !isClosed) {
      try {
        writer.flush();
      } catch (PortException e) {
        fail(e);
      }
    }
  }

  private void fail(PortException e) {
    failure = e;
    onFailure.accept(e);
  }

  /** Whether it takes no packet any more. */
  public synchronized boolean hasEnded() {
    return isFull || failure != null;
  }

  /** Packets in the file, or on their way there. */
  public synchronized long packets() {
    return writer.packets();
  }

  /** Packets that the file did not take, though it was not full. */
  public synchronized long missed() {
    return offered - writer.packets();
  }

  /** Whether its format has comments. */
  boolean hasComments() {
    return writer.hasComments();
  }

  /** Bytes of each packet that it has at most. */
  public int snapLengthBytes() {
    return writer.snapLengthBytes();
  }

  public long maxPackets() {
    return maxPackets;
  }

  /** Why the file takes no more packets, or null. */
  public synchronized @Nullable PortException failure() {
    return failure;
  }

  /**
   * Completes the file.
   *
   * @throws PortException if it cannot be completed, and had not failed before
   */
  @Override
  public synchronized void close() {
    isFull = true;
    isClosed = true;
    writer.close();
  }

  @Override
  public String toString() {
    return writer.file()
        + (maxPackets == Long.MAX_VALUE ? "" : ", at most " + maxPackets + " packets");
  }
}
