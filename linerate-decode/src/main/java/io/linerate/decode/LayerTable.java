package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.MappedBuffer;
import io.linerate.core.memory.Packet;
import io.linerate.wire.Ethernet;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The layers that were found in a packet: made once, and written for each packet. */
final class LayerTable {
  /** Layers of one packet at most. */
  static final int PLACES = 64;

  private static final Mark[] MARKS = Mark.values();
  private static final ByteView NO_BYTES = new MappedBuffer();

  final Protocols protocols;

  /** Of each protocol. */
  final Fields[] fields;

  /** One more place than there are, for what is known of the packet as a whole. */
  private final LayerRow[] rows = new LayerRow[PLACES + 1];

  // Of those, the first: to write to them the compiler need not look how many there are.
  private final LayerRow first;
  private final LayerRow second;
  private final LayerRow third;
  private final LayerRow fourth;

  private boolean isCut;

  /** The bytes, if they are a packet, and all layers are in it. */
  private @Nullable Packet usual;

  /** The cursor of which the next packet is expected to be as usual as this one. */
  private @Nullable Packet expected;

  /** A bit for each place of a layer that has a trailer, and where those begin. */
  private long trailerPlaces;

  private final int[] trailers = new int[PLACES];

  /** Bytes of those from {@link #apartFrom} on, which are in others than the packet. */
  private final ByteView[] apart = new ByteView[PLACES];

  private int apartFrom = PLACES;

  // A bit for each protocol that was found: of those with numbers below 64, below 128, and of the
  // others, of which there are none as long as nobody adds many.
  private long low;
  private long middle;
  private final long[] high;

  private ByteView bytes = NO_BYTES;
  private int count;

  LayerTable(Protocols protocols) {
    this.protocols = protocols;
    int size = protocols.all().size();
    fields = protocols.all().stream().map(Protocol::fields).toArray(Fields[]::new);
    high = new long[Math.max(0, (size + Long.SIZE - 1) / Long.SIZE - 2)];
    Arrays.fill(apart, NO_BYTES);
    rows[PLACES] = new LayerRow(PLACES, null);
    for (int place = PLACES - 1; place >= 0; place--) {
      rows[place] = new LayerRow(place, place + 1 < PLACES ? rows[place + 1] : null);
    }
    first = rows[0];
    second = first.next;
    third = second.next;
    fourth = third.next;
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
    middle = 0;
    isCut = newIsCut;
    expected = null;
    usual = newBytes instanceof Packet packet ? packet : null;
  }

  /**
   * As {@link #begin(ByteView, boolean)}, of a packet as {@link Packet#plainLength} says, before
   * what was found is told.
   *
   * @param isExpected whether this need not be said for other packets of its cursor, as long as
   *     nothing unusual is said of one: see {@link #isExpected}
   */
  void beginPlain(Packet packet, boolean isExpected) {
    begin(packet, false);
    expected = isExpected ? packet : null;
  }

  @SuppressWarnings("ReferenceEquality") // Packets are themselves only.
  boolean isExpected(Packet packet) {
    return packet == expected;
  }

  /** From now on each packet is begun. */
  void expectNothing() {
    expected = null;
  }

