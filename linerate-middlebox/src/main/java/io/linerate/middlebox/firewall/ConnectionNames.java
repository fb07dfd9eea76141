package io.linerate.middlebox.firewall;

import io.linerate.track.ConnectionRecords;
import io.linerate.track.OrderedBytes;
import java.util.concurrent.TimeUnit;

/**
 * How far the names of a worker's connections are, in the marks of their records, and the first
 * bytes of those whose names are yet to be known. One thread's own.
 */
final class ConnectionNames {
  /** Nothing is known, and no byte kept. */
  static final int OPEN = 0;

  /** It passes: its packets are not looked at again. */
  static final int DECIDED = 1;

  /** None of its packets passes. */
  static final int REFUSED = 2;

  private static final int FIRST_SLOT = 3;

  /** After that its bytes may go where there is no room for others. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final OrderedBytes bytes;
  private final int pages;

  /**
   * @param pages of {@link OrderedBytes}
   */
  ConnectionNames(int pages) {
    this.pages = pages;
    bytes = new OrderedBytes(pages);
  }

  OrderedBytes bytes() {
    return bytes;
  }

  /** Whose bytes are kept. */
  static boolean hasBytes(int mark) {
    return mark >= FIRST_SLOT;
  }

  /** The slot of a connection whose bytes are kept. */
  static int slot(int mark) {
    return mark - FIRST_SLOT;
  }

  /**
   * Keeps the bytes of a connection from now on. Those of SYNs that nobody has answered, whose
   * sources may be forged, get no more than half of the pages.
   *
   * @param sequence of the first
   * @return the slot, or {@link OrderedBytes#NONE} if there is no room
   */
  int keep(ConnectionRecords records, int number, int sequence, long nowNs) {
    if (!records.isReplied(number) && 2 * bytes.freePages() <= pages) {
      return OrderedBytes.NONE;
    }
    int slot = bytes.take(number, sequence, nowNs);
    if (slot == OrderedBytes.NONE && makeRoom(records, nowNs)) {
      slot = bytes.take(number, sequence, nowNs);
    }
    if (slot != OrderedBytes.NONE) {
      records.mark(number, FIRST_SLOT + slot);
    }
    return slot;
  }

  /**
   * Refuses a connection whose name is still not known, or whose bytes nobody has acknowledged,
   * after some time: otherwise a few such would keep all others out.
   *
   * @return whether there was one
   */
  boolean makeRoom(ConnectionRecords records, long nowNs) {
    int old = bytes.olderThan(nowNs - PATIENCE_NS);
    if (old != OrderedBytes.NONE) {
      end(records, bytes.owner(old), REFUSED);
    }
    return old != OrderedBytes.NONE;
  }

  /** Ends with a connection: its bytes are not kept any longer. */
  void end(ConnectionRecords records, int number, int mark) {
    forget(records, number);
    records.mark(number, mark);
  }

  /** As {@link #end}, for one that goes. */
  void forget(ConnectionRecords records, int number) {
    int mark = records.mark(number);
    if (hasBytes(mark)) {
      bytes.release(slot(mark));
    }
  }
}
