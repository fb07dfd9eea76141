package io.linerate.driver.dpdk;

import io.linerate.core.port.PortException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of an environment whose memory other processes map: huge pages on mounts of hugetlbfs,
 * and a runtime directory that says where they are. DPDK leaves them behind when it ends, and with
 * them the huge pages.
 */
final class EalFiles {
  private static final System.Logger LOG = System.getLogger(EalFiles.class.getName());
  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  private EalFiles() {}

  /**
   * Sees to it that there is somewhere to keep them.
   *
   * @throws PortException if hugetlbfs is mounted nowhere
   */
  static void requireMount() {
    if (mounts(MOUNTS).isEmpty()) {
      throw new PortException(
          "DPDK has nowhere to keep memory that other processes can map: hugetlbfs mounts=0; make one: mkdir -p /dev/hugepages && mount -t hugetlbfs none /dev/hugepages");
    }
  }

  /** Where hugetlbfs is mounted: proc_pid_mounts(5), device, directory and type in each line. */
  static List<Path> mounts(Path list) {
    try {
      return Files.readAllLines(list).stream()
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields.length > 2 && fields[2].equals("hugetlbfs"))
          .map(fields -> Path.of(fields[1].replace("\\040", " ")))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Deletes them, after the environment has ended.
   *
   * @param runtimeDirectory its last name is that of the program
   */
  static void delete(Path runtimeDirectory) {
    String program = runtimeDirectory.getFileName().toString();
    for (Path mount : mounts(MOUNTS)) {
      delete(mount, program + "map_*"); // HUGEFILE_FMT of eal_filesystem.h
    }
    delete(runtimeDirectory, "*");
    try {
      Files.deleteIfExists(runtimeDirectory);
    } catch (IOException e) {
      left(runtimeDirectory, e);
    }
  }

  private static void delete(Path directory, String names) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, names)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      left(directory, e);
    }
  }

  private static void left(Path directory, IOException e) {
    LOG.log(Level.DEBUG, () -> "DPDK's files stay: directory=" + directory, e);
  }
}
