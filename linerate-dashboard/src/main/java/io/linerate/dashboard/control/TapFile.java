package io.linerate.dashboard.control;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.PortException;
import io.linerate.driver.pcap.CaptureWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A capture file of bounded length that all workers write to, for its owner's eyes only. It is gone
 * when it is closed.
 */
final class TapFile implements AutoCloseable {
  static final long MAX_BYTES = 64L << 20;

  private static final System.Logger LOG = System.getLogger(TapFile.class.getName());

  private final long maxPackets;
  private final Path path;
  private final CaptureWriter writer;

  /** Whether no more is taken: read by workers for each burst, written once. */
  private volatile boolean isFull;

  private volatile long packets;

  // Guarded by this.
  private boolean isClosed;

  TapFile(long maxPackets) {
    this.maxPackets = maxPackets;
    try {
      path =
          Files.createTempFile(
              "linerate-tap-",
              ".pcapng",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (IOException e) {
      throw new ConfigException(
          "cannot write the tap: reason=" + e.getMessage() + "; make room for temporary files");
    }
    writer = CaptureWriter.create(path, 0);
  }

  void write(Burst burst) {
    if (isFull) {
      return;
    }
    synchronized (this) {
      try {
        for (Packet packet : burst) {
          if (isFull) {
            return;
          }
          writer.write(packet);
          packets = writer.packets();
          isFull = packets >= maxPackets || writer.bytes() >= MAX_BYTES;
        }
      } catch (PortException e) {
        isFull = true;
        LOG.log(Level.ERROR, e.getMessage());
      }
    }
  }

  boolean isFull() {
    return isFull;
  }

  long packets() {
    return packets;
  }

  long maxPackets() {
    return maxPackets;
  }

  /** What is there until now; goes on to be so when the tap is closed. */
  FileChannel content() throws IOException {
    flush();
    return FileChannel.open(path); // Not read under the lock, for which workers wait.
  }

  private synchronized void flush() {
    if (!isClosed) {
      try {
        writer.flush();
      } catch (PortException e) {
        // What was written before is a whole file.
      }
    }
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isFull = true;
    isClosed = true;
    try (writer) {
      Files.deleteIfExists(path);
    } catch (IOException | PortException e) {
      LOG.log(Level.WARNING, "cannot remove the tap: file=" + path);
    }
  }

  @Override
  public String toString() {
    return "at most " + maxPackets + " packets";
  }
}
