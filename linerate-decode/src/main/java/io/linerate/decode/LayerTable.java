package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.MappedBuffer;
import io.linerate.core.memory.Packet;
import io.linerate.wire.Ethernet;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The layers that were found in a packet, as numbers: made once, and written for each packet.
 *
 * <pre>
 *   of each layer, from the lowest bits on:
 *   begin: 16 bits protocol, 16 mark, 32 offset   ends: 32 bits end of the header, 32 end
 * </pre>
 */
final class LayerTable {
  /** Layers of one packet at most. */
  static final int PLACES = 64;

  private static final int MARK_SHIFT = 16;
  private static final long MARK_BITS = 0xFFFF_0000L;
  private static final Mark[] MARKS = Mark.values();
  private static final ByteView NO_BYTES = new MappedBuffer();

  final Protocols protocols;

  /** Of each protocol. */
  final Fields[] fields;

  /** One more place than there are, for what is known of the packet as a whole. */
  private final Row[] rows = new Row[PLACES + 1];

  // Of those, the first: to write to them the compiler need not look how many there are.
  private final Row first;
  private final Row second;
  private final Row third;
  private final Row fourth;

  /** Of a layer. */
  private static final class Row {
    long begin;
    long ends;
  }

  /** Where each layer would end if the packet had been captured as a whole. */
  private final int[] claimedEnds = new int[PLACES + 1];

  private boolean isCut;

  /** The bytes, unless something was said of a packet that most do not have. */
  private @Nullable Packet usual;

  /** A bit for each place of a layer that has a trailer, and where those begin. */
  private long trailerPlaces;

  private final int[] trailers = new int[PLACES];

  /** Bytes of those from {@link #apartFrom} on, which are in others than the packet. */
  private final ByteView[] apart = new ByteView[PLACES];

  private int apartFrom = PLACES;

  /** A bit for each protocol that was found, of those with numbers below 64, and of the others. */
  private long low;

  private final long[] high;

  private ByteView bytes = NO_BYTES;
  private int count;

  LayerTable(Protocols protocols) {
    this.protocols = protocols;
    int size = protocols.all().size();
    fields = protocols.all().stream().map(Protocol::fields).toArray(Fields[]::new);
    high = new long[(size + Long.SIZE - 1) / Long.SIZE];
    Arrays.fill(apart, NO_BYTES);
    Arrays.setAll(rows, _ -> new Row());
    first = rows[0];
    second = rows[1];
    third = rows[2];
    fourth = rows[3];
  }

  /**
   * Forgets all layers, and begins those of other bytes.
   *
   * @param newIsCut whether more bytes were sent than there are
   */
  void begin(ByteView newBytes, boolean newIsCut) {
    bytes = newBytes;
    forgetUnusual();
    count = 0;
    low = 0;
    isCut = newIsCut;
    usual = newBytes instanceof Packet packet && !newIsCut ? packet : null;
  }

  /** As {@link #begin(ByteView, boolean)}, of a whole packet, before what was found is told. */
  void begin(Packet packet) {
    if (!isUsual(packet)) {
      bytes = packet;
      usual = packet;
      forgetUnusual();
    }
  }

  @SuppressWarnings("ReferenceEquality") // Packets are themselves only.
  private boolean isUsual(Packet packet) {
    return usual == packet;
  }

  /** The packet, unless something was said of it that most do not have. */
  @Nullable Packet usual() {
    return usual;
  }

  private void forgetUnusual() {
    isCut = false;
    trailerPlaces = 0;
    if (apartFrom != PLACES) {
      Arrays.fill(apart, apartFrom, PLACES, NO_BYTES);
      apartFrom = PLACES;
    }
    Arrays.fill(high, 0);
  }

  @SuppressWarnings("ReferenceEquality") // Bytes are themselves only.
  private boolean isSame(ByteView other) {
    return other == bytes;
  }

  /** Adds a sound layer of the packet. */
  void add(int number, int offset, int headerEnd, int end) {
    set(count++, number, offset, headerEnd, end);
    if (number < Long.SIZE) {
      low |= 1L << number;
    } else {
      high[number >>> 6] |= 1L << number;
      usual = null;
    }
  }

  /** Sets a sound layer of the packet: one of those that {@link #found} tells of. */
  void set(int place, int number, int offset, int headerEnd, int end) {
    Row row = rows[place];
    row.begin = ((long) offset << Integer.SIZE) | number;
    row.ends = ((long) end << Integer.SIZE) | headerEnd;
  }

  /**
   * Sets the layers of a plain packet of TCP, and data behind them.
   *
   * @param ip number of the protocol of IP
   */
  void setPlain(int length, int ip, int at, int headerEnd, int end) {
    long ends = (long) end << Integer.SIZE;
    first.begin = Protocols.ETHERNET;
    first.ends = ((long) length << Integer.SIZE) | Ethernet.HEADER_BYTES;
    second.begin = ((long) Ethernet.HEADER_BYTES << Integer.SIZE) | ip;
    second.ends = ends | at;
    third.begin = ((long) at << Integer.SIZE) | Protocols.TCP;
    third.ends = ends | headerEnd;
    fourth.begin = ((long) headerEnd << Integer.SIZE) | Protocols.DATA;
    fourth.ends = ends | end;
  }

  /**
   * The layers of {@link #setPlain} were.
   *
   * @return how many
   */
  int foundTcp(int ip, boolean hasData) {
    long headers = (1L << Protocols.ETHERNET) | (1L << ip) | (1L << Protocols.TCP);
    int data = hasData ? 1 : 0;
    low = headers | ((long) data << Protocols.DATA);
    count = 3 + data;
    return count;
  }

  /**
   * So many layers were set, in an empty table.
   *
   * @param protocols a bit for each of those of numbers below 64
   */
  void found(int newCount, long protocols) {
    count = newCount;
    low = protocols;
  }

  /** Says more of the layer that was added last. */
  void last(ByteView of, int claimedEnd, Mark mark) {
    int place = count - 1;
    if (!isSame(of)) {
      apartFrom = Math.min(apartFrom, place);
      usual = null;
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
    usual = null;
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
    if (number < Long.SIZE) {
      low &= ~(1L << number);
    } else {
      high[number >>> 6] &= ~(1L << number);
    }
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
    return ((number < Long.SIZE ? low : high[number >>> 6]) & (1L << number)) != 0;
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
    return (int) rows[place].begin & 0xFFFF;
  }

  int offset(int place) {
    return (int) (rows[place].begin >>> Integer.SIZE);
  }

  int headerEnd(int place) {
    return (int) rows[place].ends;
  }

  int end(int place) {
    return (int) (rows[place].ends >>> Integer.SIZE);
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
    long others = rows[place].begin & ~MARK_BITS;
    rows[place].begin = others | (number << MARK_SHIFT);
  }

  private int markNumber(int place) {
    return (int) (rows[place].begin & MARK_BITS) >>> MARK_SHIFT;
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
