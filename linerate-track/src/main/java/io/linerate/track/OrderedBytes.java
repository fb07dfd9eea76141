package io.linerate.track;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.Packet;
import io.linerate.wire.name.NameReader;
import java.util.Arrays;
import java.util.Objects;

/**
 * The first bytes that one end of a connection sends, in order, however they come: out of order,
 * again, or overlapping. Those of many connections are kept in pages of {@value #PAGE_BYTES} bytes,
 * which are made at the start: nothing is made per packet. One thread's own.
 *
 * <p>Each connection has a slot, by its number. {@link #wrap} lays the view over the bytes of one
 * that have come without a gap.
 *
 * <p>A segment that has other bytes where some have come already is a conflict: its receiver would
 * have to choose, and nobody else knows which it takes. So nothing of it is taken, and whoever asks
 * drops the packet. Bytes that nobody has acknowledged may be sent again, and their receiver may
 * have seen none of those that came here: they are kept until then, see {@link #settle}.
 */
public final class OrderedBytes implements ByteView {
  /** No slot. */
  public static final int NONE = -1;

  public static final int PAGE_BYTES = 2_048;

  /** Of a connection; what comes behind is not looked at. */
  public static final int MOST_BYTES = NameReader.MOST_BYTES;

  public static final int MIN_PAGES = 8;

  /** All of it is 1.1 GB then. */
  public static final int MAX_PAGES = 1 << 19;

  private static final int PAGE_SHIFT = 11;
  private static final int PAGES_OF_SLOT = MOST_BYTES / PAGE_BYTES;
  private static final int WORDS_OF_PAGE = PAGE_BYTES / Long.SIZE;

  /** Slots that are looked at for an old one. */
  private static final int MOST_LOOKED_AT = 16;

  /** What became of a segment. */
  public enum Answer {
    /** It agrees with what came before, and is taken as far as it is looked at. */
    TAKEN,
    /** It has other bytes where some have come already: nothing of it is taken. */
    CONFLICT,
    /** There is no room: nothing of it is taken. */
    FULL
  }

  // Pages: bytes, a bit for each that has come, and those that are free.
  private final byte[] data;
  private final long[] present;
  private final int[] freePages;
  private int freePageCount;

  // Slots: their pages, and what is known of each.
  private final int[] pages;
  private final int[] owner;
  private final long[] sinceNs;
  private final int[] first;
  private final int[] ordered;
  private final int[] reach;
  private final int[] settled;
  private final int[] progress;
  private final int[] freeSlots;
  private int freeSlotCount;
  private int clockHand;

  /** That the view is laid over. */
  private int slot;

  /**
   * @param pageCount {@link #MIN_PAGES} to {@link #MAX_PAGES}; a connection needs one for each
   *     {@value #PAGE_BYTES} bytes that are looked at, {@value #MOST_BYTES} at most
   * @throws IllegalArgumentException if it is out of range
   */
  public OrderedBytes(int pageCount) {
    if (pageCount < MIN_PAGES || pageCount > MAX_PAGES) {
      throw new IllegalArgumentException(
          "no such pool: pages=%d; give %d to %d pages".formatted(pageCount, MIN_PAGES, MAX_PAGES));
    }
    data = new byte[pageCount * PAGE_BYTES];
    present = new long[pageCount * WORDS_OF_PAGE];
    freePages = descending(pageCount);
    freePageCount = pageCount;
    pages = new int[pageCount * PAGES_OF_SLOT];
    owner = new int[pageCount];
    Arrays.fill(owner, NONE);
    sinceNs = new long[pageCount];
    first = new int[pageCount];
    ordered = new int[pageCount];
    reach = new int[pageCount];
    settled = new int[pageCount];
    progress = new int[pageCount];
    freeSlots = descending(pageCount);
    freeSlotCount = pageCount;
  }

