package io.linerate.driver.dpdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's free huge pages, as /sys/kernel/mm/hugepages tells. */
final class Hugepages {
  static final Path SYSTEM = Path.of("/sys/kernel/mm/hugepages");

  private static final String PREFIX = "hugepages-";

  private Hugepages() {}

  /** MiB that are free in pages of all sizes; 0 where the kernel has no huge pages. */
  static long freeMiB(Path directory) {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    long kiB = 0;
    try (DirectoryStream<Path> sizes = Files.newDirectoryStream(directory, PREFIX + "*kB")) {
      for (Path size : sizes) {
        String name = size.getFileName().toString();
        long pageKiB = Long.parseLong(name.substring(PREFIX.length(), name.length() - 2));
        kiB += pageKiB * Long.parseLong(Files.readString(size.resolve("free_hugepages")).strip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return kiB / 1_024;
  }
}
