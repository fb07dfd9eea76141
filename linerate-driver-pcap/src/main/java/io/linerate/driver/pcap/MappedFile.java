package io.linerate.driver.pcap;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file in memory, of any size. What the program writes there it alone sees, until it takes that
 * back; the file is never changed.
 *
 * <p>{@link java.nio.channels.FileChannel#map} is not enough: it makes a private map only of files
 * that may be written, and captures are often read-only.
 */
final class MappedFile implements AutoCloseable {
  /** A multiple of every machine's page size. */
  static final long GRANULE_BYTES = 65_536;

  private final Path path;
  private final SystemCalls calls;
  private final int descriptor;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment bytes;
  private final ChangedMemory changed;

  private MappedFile(Path path, SystemCalls calls, int descriptor) {
    this.path = path;
    this.calls = calls;
    this.descriptor = descriptor;
    bytes = map();
    changed = new ChangedMemory(calls);
  }

  /**
   * Maps a file.
   *
   * @throws PortException if there is no such file, or it is empty, or cannot be read
   */
  static MappedFile open(Path path) {
    if (!Files.exists(path)) {
      throw new PortException("capture file does not exist: file=" + path + "; check the path");
    }
    if (!Files.isRegularFile(path)) {
      throw new PortException(
          "not a regular file: file=" + path + "; save the packets to a file first, and name that");
    }
    SystemCalls calls = new SystemCalls();
    int descriptor = calls.open(path.toString(), SystemCalls.O_RDONLY);
    if (descriptor < 0) {
      throw new PortException(
          "cannot open the capture file: file=%s, open=%s; check its permissions (ls -l)"
              .formatted(path, Errno.text(descriptor)));
    }
    try {
      // So that no writer of ours replaces it. If one is writing it already, what is there now is
      // read: it only appends.
      int _ = calls.flock(descriptor, SystemCalls.LOCK_SHARED | SystemCalls.LOCK_NON_BLOCKING);
      return new MappedFile(path, calls, descriptor);
    } catch (PortException e) {
      int _ = calls.close(descriptor);
      throw e;
    }
  }

  @SuppressWarnings("restricted")
  private MemorySegment map() {
    long size = sizeBytes();
    if (size == 0) {
      throw new PortException(
          "capture file is empty: file=" + path + "; record packets into it first");
    }
    long address = size < 0 ? size : mapPrivate(size);
    if (address < 0) {
      throw new PortException(
          "cannot map the capture file: file=%s, bytes=%d, mmap=%s; check ulimit -v"
              .formatted(path, size, Errno.text(address)));
    }
    return MemorySegment.ofAddress(address)
        .reinterpret(size, arena, map -> calls.munmap(map.address(), size));
  }

  private long sizeBytes() {
    return calls.lseek(descriptor, 0, SystemCalls.SEEK_END);
  }

  private long mapPrivate(long sizeBytes) {
    // Else the kernel refuses to map a file that is larger than memory and swap.
    int flags = SystemCalls.MAP_PRIVATE | SystemCalls.MAP_NORESERVE;
    return calls.mmap(sizeBytes, SystemCalls.PROT_READ_WRITE, flags, descriptor, 0);
  }

  MemorySegment bytes() {
    return bytes;
  }

  /** Whether somebody made the file shorter since it was mapped: what is gone cannot be read. */
  boolean isCut() {
    return sizeBytes() < bytes.byteSize();
  }

  /** What to say when the file cannot be read to the end that it had. */
  PortException cut() {
    return new PortException(unreadable() + " error=" + MappedFileFault.SENTENCE);
  }

  /** What to say of an error that reading the file threw. */
  PortException failure(InternalError e) {
    return PortException.of(e, unreadable());
  }

  private String unreadable() {
    return "capture file cannot be read any more: file=%s, bytes=%d, bytesNow=%d,"
        .formatted(path, bytes.byteSize(), sizeBytes());
  }

  /** Whether there are changes in {@code [from, to)}; true where the kernel cannot say. */
  boolean mayBeChanged(long from, long to) {
    return changed.mayBeIn(bytes.address() + from, to - from);
  }

  /**
   * Takes back all changes in {@code [from, to)}.
   *
   * @param from a multiple of {@link #GRANULE_BYTES}
   * @param to such a multiple, or the end of the file
   */
  void discardChanges(long from, long to) {
    int result = calls.discard(bytes.address() + from, to - from);
    if (result < 0) {
      throw new PortException(
          "cannot take back changes to the map of the capture file: file=%s, madvise=%s; unlock memory (ulimit -l)"
              .formatted(path, Errno.text(result)));
    }
  }

  /** Unmaps the file. No packet that lies in it may be touched afterwards. */
  @Override
  public void close() {
    arena.close();
    changed.close();
    int _ = calls.close(descriptor);
  }
}
