package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.MappedBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The layers that were found in a packet, as numbers: made once, and written for each packet.
 *
 * <pre>
 *   of each layer, from the lowest bits on:
 *   0: 16 bits protocol, 16 mark, 32 offset   1: 32 bits end of the header, 32 end
 * </pre>
 */
final class LayerTable {
  /** Layers of one packet at most. */
  static final int PLACES = 64;

  private static final int RECORD = 2;
  private static final int MARK_SHIFT = 16;
  private static final long MARK_BITS = 0xFFFF_0000L;
  private static final Mark[] MARKS = Mark.values();
  private static final ByteView NO_BYTES = new MappedBuffer();

  final Protocols protocols;

  /** Of each protocol. */
  final Fields[] fields;

  /** One more place than there are, for what is known of the packet as a whole. */
  private final long[] records = new long[RECORD * (PLACES + 1)];

  /** Where each layer would end if the packet had been captured as a whole. */
  private final int[] claimedEnds = new int[PLACES + 1];

  private boolean isCut;

  /** A bit for each place of a layer that has a trailer, and where those begin. */
  private long trailerPlaces;

  private final int[] trailers = new int[PLACES];

  /** Bytes of those from {@link #apartFrom} on, which are in others than the packet. */
  private final ByteView[] apart = new ByteView[PLACES];

  private int apartFrom = PLACES;

  /** A bit for each protocol that was found. */
  private final long[] present;

  private ByteView bytes = NO_BYTES;
  private int count;

  LayerTable(Protocols protocols) {
    this.protocols = protocols;
    int size = protocols.all().size();
    fields = protocols.all().stream().map(Protocol::fields).toArray(Fields[]::new);
    present = new long[(size + Long.SIZE - 1) / Long.SIZE];
    Arrays.fill(apart, NO_BYTES);
  }

  /**
   * Forgets all layers, and begins those of other bytes.
   *
   * @param newIsCut whether more bytes were sent than there are
   */
  void begin(ByteView newBytes, boolean newIsCut) {
    if (!isSame(newBytes)) {
      bytes = newBytes;
    }
    isCut = newIsCut;
    trailerPlaces = 0;
    count = 0;
    if (apartFrom != PLACES) {
      Arrays.fill(apart, apartFrom, PLACES, NO_BYTES);
      apartFrom = PLACES;
    }
    for (int i = 0; i < present.length; i++) {
      present[i] = 0;
    }
  }

  @SuppressWarnings("ReferenceEquality") // Bytes are themselves only.
  private boolean isSame(ByteView other) {
    return other == bytes;
  }

  /** Adds a sound layer of the packet. */
  void add(int number, int offset, int headerEnd, int end) {
    set(count++, number, offset, headerEnd, end);
    present[number >>> 6] |= 1L << number;
  }

  /** Sets a sound layer of the packet: one of those that {@link #found} tells of. */
  void set(int place, int number, int offset, int headerEnd, int end) {
    records[RECORD * place] = ((long) offset << Integer.SIZE) | number;
    records[RECORD * place + 1] = ((long) end << Integer.SIZE) | headerEnd;
  }

  /**
   * So many layers were set, in an empty table.
   *
   * @param protocols a bit for each of those of numbers below 64
   */
  void found(int newCount, long protocols) {
    count = newCount;
    present[0] = protocols;
  }

  /** Says more of the layer that was added last. */
  void last(ByteView of, int claimedEnd, Mark mark) {
    int place = count - 1;
    if (!isSame(of)) {
      apartFrom = Math.min(apartFrom, place);
      apart[place] = of;
    }
    claimedEnds[place] = claimedEnd;
    if (mark != Mark.SOUND) {
      mark(place, mark);
    }
  }

  /**
   * Says what is rare of the layer that was added last.
   *
   * @param payloadEnd where what it carries ends
   * @param isPartial whether that is a part of something longer: that is as if it was cut off
   * @param isBegun whether the rest of the layer itself is elsewhere: as if it was cut off
   */
  void unusual(int payloadEnd, boolean isPartial, boolean isBegun) {
    int place = count - 1;
    if (payloadEnd < end(place)) {
      trailerPlaces |= 1L << place;
      trailers[place] = payloadEnd;
    }
    if ((isPartial || isBegun) && !isCut) {
      for (int i = 0; i < count; i++) {
        claimedEnds[i] = end(i);
      }
      isCut = true;
    }
    if (isBegun) {
      claimedEnds[place] = Integer.MAX_VALUE;
    }
  }

  /** Says what the packet as a whole is. */
  void frame(int number, int length) {
    set(PLACES, number, 0, length, length);
    claimedEnds[PLACES] = length;
  }

  /** Takes the layer away that was added last. */
  void removeLast() {
    int number = number(--count);
    for (int i = 0; i < count; i++) {
      if (number(i) == number) {
        return;
      }
    }
    present[number >>> 6] &= ~(1L << number);
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == PLACES;
  }

  ByteView bytes() {
    return bytes;
  }

  boolean isPlace(int place) {
    return place < count || place == PLACES;
  }

  boolean has(int number) {
    return (present[number >>> 6] & (1L << number)) != 0;
  }

  int firstOf(int number) {
    if (!has(number)) {
      throw new IllegalStateException(
          "packet has no such layer: protocol=%s; ask has() before".formatted(fields[number]));
    }
    int place = 0;
    while (number(place) != number) {
      place++;
    }
    return place;
  }

  int number(int place) {
    return (int) records[RECORD * place] & 0xFFFF;
  }

  int offset(int place) {
    return (int) (records[RECORD * place] >>> Integer.SIZE);
  }

  int headerEnd(int place) {
    return (int) records[RECORD * place + 1];
  }

  int end(int place) {
    return (int) (records[RECORD * place + 1] >>> Integer.SIZE);
  }

  int payloadEnd(int place) {
    boolean hasTrailer = place < PLACES && (trailerPlaces & (1L << place)) != 0;
    return hasTrailer ? trailers[place] : end(place);
  }

  int claimedEnd(int place) {
    return isCut ? claimedEnds[place] : end(place);
  }

  ByteView bytes(int place) {
    return place >= apartFrom && place < PLACES ? apart[place] : bytes;
  }

  Mark mark(int place) {
    return MARKS[markNumber(place)];
  }

  void mark(int place, Mark mark) {
    int number = mark == Mark.CUT ? 1 : mark == Mark.MALFORMED ? 2 : 0;
    long others = records[RECORD * place] & ~MARK_BITS;
    records[RECORD * place] = others | (number << MARK_SHIFT);
  }

  private int markNumber(int place) {
    return (int) (records[RECORD * place] & MARK_BITS) >>> MARK_SHIFT;
  }

  /** The worst that is wrong with any layer. */
  Mark worst() {
    int worst = 0;
    for (int i = 0; i < count; i++) {
      worst = Math.max(worst, markNumber(i));
    }
    return MARKS[worst];
  }

  @Override
  public String toString() {
    return Objects.toString(count);
  }
}
