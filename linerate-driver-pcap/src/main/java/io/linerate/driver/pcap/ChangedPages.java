package io.linerate.driver.pcap;

import io.linerate.core.driver.BufferPool;

/**
 * Takes the program's changes to a mapped file back when nobody looks: when all packets are free.
 *
 * <p>A page that was changed is memory that the kernel cannot take back. In a file larger than
 * memory, read by a program that changes every packet, they would use up all of it. So at times the
 * file rests until all packets are free; but not for long, because a program may hold packets.
 *
 * <p>Of a file that is read again, and is not large, pages stay that nobody has changed: to bring
 * them anew takes longer than to read them.
 */
final class ChangedPages {
  /** Bytes of the file from one rest to the next. */
  static final long WINDOW_BYTES = 64 << 20;

  private static final long MAX_REST_NS = 10_000_000;

  /** The longest file whose pages stay. */
  private static final long MOST_KEPT_BYTES = 1 << 30;

  private final MappedFile file;
  private final BufferPool pool;
  private final boolean isKept;

  /** Pages in front of this are the file's, unless a packet was held for long. */
  private long discardedBytes;

  private long nextRestBytes = WINDOW_BYTES;
  private long restStartNs;

  ChangedPages(MappedFile file, BufferPool pool, boolean isReadAgain) {
    this.file = file;
    this.pool = pool;
    isKept = isReadAgain && file.bytes().byteSize() <= MOST_KEPT_BYTES;
  }

  /**
   * Discards changes if it is time.
   *
   * @param offset where the reader is
   * @return whether it may go on
   */
  boolean discardBefore(long offset) {
    return offset < nextRestBytes || rest(offset);
  }

  private boolean rest(long offset) {
    if (allHome()) {
      long to = offset & -MappedFile.GRANULE_BYTES;
      discard(to);
      discardedBytes = to;
    } else if (restStartNs == 0) {
      restStartNs = System.nanoTime();
      return false;
    } else if (System.nanoTime() - restStartNs < MAX_REST_NS) {
      return false;
    }
    restStartNs = 0;
    nextRestBytes = offset + WINDOW_BYTES;
    return true;
  }

  /**
   * Makes the whole file as it was.
   *
   * @return whether that was possible
   */
  boolean discardAll() {
    if (!allHome()) {
      return false;
    }
    discard(file.bytes().byteSize());
    discardedBytes = 0;
    nextRestBytes = WINDOW_BYTES;
    return true;
  }

  private void discard(long to) {
    if (!isKept || file.mayBeChanged(discardedBytes, to)) {
      file.discardChanges(discardedBytes, to);
    }
  }

  private boolean allHome() {
    return pool.available() == pool.capacity();
  }
}
