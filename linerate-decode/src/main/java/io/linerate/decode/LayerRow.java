package io.linerate.decode;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link LayerTable} has of a layer, in numbers. Rows are linked, so that who sets one after
 * the other looks at no length of an array.
 *
 * <pre>
 *   from the lowest bits on:
 *   begin: 16 bits protocol, 2 mark, 1 begun, 13 unused, 32 offset
 *   ends: 32 bits end of the header, 32 end
 * </pre>
 */
final class LayerRow {
  private static final int MARK_SHIFT = 16;
  private static final long MARK_BITS = 3L << MARK_SHIFT;
  private static final long CUT = 1L << MARK_SHIFT;
  private static final long MALFORMED = 2L << MARK_SHIFT;
  private static final long BEGUN = 4L << MARK_SHIFT;

  /** The one behind it; of the last, itself. */
  final LayerRow next;

  final int place;

  private long begin;
  private long ends;

  /** Where the layer would end if the packet had been captured as a whole: if it was not. */
  int claimedEnd;

  LayerRow(int place, @Nullable LayerRow next) {
    this.place = place;
    this.next = next == null ? this : next;
  }

  /** Sets a sound layer. */
  void set(int number, int offset, int headerEnd, int end) {
    begin = ((long) offset << Integer.SIZE) | number;
    ends = ((long) end << Integer.SIZE) | headerEnd;
  }

  /** The rest of the layer is elsewhere: as if it was cut off. */
  void begun() {
    begin |= BEGUN;
    if ((begin & MARK_BITS) == 0) {
      begin |= CUT;
    }
  }

  boolean isBegun() {
    return (begin & BEGUN) != 0;
  }

  int number() {
    return (int) begin & 0xFFFF;
  }

  int offset() {
    return (int) (begin >>> Integer.SIZE);
  }

  int headerEnd() {
    return (int) ends;
  }

  int end() {
    return (int) (ends >>> Integer.SIZE);
  }

  /** 0 to 2: the worse, the higher. */
  int mark() {
    return (int) (begin & MARK_BITS) >>> MARK_SHIFT;
  }

  void mark(Mark mark) {
    long bits = mark == Mark.CUT ? CUT : mark == Mark.MALFORMED ? MALFORMED : 0;
    begin = (begin & ~MARK_BITS) | bits;
  }

  @Override
  public String toString() {
    return "LayerRow[%d, %d)".formatted(offset(), end());
  }
}