  /** From the last to 0: what is taken from the end of it comes in ascending order. */
  private static int[] descending(int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> count - 1 - i);
    return numbers;
  }

  /** Connections that have a slot. */
  public int slots() {
    return owner.length - freeSlotCount;
  }

  /** Pages that are free. */
  public int freePages() {
    return freePageCount;
  }

  /**
   * Takes a slot.
   *
   * @param connection whose it is: a number of its user's, from 0 on
   * @param sequence that of the first byte
   * @return its number, or {@link #NONE} if there is no room
   */
  public int take(int connection, int sequence, long nowNs) {
    if (freeSlotCount == 0 || freePageCount == 0) {
      return NONE;
    }
    int taken = freeSlots[--freeSlotCount];
    Arrays.fill(pages, taken * PAGES_OF_SLOT, (taken + 1) * PAGES_OF_SLOT, NONE);
    owner[taken] = connection;
    sinceNs[taken] = nowNs;
    first[taken] = sequence;
    ordered[taken] = 0;
    reach[taken] = 0;
    settled[taken] = NONE;
    progress[taken] = 0;
    return taken;
  }

  /** Gives a slot back, with its bytes. */
  public void release(int number) {
    requireTaken(number);
    for (int i = number * PAGES_OF_SLOT; i < (number + 1) * PAGES_OF_SLOT; i++) {
      int page = pages[i];
      if (page != NONE) {
        Arrays.fill(present, page * WORDS_OF_PAGE, (page + 1) * WORDS_OF_PAGE, 0);
        freePages[freePageCount++] = page;
      }
    }
    owner[number] = NONE;
    freeSlots[freeSlotCount++] = number;
  }

  private void requireTaken(int number) {
    if (owner[number] == NONE) {
      throw new IllegalStateException("no such slot: number=" + number + "; take one first");
    }
  }

  /** Whose a slot is. */
  public int owner(int number) {
    requireTaken(number);
    return owner[number];
  }

  /** The sequence number of the first byte. */
  public int firstSequence(int number) {
    return first[number];
  }

  /** How far a reader of the bytes is: 0, or what its user keeps there. */
  public int progress(int number) {
    return progress[number];
  }

  public void progress(int number, int value) {
    progress[number] = value;
  }

  /**
   * A slot that was taken before some time, if a few steps find one; {@link #NONE} otherwise. It is
   * for its user to give it back.
   */
  public int olderThan(long timeNs) {
    for (int i = 0; i < MOST_LOOKED_AT; i++) {
      clockHand = clockHand + 1 == owner.length ? 0 : clockHand + 1;
      if (owner[clockHand] != NONE && sinceNs[clockHand] - timeNs < 0) {
        return clockHand;
      }
    }
    return NONE;
  }

  /**
   * Takes the bytes of a segment. Once the slot is {@link #settle settled} it is compared only.
   *
   * @param sequence of the first of them
   * @param offset in the packet
   */
  public Answer add(int number, int sequence, Packet packet, int offset, int count) {
    requireTaken(number);
    int before = sequence - first[number];
    int from = Math.max(before, 0);
    int to = Math.min(before + count, MOST_BYTES);
    boolean isSettled = isSettled(number);
    int known = Math.min(to, isSettled ? settled[number] : reach[number]);
    for (int i = from; i < known; i++) {
      if (has(number, i) && byteAt(number, i) != (byte) packet.u8(offset + i - before)) {
        return Answer.CONFLICT;
      }
    }
    if (isSettled || from >= to) {
      return Answer.TAKEN;
    }
    if (!takePages(number, from, to)) {
      return Answer.FULL;
    }
    copy(number, packet, offset - before, from, to);
    reach[number] = Math.max(reach[number], to);
    if (from <= ordered[number]) {
      ordered[number] = firstMissing(number, ordered[number]);
    }
    return Answer.TAKEN;
  }

  private int pageOf(int number, int index) {
    return pages[number * PAGES_OF_SLOT + (index >>> PAGE_SHIFT)];
  }

  private byte byteAt(int number, int index) {
    return data[pageOf(number, index) * PAGE_BYTES + (index & (PAGE_BYTES - 1))];
  }

  private boolean has(int number, int index) {
    int page = pageOf(number, index);
    return page != NONE && (present[word(page, index)] & (1L << index)) != 0;
  }

  private static int word(int page, int index) {
    return page * WORDS_OF_PAGE + (index & (PAGE_BYTES - 1)) / Long.SIZE;
  }

  private boolean takePages(int number, int from, int to) {
    int start = number * PAGES_OF_SLOT + (from >>> PAGE_SHIFT);
    int end = number * PAGES_OF_SLOT + ((to - 1) >>> PAGE_SHIFT);
    int missing = 0;
    for (int i = start; i <= end; i++) {
      missing += pages[i] == NONE ? 1 : 0;
    }
    if (missing > freePageCount) {
      return false;
    }
    for (int i = start; i <= end; i++) {
      if (pages[i] == NONE) {
        pages[i] = freePages[--freePageCount];
      }
    }
    return true;
  }

  /** Page by page. */
  private void copy(int number, Packet packet, int offset, int from, int to) {
    int at = from;
    while (at < to) {
      int end = Math.min(to, (at | (PAGE_BYTES - 1)) + 1);
      int page = pageOf(number, at);
      packet.get(offset + at, data, page * PAGE_BYTES + (at & (PAGE_BYTES - 1)), end - at);
      while (at < end) { // Word by word.
        int next = Math.min(end, (at | (Long.SIZE - 1)) + 1);
        present[word(page, at)] |= (-1L >>> (Long.SIZE - (next - at))) << at;
        at = next;
      }
    }
  }

  private int firstMissing(int number, int from) {
    int at = from;
    while (at < reach[number]) {
      int page = pageOf(number, at);
      if (page == NONE) {
        return at;
      }
      int left = Long.SIZE - (at & (Long.SIZE - 1));
      int here = Long.numberOfTrailingZeros(~(present[word(page, at)] >>> at));
      at += Math.min(here, left);
      if (here < left) {
        return at;
      }
    }
    return at;
  }

  /**
   * What has come without a gap is all that was wanted: from now on segments are compared with it,
   * until {@link #isDone}.
   */
  public void settle(int number) {
    settled[number] = ordered[number];
  }

  /** Whether it was {@link #settle settled}. */
  public boolean isSettled(int number) {
    return settled[number] != NONE;
  }

  /**
   * Whether the other end has taken all bytes that were wanted: none of them counts if it comes
   * again.
   *
   * @param acknowledgment of the other end
   */
  public boolean isDone(int number, int acknowledgment) {
    return isSettled(number) && acknowledgment - (first[number] + settled[number]) >= 0;
  }

  /** Lays the view over the bytes of a slot that have come without a gap. */
  public OrderedBytes wrap(int number) {
    requireTaken(number);
    slot = number;
    return this;
  }

  @Override
  public int length() {
    return ordered[slot];
  }

  @Override
  public int u8(int index) {
    return byteAt(slot, Objects.checkIndex(index, ordered[slot])) & 0xFF;
  }
}
