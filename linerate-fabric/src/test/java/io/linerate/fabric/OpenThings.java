package io.linerate.fabric;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process has open that providers open: what is left of it when all is closed was lost.
 *
 * @param descriptors of files below /dev/shm, of sockets, epoll, eventfd and the like; not of files
 *     and pipes, which the JVM opens as it likes
 * @param mappings of files below /dev/shm
 * @param spills ranges of address space as long as those of {@link Spill}
 * @param files below /dev/shm, of this test and its other programs
 */
public record OpenThings(int descriptors, int mappings, int spills, int files) {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final String OWN_FILES = "lr-*-" + ProcessHandle.current().pid() + "-*";

  /** As of now. */
  public static OpenThings count() {
    try {
      int mappings = 0;
      int spills = 0;
      for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
        String[] range = line.substring(0, line.indexOf(' ')).split("-", -1);
        long bytes = Long.parseUnsignedLong(range[1], 16) - Long.parseUnsignedLong(range[0], 16);
        mappings += line.contains(" /dev/shm/") ? 1 : 0;
        spills += (int) (bytes / Spill.MOST_BYTES);
      }
      return new OpenThings(countDescriptors(), mappings, spills, countFiles());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int countDescriptors() throws IOException {
    int count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : all) {
        try {
          String target = Files.readSymbolicLink(each).toString();
          boolean isOfProviders =
              target.startsWith("socket:")
                  || target.startsWith("anon_inode:")
                  || target.startsWith("/dev/shm/");
          count += isOfProviders ? 1 : 0;
        } catch (IOException e) {
          // Closed meanwhile: that of this loop itself.
        }
      }
    }
    return count;
  }

  private static int countFiles() throws IOException {
    int count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(SHARED_MEMORY, OWN_FILES)) {
      for (Path _ : all) {
        count++;
      }
    }
    return count;
  }
}
