package io.linerate.apps.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A file that is being received: it lies beside the others under another name until all of it is
 * there. Any thread; two workers may receive parts of it.
 */
final class ReceivedFile {
  private static final int MODE_BITS = 9;

  final long handle;
  final long transfer;
  final FileFacts facts;
  private final Path part;
  private final Path target;
  private final Journal journal;
  private final FileChannel channel;
  private final Map<Integer, Arriving> arriving = new HashMap<>();
  private long size;
  private volatile long usedNs;

  /** An extent of which some has come, in order. */
  private static final class Arriving {
    private final MessageDigest digest = FileSender.digest();
    private long next;
    private boolean isTorn;

    Arriving(long next) {
      this.next = next;
    }
  }

  /**
   * Opens it, with what is there of it from before.
   *
   * @param part where it lies until it is whole
   */
  ReceivedFile(
      long handle, long transfer, FileFacts facts, Path part, Path journalFile, Path target)
      throws IOException {
    this.handle = handle;
    this.transfer = transfer;
    this.facts = facts;
    this.part = part;
    this.target = target;
    size = facts.size();
    boolean hasPart = Files.isRegularFile(part);
    journal = Journal.open(journalFile, facts, hasPart);
    channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (journal.extents().isEmpty()) {
      channel.truncate(0);
    }
  }

  synchronized BitSet extents() {
    return (BitSet) journal.extents().clone();
  }

  long usedNs() {
    return usedNs;
  }

  void use(long nowNs) {
    usedNs = nowNs;
  }

  private int extentOf(long offset) {
    return (int) (offset / facts.extentSize());
  }

  /**
   * Writes bytes that have come.
   *
   * @return false if they are not within the file
   */
  boolean write(long offset, ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    int extent = extentOf(offset);
    long begin = (long) extent * facts.extentSize();
    boolean isInside =
        offset >= 0
            && offset - begin + count <= facts.extentSize()
            && (size < 0 || offset + count <= size);
    if (!isInside) {
      return false;
    }
    if (!digest(extent, offset, begin, bytes.duplicate())) {
      return true;
    }
    long at = offset;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
    return true;
  }

  private synchronized boolean digest(int extent, long offset, long begin, ByteBuffer bytes) {
    if (offset == begin) {
      arriving.put(extent, new Arriving(begin));
    }
    Arriving one = arriving.get(extent);
    if (one == null || one.next != offset || one.isTorn) {
      if (one != null) {
        one.isTorn = true;
      }
      return false;
    }
    one.next += bytes.remaining();
    one.digest.update(bytes);
    return true;
  }

  /**
   * An extent is complete.
   *
   * @return whether it is what was sent
   */
  synchronized boolean complete(int extent, byte[] digest) throws IOException {
    if (extent < 0 || (size >= 0 && extent >= TransferWire.extents(size, facts.extentSize()))) {
      return false;
    }
    if (journal.extents().get(extent)) {
      return true;
    }
    Arriving one = arriving.remove(extent);
    boolean isGood =
        one != null && !one.isTorn && MessageDigest.isEqual(one.digest.digest(), digest);
    if (isGood) {
      journal.add(extent);
    }
    return isGood;
  }

  /** How long it is: known at the end of a pipe. */
  synchronized void size(long bytes) {
    if (size < 0) {
      size = bytes;
    }
  }

  /** Whether all of it is there. */
  synchronized boolean isWhole() {
    return size >= 0
        && journal.extents().cardinality() >= TransferWire.extents(size, facts.extentSize());
  }

  /** Gives it its name. */
  synchronized void finish() throws IOException {
    if (channel.size() != size) {
      channel.truncate(size);
    }
    channel.close();
    Files.setPosixFilePermissions(part, permissions(facts.mode()));
    Files.setLastModifiedTime(part, FileTime.from(facts.modifiedNs(), TimeUnit.NANOSECONDS));
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    journal.delete();
  }

  /** As the bits of a mode say. */
  static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values();
    for (int i = 0; i < MODE_BITS; i++) {
      if ((mode & (1 << (MODE_BITS - 1 - i))) != 0) {
        permissions.add(all[i]);
      }
    }
    return permissions;
  }

  /** Lets go of it; what is there of it stays, for the next time. */
  synchronized void close() throws IOException {
    channel.close();
    journal.close();
  }

  /** Gives it up: nothing of it stays. */
  synchronized void discard() throws IOException {
    channel.close();
    Files.deleteIfExists(part);
    journal.delete();
  }
}
