package io.linerate.dashboard.control;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.ReceiveFilter;
import io.linerate.core.port.PortException;
import io.linerate.driver.pcap.CaptureTap;
import io.linerate.driver.pcap.CaptureWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * A capture file of bounded length that all workers write to, for its owner's eyes only. It is gone
 * when it is closed.
 */
final class TapFile implements AutoCloseable {
  static final long MAX_BYTES = 64L << 20;

  private static final System.Logger LOG = System.getLogger(TapFile.class.getName());

  private final Path path;
  private final CaptureTap tap;

  /**
   * @param snapLengthBytes of each packet at most; 0: all
   * @param filter of packets on an edge
   */
  TapFile(long maxPackets, int snapLengthBytes, Optional<ReceiveFilter> filter) {
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
    tap =
        new CaptureTap(
            CaptureWriter.create(path, snapLengthBytes),
            maxPackets,
            MAX_BYTES,
            filter,
            failure -> LOG.log(Level.ERROR, failure.getMessage()));
  }

  CaptureTap tap() {
    return tap;
  }

  /** What is there until now; goes on to be so when the tap is closed. */
  FileChannel content() throws IOException {
    tap.flush();
    return FileChannel.open(path); // Not read under the lock, for which workers wait.
  }

  @Override
  public void close() {
    try (tap) {
      Files.deleteIfExists(path);
    } catch (IOException | PortException e) {
      LOG.log(Level.WARNING, "cannot remove the tap: file=" + path);
    }
  }
}
