package io.linerate.driver.pcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a provider's open ports: none is written that another port, or the same one, reads
 * or writes. Several ports may read one file.
 */
final class OpenFiles {
  private final List<Path> read = new ArrayList<>();
  private final List<Path> written = new ArrayList<>();

  /** Takes up the files of a port, before they are opened. */
  synchronized void add(@Nullable Path rx, @Nullable Path tx) {
    if (rx != null) {
      written.forEach(other -> refuseSame(rx, other));
    }
    if (tx != null) {
      read.forEach(other -> refuseSame(tx, other));
      written.forEach(other -> refuseSame(tx, other));
    }
    if (rx != null && tx != null) {
      refuseSame(rx, tx);
    }
    if (rx != null) {
      read.add(rx);
    }
    if (tx != null) {
      written.add(tx);
    }
  }

  synchronized void remove(@Nullable Path rx, @Nullable Path tx) {
    read.remove(rx);
    written.remove(tx);
  }

  private static void refuseSame(Path one, Path other) {
    boolean bothExist = Files.exists(one) && Files.exists(other);
    try {
      boolean regular = !bothExist || Files.isRegularFile(one);
      if (regular
          && (normal(one).equals(normal(other)) || (bothExist && Files.isSameFile(one, other)))) {
        throw new ConfigException(
            "a file cannot be written while another port or the same one uses it: file="
                + one
                + ", same as="
                + other
                + "; name another file for tx=");
      }
    } catch (IOException e) {
      throw new PortException("cannot look at the file: file=" + one + "; check the path", e);
    }
  }

  private static Path normal(Path path) {
    return path.toAbsolutePath().normalize();
  }
}
