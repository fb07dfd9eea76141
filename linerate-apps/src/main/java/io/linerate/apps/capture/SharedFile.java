package io.linerate.apps.capture;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.PortException;
import io.linerate.driver.pcap.CaptureWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The capture file that all workers write to, a burst at a time. When it cannot be written, the
 * program is told to stop, once.
 */
final class SharedFile {
  private final CaptureWriter writer;
  private final Runnable stop;
  private final List<String> failures = new ArrayList<>();

  SharedFile(CaptureWriter writer, Runnable stop) {
    this.writer = writer;
    this.stop = stop;
  }

  synchronized void write(Burst burst) {
    if (!failures.isEmpty()) {
      return;
    }
    try {
      for (Packet packet : burst) {
        writer.write(packet);
      }
    } catch (PortException e) {
      failures.add(String.valueOf(e.getMessage()));
      stop.run();
    }
  }

  /** Completes the file and says what failed. */
  synchronized List<String> close() {
    try {
      writer.close();
    } catch (PortException e) {
      failures.add(String.valueOf(e.getMessage()));
    }
    return List.copyOf(failures);
  }
}