  /** The packet that all layers are in; null if they are in something else. */
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
    rows[count++].set(number, offset, headerEnd, end);
    if (number < Long.SIZE) {
      low |= 1L << number;
    } else {
      expected = null;
      foundHigh(number, 1L << number);
    }
  }

  /** Whether a protocol of a number of 64 or more was found: its bit, or 0. */
  private void foundHigh(int number, long bit) {
    long others = ~(1L << number);
    if (number < 2 * Long.SIZE) {
      middle = (middle & others) | bit;
    } else {
      int at = (number >>> 6) - 2;
      high[at] = (high[at] & others) | bit;
    }
  }

  /** Where the layers of an empty table are set. */
  LayerRow first() {
    return first;
  }

  /** The third of them. */
  LayerRow third() {
    return third;
  }

  /**
   * Sets the layers of a packet of TCP without tags, and data behind them.
   *
   * @param ip number of the protocol of IP
   */
  void setPlain(int length, int ip, int at, int headerEnd, int end) {
    first.set(Protocols.ETHERNET, 0, Ethernet.HEADER_BYTES, length);
    second.set(ip, Ethernet.HEADER_BYTES, at, end);
    third.set(Protocols.TCP, at, headerEnd, end);
    fourth.set(Protocols.DATA, headerEnd, end, end);
  }

  /** The protocols of these, without data: see {@link #found}. */
  long plainTcp(int ip) {
    return (1L << Protocols.ETHERNET) | (1L << ip) | (1L << Protocols.TCP);
  }

  /**
   * The layers of {@link #setPlain} were.
   *
   * @return how many
   */
  int foundTcp(int ip, boolean hasData) {
    int data = hasData ? 1 : 0;
    low = plainTcp(ip) | ((long) data << Protocols.DATA);
    count = 3 + data;
    return count;
  }

  /**
   * Layers were set, up to a row.
   *
   * @param protocols a bit for each of theirs, which have numbers below 64
   * @return how many
   */
  int found(LayerRow last, long protocols) {
    count = last.place + 1;
    low = protocols;
    return count;
  }

  /** What is added from now on is a part of something longer: as if the rest was cut off. */
  void partial() {
    expected = null;
    if (!isCut) {
      for (int i = 0; i < count; i++) {
        rows[i].claimedEnd = end(i);
      }
      isCut = true;
    }
  }

  /** As {@link #add}, behind {@link #partial}. */
  void addPart(int number, int offset, int headerEnd, int end, int claimedEnd) {
    add(number, offset, headerEnd, end);
    rows[count - 1].claimedEnd = claimedEnd;
  }

  /** Says more of the layer that was added last. */
  void last(ByteView of, int claimedEnd, Mark mark) {
    int place = count - 1;
    if (!isSame(of)) {
      apartFrom = Math.min(apartFrom, place);
      expected = null;
      usual = null;
      apart[place] = of;
    }
    rows[place].claimedEnd = claimedEnd;
    rows[place].mark(mark);
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
      expected = null;
      trailerPlaces |= 1L << place;
      trailers[place] = payloadEnd;
    }
    if (isPartial) {
      partial();
    }
    if (isBegun) {
      rows[place].begun();
    }
  }

  /** Says what the packet as a whole is. */
  void frame(int number, int length) {
    rows[PLACES].set(number, 0, length, length);
    rows[PLACES].claimedEnd = length;
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
      foundHigh(number, 0);
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
    long found =
        number < Long.SIZE ? low : number < 2 * Long.SIZE ? middle : high[(number >>> 6) - 2];
    return (found & (1L << number)) != 0;
  }

  /**
   * The first row of a protocol.
   *
   * @throws IllegalStateException if there is none
   */
  LayerRow firstOf(int number) {
    if (!has(number)) {
      throw new IllegalStateException(
          "packet has no such layer: protocol=%s; ask has() before".formatted(fields[number]));
    }
    LayerRow row = first;
    while (row.number() != number) {
      row = row.next;
    }
    return row;
  }

  LayerRow row(int place) {
    return rows[place];
  }

  int number(int place) {
    return rows[place].number();
  }

  int offset(int place) {
    return rows[place].offset();
  }

  int headerEnd(int place) {
    return rows[place].headerEnd();
  }

  int end(int place) {
    return rows[place].end();
  }

  int payloadEnd(int place) {
    boolean hasTrailer = place < PLACES && (trailerPlaces & (1L << place)) != 0;
    return hasTrailer ? trailers[place] : end(place);
  }

  int claimedEnd(int place) {
    LayerRow row = rows[place];
    return row.isBegun() ? Integer.MAX_VALUE : isCut ? row.claimedEnd : row.end();
  }

  ByteView bytes(int place) {
    return place >= apartFrom && place < PLACES ? apart[place] : bytes;
  }

  Mark mark(int place) {
    return MARKS[rows[place].mark()];
  }

  void mark(int place, Mark mark) {
    rows[place].mark(mark);
  }

  /** The worst that is wrong with any layer. */
  Mark worst() {
    int worst = 0;
    for (int i = 0; i < count; i++) {
      worst = Math.max(worst, rows[i].mark());
    }
    return MARKS[worst];
  }

  @Override
  public String toString() {
    return Objects.toString(count);
  }
}
