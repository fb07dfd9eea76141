package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shared memory of an endpoint of shm that this process has mapped: its own, or a peer's. It begins
 * with {@code struct smr_region} of libfabric 1.17, in host byte order.
 *
 * <pre>
 *    0 +---------+----------+--------------------+
 *      | version | reserved | flags              |
 *    4 +---------+----------+--------------------+
 *      | process                                 |
 *    8 +-----------------------------------------+
 *      | what it can do, base address            |  16 bytes
 *   24 +-----------------------------------------+
 *      | lock (pthread_spinlock_t)               |
 *   28 +-----------------------------------------+
 * </pre>
 *
 * <p>It is read and written by its file, or by that of the process's memory where it has none any
 * more: another thread may unmap it at any time.
 *
 * @param name of its file, or of what was its file
 * @param file where it is, or the memory of this process
 * @param offset in the file
 */
public record MappedRegion(String name, Path file, long offset) {
  /** Where the lock is, which whoever uses the endpoint takes. */
  public static final int LOCK = 24;

  /** What a lock has that is free, by glibc for x86-64; that of others is 0 or less. */
  public static final int FREE = 1;

  private static final int GONE = Integer.MIN_VALUE;
  private static final Path OWN_MEMORY = Path.of("/proc/self/mem");
  private static final boolean IS_KNOWN = System.getProperty("os.arch").equals("amd64");

  private static final Pattern LINE =
      Pattern.compile("([0-9a-f]+)-[0-9a-f]+ rw-s 0+ \\S+ \\d+ +/dev/shm/(\\S+)( \\(deleted\\))?");

  /** All of this process; none where their form is not known. */
  public static List<MappedRegion> all() {
    if (!IS_KNOWN) {
      return List.of();
    }
    try {
      return Files.readAllLines(Path.of("/proc/self/maps")).stream()
          .map(LINE::matcher)
          .filter(Matcher::matches)
          .map(MappedRegion::of)
          .filter(each -> (each.read(0) & 0xFF) == RegionForm.VERSION)
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static MappedRegion of(Matcher line) {
    String name = line.group(2);
    return line.group(3) == null
        ? new MappedRegion(name, Path.of("/dev/shm", name), 0)
        : new MappedRegion(name, OWN_MEMORY, Long.parseUnsignedLong(line.group(1), 16));
  }

  /** Whether an endpoint of this process has it. */
  public boolean isOwn() {
    return read(RegionForm.PROCESS) == ProcessHandle.current().pid();
  }

  /** Whether its process has ended. */
  public boolean isLeft() {
    PeerProcess process = SharedName.processOf(name);
    return process == null ? PeerProcess.of(read(RegionForm.PROCESS)) == null : !process.isAlive();
  }

  /** Whether its process was stopped, by a debugger or a signal. */
  public boolean isStopped() {
    return PeerProcess.isStopped(read(RegionForm.PROCESS));
  }

  /** Whether somebody has the lock. */
  public boolean isLocked() {
    int value = read(LOCK);
    return value < FREE && value != GONE;
  }

  /**
   * Takes the lock from a process that has ended, and puts right what that has left half done.
   *
   * @return false if it is not as it must be: it stays locked, since nobody can use it safely
   */
  public boolean unlock() {
    try (FileChannel open =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      RegionRepair repair = new RegionRepair(open, offset);
      if (isLeft()) {
        repair.shut();
      } else if (!repair.repair()) {
        return false;
      }
      int _ = open.write(word().putInt(FREE).flip(), offset + LOCK);
      return true;
    } catch (IOException e) {
      return false; // It was unmapped meanwhile: nobody waits for it.
    }
  }

  private int read(int at) {
    ByteBuffer word = word();
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ)) {
      int count = open.read(word, offset + at);
      return count == Integer.BYTES ? word.flip().getInt() : GONE;
    } catch (IOException e) {
      return GONE;
    }
  }

  private static ByteBuffer word() {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
  }
}
