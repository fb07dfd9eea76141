package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a layer from its start to its end, for {@link Protocol#dissect}, which goes through
 * them and says what the fields are. It has a cursor; what is read behind the end is 0, marks the
 * layer, and moves the cursor to the end: a loop that goes on while there is something {@link
 * #left} ends.
 *
 * <pre>{@code
 * dissection.fixed();
 * while (dissection.left() > 0) {
 *   int type = (int) dissection.add(OPTION_TYPE);
 *   ...
 * }
 * }</pre>
 */
public final class Dissection {
  private final Decoder decoder;

  /** For texts that protocols put together. */
  private final StringBuilder text = new StringBuilder();

  private final PaddedBytes padded = new PaddedBytes();
  private final ComputedBytes computed = new ComputedBytes();

  @SuppressWarnings("NullAway.Init")
  private FieldSink sink;

  /** What the sink wants; null: all. */
  private @Nullable FieldSelection selection;

  @SuppressWarnings("NullAway.Init")
  private Layer layer;

  @SuppressWarnings("NullAway.Init")
  private ByteView bytes;

  /** Offset of the layer. */
  private int start;

  private int at;
  private int end;

  /** Whether bytes that were cut off have been asked for. */
  private boolean isCut;

  Dissection(Decoder decoder) {
    this.decoder = decoder;
  }

  void run(Layer newLayer, FieldSink newSink) {
    layer = newLayer;
    bytes = newLayer.bytes();
    start = newLayer.offset();
    sink = newSink;
    selection = newSink.selection();
    at = start;
    end = newLayer.payloadOffset();
    isCut = false;
    newSink.begin(newLayer);
    newLayer.protocol().dissect(this);
    newSink.end(newLayer);
  }

  /** The layer. */
  public Layer layer() {
    return layer;
  }

  /**
   * One of the packet's layers, from the outermost on.
   *
   * @throws IndexOutOfBoundsException unless the packet has so many
   */
  public Layer layer(int index) {
    return decoder.at(index);
  }

  /** Layers that the packet has. */
  public int layers() {
    return decoder.count();
  }

  /**
   * Which connection of TCP, or which talk of two ends over UDP, the layer belongs to, from 0 on in
   * the order in which they are asked for.
   *
   * @return -1 if it is in no IP, or if there are more than are numbered
   * @throws IllegalArgumentException if the layer is of another protocol
   */
  public long stream() {
    return decoder.stream(layer);
  }

  /** The layer that carries this one; null if none does. */
  public @Nullable Layer outer() {
    int index = layer.index();
    return index > 0 && index < decoder.count() ? decoder.at(index - 1) : null;
  }

  /** The layer that this one carries; null if there is none. */
  public @Nullable Layer inner() {
    int next = layer.index() + 1;
    return next < decoder.count() ? decoder.at(next) : null;
  }

  /** What is known of the packet beside its bytes. */
  public Frame frame() {
    return decoder.frame();
  }

  /** A text to be put together, empty: its content holds until the next call. */
  public StringBuilder text() {
    text.setLength(0);
    return text;
  }

  // --- the cursor ---

  /** Offset of the cursor from the start of the layer. */
  public int offset() {
    return at - start;
  }

  /** Moves the cursor to an offset from the start of the layer; never behind the end. */
  public void offset(int newOffset) {
    at = start;
    if (newOffset < 0) {
      malformed();
    } else {
      skip(newOffset);
    }
  }

  /** Bytes from the cursor to the end. */
  public int left() {
    return end - at;
  }

  /** Moves the cursor on. */
  public void skip(int count) {
    if (isThere(0, count)) {
      at += count;
    }
  }

  /**
   * Puts the end so many bytes behind the cursor. If there are less it stays, and that marks the
   * layer: what is there can be dissected.
   *
   * @return what {@link #leave} wants, to put it back
   */
  public int enter(int count) {
    int before = end;
    int cursor = at;
    if (isThere(0, count)) {
      end = at + count;
    }
    at = count < 0 ? end : cursor;
    return before;
  }

  /** Puts the end back, and the cursor to where {@link #enter} had put it. */
  public void leave(int before) {
    at = end;
    end = before;
  }

  /** Whether something is left where more has to come: if nothing is, that marks the layer. */
  public boolean expectsMore() {
    return isThere(0, 1);
  }

  /**
   * Moves the cursor behind all that the layer carries, to its trailer, and the end to that of the
   * layer.
   */
  public void trailer() {
    at = layer.payloadOffset() + layer.payloadBytes();
    end = layer.end();
  }

  /**
   * Moves the cursor behind what the carried layer says that it has, and the end to that of what
   * carries this layer: what is between is padding, or what no layer knows of.
   */
  public void padding() {
    int payloadEnd = layer.payloadOffset() + layer.payloadBytes();
    Layer carried = inner();
    at = carried != null && isOfSame(carried) ? Math.min(carried.end(), payloadEnd) : payloadEnd;
    Layer carrier = outer();
    end =
        carrier != null && isOfSame(carrier)
            ? carrier.payloadOffset() + carrier.payloadBytes()
            : bytes.length();
  }

  @SuppressWarnings("ReferenceEquality") // Bytes are themselves only.
  private boolean isOfSame(Layer other) {
    return other.bytes() == bytes;
  }

  /** Whether so many bytes are there from the cursor on; it marks nothing. */
  public boolean has(int count) {
    return count >= 0 && count <= end - at;
  }

  private boolean isThere(int ahead, int count) {
    if (ahead >= 0 && count >= 0 && count <= end - at - ahead) {
      return true;
    }
    missing((long) at + Math.max(ahead, 0) + Math.max(count, 0), count < 0 || ahead < 0);
    return false;
  }

  /** Behind the end of the layer that was cut off, or behind all that it says it has. */
  private void missing(long wantedEnd, boolean isNegative) {
    isCut |= !isNegative && end == layer.end() && wantedEnd <= layer.claimedEnd();
    malformed();
    at = end;
  }

  /**
   * The layer is not as its protocol wants it: unless a capture has cut off its end, or bytes that
   * are elsewhere have been asked for, for then it is not known how it is.
   */
  public void malformed() {
    if (layer.mark() != Mark.MALFORMED) {
      boolean isUnknown = isCut || (end == layer.end() && layer.isCutOff());
      layer.mark(isUnknown ? Mark.CUT : Mark.MALFORMED);
    }
  }

  /** Whether nothing is wrong so far. */
  public boolean isSound() {
    return layer.mark() == Mark.SOUND;
  }

  // --- bytes from the cursor on ---

  /** One byte, so far behind the cursor, 0 to 255. */
  public int u8(int ahead) {
    return isThere(ahead, 1) ? bytes.u8(at + ahead) : 0;
  }

  /** Two bytes, so far behind the cursor, 0 to 65,535. */
  public int u16(int ahead) {
    return isThere(ahead, 2) ? bytes.u16(at + ahead) : 0;
  }

  /** Four bytes, so far behind the cursor, 0 to 4,294,967,295. */
  public long u32(int ahead) {
    return isThere(ahead, 4) ? bytes.u32(at + ahead) : 0;
  }

  /** Eight bytes, so far behind the cursor, as they are. */
  public long u64(int ahead) {
    return isThere(ahead, 8) ? bytes.u64(at + ahead) : 0;
  }

  /**
   * How far behind the cursor the next byte is that has a value.
   *
   * @param ahead bytes behind the cursor from where on it is looked for
   * @return -1 if there is none
   */
  public int indexOf(int value, int ahead) {
    for (int i = at + Math.max(ahead, 0); i < end; i++) {
      if (bytes.u8(i) == value) {
        return i - at;
      }
    }
    return -1;
  }

  // --- what the fields are ---

  /** Whether a field is wanted, for those that cost more than to read them. */
  public boolean wants(Field field) {
    return sink.wants(layer, field);
  }

  /**
   * All fields with a fixed place that are there as a whole, in the order of their declaration; the
   * cursor moves behind the last of them.
   */
  public void fixed() {
    Fields fields = layer.protocol().fields();
    if (selection != null && start + fields.fixedBytes() <= end) {
      for (Field field : selection.fixed(layer.protocolNumber())) {
        emit(field, start + field.byteOffset(), field.bitOffset() & 7, field.bytes());
      }
      at = Math.max(at, start + fields.fixedBytes());
      return;
    }
    for (Field field : fields.fixed()) {
      fixed(field);
    }
  }

  /**
   * Whether more is wanted of the layer than {@link #fixed} tells: if not the rest need not be
   * looked at.
   */
  public boolean wantsMore() {
    return selection == null || selection.wantsFloating(layer.protocolNumber());
  }

  /** One field with a fixed place; the cursor moves behind it. */
  public void fixed(Field field) {
    int from = start + field.byteOffset();
    int count = field.bytes();
    if (from + count > end) {
      at = Math.max(at, Math.min(from, end));
      missing((long) from + count, false);
      return;
    }
    emit(field, from, field.bitOffset() & 7, count);
    at = Math.max(at, from + count);
  }

  private long emit(Field field, int from, int skipped, int count) {
    if (!field.kind().isNumber()) {
      sink.bytes(layer, field, bytes, from, count);
      return 0;
    }
    long value = Layer.number(bytes, from, skipped, field) * field.factor();
    sink.number(layer, field, value, from, count);
    return value;
  }

  /**
   * A field without a fixed place, of the width that it was declared with, at the cursor, which
   * moves behind it.
   *
   * @return its value, 0 if it is not there or no number
   */
  public long add(Field field) {
    int count = field.bytes();
    if (!isThere(0, count)) {
      return 0;
    }
    long value = emit(field, at, 0, count);
    at += count;
    return value;
  }

  /**
   * As {@link #add(Field)}, of so many bytes: up to eight of a number.
   *
   * @return its value, 0 if it is not there or no number
   */
  public long add(Field field, int count) {
    if (!isThere(0, count)) {
      return 0;
    }
    long value = 0;
    if (field.kind().isNumber()) {
      value = number(at, count, field.isLittleEndian()) * field.factor();
      sink.number(layer, field, value, at, count);
    } else {
      sink.bytes(layer, field, bytes, at, count);
    }
    at += count;
    return value;
  }

  /**
   * A field of all bytes from the cursor to the end, unless there are none; the cursor moves to the
   * end.
   */
  public void addLeft(Field field) {
    if (left() > 0) {
      add(field, left());
    }
  }

  /**
   * A number at the cursor and its parts; the cursor moves behind it.
   *
   * @return the number, 0 if it is not there
   */
  public long add(Parts parts) {
    int count = parts.bytes();
    if (!isThere(0, count)) {
      return 0;
    }
    long value = number(at, count, parts.isLittleEndian());
    if (parts.hasWhole()) {
      sink.number(layer, parts.whole(), value, at, count);
    }
    values(parts, value, 0);
    at += count;
    return value;
  }

  /**
   * The parts of a number, not itself, where it was read already; the cursor stays.
   *
   * @param ahead bytes behind the cursor at which it begins; below 0 for those before it
   */
  public void values(Parts parts, long value, int ahead) {
    if (!isAround(ahead, parts.bytes())) {
      return;
    }
    for (int i = 0; i < parts.size(); i++) {
      sink.number(layer, parts.part(i), parts.value(i, value), at + ahead, parts.bytes());
    }
  }

  /**
   * An address at the cursor of which only the first bytes are written, and zeros follow; the
   * cursor moves behind them.
   *
   * @param count of the bytes that are written
   */
  public void prefix(Field field, int count) {
    int whole = field.bytes();
    if (count > whole) {
      malformed();
    }
    int written = Math.min(count, whole);
    if (!isThere(0, written)) {
      return;
    }
    if (field.kind().isNumber()) {
      long value = written == 0 ? 0 : number(at, written, false) << (8 * (whole - written));
      sink.number(layer, field, value, at, written);
    } else {
      padded.begin(bytes, at + written);
      sink.bytes(layer, field, padded, at, whole);
    }
    skip(count);
  }

  private long number(int from, int count, boolean isLittleEndian) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << 8) | bytes.u8(isLittleEndian ? from + count - 1 - i : from + i);
    }
    return value;
  }

  /**
   * A field with a value that is not that of its bytes alone: a bit of them, or computed. The
   * cursor stays. If its bytes are not there that marks the layer, and nothing is said.
   *
   * @param ahead bytes behind the cursor at which it begins; below 0 for those before it
   * @param count of its bytes, 0 if it is in none
   */
  public void value(Field field, long value, int ahead, int count) {
    if (isAround(ahead, count)) {
      sink.number(layer, field, value, at + ahead, count);
    }
  }

  /** Whether bytes are there, which may begin before the cursor. */
  private boolean isAround(int ahead, int count) {
    return ahead < 0 ? at + ahead >= start && ahead + count <= end - at : isThere(ahead, count);
  }

  /**
   * A field of 128 bits with a value that is not that of its bytes alone. The cursor stays.
   *
   * @param high its first eight bytes
   * @param low its last eight
   * @param ahead bytes behind the cursor at which it begins
   */
  public void value128(Field field, long high, long low, int ahead) {
    if (!isAround(ahead, 2 * Long.BYTES)) {
      return;
    }
    computed.begin(high, low, at + ahead);
    sink.bytes(layer, field, computed, at + ahead, 2 * Long.BYTES);
  }

  /** As {@link #value}, of a text. */
  public void text(Field field, CharSequence value, int ahead, int count) {
    if (isAround(ahead, count)) {
      sink.text(layer, field, value, at + ahead, count);
    }
  }

  /** Bytes that are elsewhere than at the cursor; the cursor stays. */
  public void bytes(Field field, int ahead, int count) {
    if (isThere(ahead, count)) {
      sink.bytes(layer, field, bytes, at + ahead, count);
    }
  }

  /** All that the layer carries, if there is something. */
  public void payload(Field field) {
    if (layer.payloadBytes() > 0) {
      sink.bytes(layer, field, bytes, layer.payloadOffset(), layer.payloadBytes());
    }
  }

  /** What follows belongs to a part, so many bytes from the cursor on, until {@link #close}. */
  public void open(Field part, int count) {
    sink.open(layer, part, at, Math.min(count, left()));
  }

  /** A part of which no more is said; the cursor moves behind it. */
  public void part(Field part, int count) {
    open(part, count);
    skip(count);
    close();
  }

  /** The part that was opened last ends. */
  public void close() {
    sink.close(layer);
  }
}
