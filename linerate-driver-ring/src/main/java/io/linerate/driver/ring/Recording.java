package io.linerate.driver.ring;

import io.linerate.core.memory.Packet;
import io.linerate.core.port.PortException;
import io.linerate.driver.pcap.CaptureWriter;
import org.jspecify.annotations.Nullable;

/**
 * The capture file of a recorded port. A file that fails does not stop the port's packets: they are
 * counted, and {@link #close} says what happened. Safe for use by several threads.
 */
final class Recording implements AutoCloseable {
  private final CaptureWriter writer;
  private @Nullable PortException failure;
  private long packets;
  private long missed;

  Recording(CaptureWriter writer) {
    this.writer = writer;
  }

  synchronized void write(Packet packet) {
    if (failure != null) {
      missed++;
      return;
    }
    try {
      writer.write(packet);
      packets++;
    } catch (PortException e) {
      failure = e;
      missed++;
    }
  }

  /** Counts a packet that there was no buffer to copy into. */
  synchronized void miss() {
    missed++;
  }

  synchronized long packets() {
    return packets;
  }

  synchronized long missed() {
    return missed;
  }

  @Override
  public synchronized void close() {
    writer.close();
    if (failure != null) {
      throw new PortException(
          "recording is incomplete: missed=" + missed + "; " + failure.getMessage(), failure);
    }
  }
}
