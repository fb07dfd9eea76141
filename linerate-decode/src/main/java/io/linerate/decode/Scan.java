package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import org.jspecify.annotations.Nullable;

/**
 * The bytes from the start of a layer on, for {@link Protocol#scan}, and what it says of them:
 * where its header ends, where all that it carries ends, and what follows. Offsets count from the
 * start of the layer. What is read outside it is 0, and marks the layer.
 */
public final class Scan {
  private final Protocols protocols;

  @SuppressWarnings("NullAway.Init")
  private ByteView bytes;

  private @Nullable Protocol protocol;
  private int number;
  private @Nullable Layer outer;
  private int start;
  private int end;
  private int claimedEnd;
  private int headerEnd;
  private int payloadClaimedEnd;
  private int trailer;
  private boolean isPartial;
  private int besideStart;
  private int beside;
  private boolean isBegun;
  private Mark mark = Mark.SOUND;
  private int next;
  private boolean isNextRequired;
  private boolean isRefused;
  private int question;

  Scan(Protocols protocols) {
    this.protocols = protocols;
  }

  /**
   * Begins a layer.
   *
   * @param newEnd of the bytes that are there
   * @param newClaimedEnd of the bytes that were sent; not less
   * @param newOuter layer that carries it
   */
  void begin(
      ByteView newBytes, int newStart, int newEnd, int newClaimedEnd, @Nullable Layer newOuter) {
    outer = newOuter;
    bytes = newBytes;
    start = newStart;
    end = newEnd;
    claimedEnd = newClaimedEnd;
    headerEnd = -1;
    payloadClaimedEnd = newClaimedEnd;
    trailer = -1;
    isPartial = false;
    beside = Protocols.NONE;
    isBegun = false;
    mark = Mark.SOUND;
    next = Protocols.NONE;
    isNextRequired = false;
    isRefused = false;
    question = 0;
  }

  /** It answers this question of the other direction of its stream. */
  void question(int newQuestion) {
    question = newQuestion;
  }

  /** Whose layer it is. */
  void protocol(Protocol newProtocol, int newNumber) {
    protocol = newProtocol;
    number = newNumber;
  }

  /** Bytes from the start of the layer that are there. */
  public int length() {
    return end - start;
  }

  /** Bytes from the start of the layer that were sent, as what carries it says; not less. */
  public int claimedLength() {
    return claimedEnd - start;
  }

  /** The layer that carries this one; null if none does. */
  public @Nullable Layer outer() {
    return outer;
  }

  /**
   * What was asked, as {@link Protocol#exchange} of the other direction has said, if this begins a
   * message of a stream; 0 if that is not known.
   */
  public int question() {
    return question;
  }

  /** Whether so many bytes are there from an offset on; it marks nothing. */
  public boolean has(int offset, int count) {
    return offset >= 0 && count >= 0 && count <= length() - offset;
  }

  /** One byte, 0 to 255. */
  public int u8(int offset) {
    return isInside(offset, 1) ? bytes.u8(start + offset) : 0;
  }

  /** Two bytes, 0 to 65,535. */
  public int u16(int offset) {
    return isInside(offset, 2) ? bytes.u16(start + offset) : 0;
  }

  /** Four bytes as they are. */
  public int i32(int offset) {
    return isInside(offset, 4) ? bytes.i32(start + offset) : 0;
  }

  /** Four bytes, 0 to 4,294,967,295. */
  public long u32(int offset) {
    return Integer.toUnsignedLong(i32(offset));
  }

  /** Eight bytes as they are. */
  public long u64(int offset) {
    return isInside(offset, 8) ? bytes.u64(start + offset) : 0;
  }

  /**
   * A field with a fixed place.
   *
   * @return 0 if it is not there as a whole
   */
  public long value(Field field) {
    int at = field.byteOffset();
    return isInside(at, field.bytes())
        ? Layer.number(bytes, start + at, field.bitOffset() & 7, field) * field.factor()
        : 0;
  }

  /** A field with a fixed place of up to 31 bits. */
  public int number(Field field) {
    return (int) value(field);
  }

  private boolean isInside(int offset, int count) {
    if (has(offset, count)) {
      return true;
    }
    missing(offset < 0 ? Integer.MAX_VALUE : (long) start + offset + count);
    return false;
  }

  /** What ends there is not there: it was cut off, or never was. */
  private void missing(long wantedEnd) {
    if (isSound()) { // What is asked for next may be said by what was read as 0.
      mark = wantedEnd > claimedEnd ? Mark.MALFORMED : Mark.CUT;
    }
  }

  /**
   * The layer is not as its protocol wants it: unless bytes that were cut off have been read, as 0,
   * for then it is not known how it is.
   */
  public void malformed() {
    mark = mark == Mark.CUT ? mark : Mark.MALFORMED;
  }

  /** Whether nothing is wrong so far. */
  public boolean isSound() {
    return mark == Mark.SOUND;
  }

  /**
   * These bytes are no message of the protocol, whatever the number says that stands for it: they
   * are data.
   */
  public void refuse() {
    isRefused = true;
  }

  boolean isRefused() {
    return isRefused;
  }

  /** The header has so many bytes. One that does not fit marks the layer, and nothing follows. */
  public void header(int count) {
    if (isInside(count, 0)) {
      headerEnd = start + count;
    }
  }

  /**
   * The header has so many bytes, of a message in a stream: what of it was not sent in this segment
   * is in a later one, which is as if it was cut off; all that is there is header then.
   */
  public void message(int count) {
    if (count < 0 || count <= claimedLength()) {
      header(count);
    } else {
      isBegun = true;
      mark = mark == Mark.MALFORMED ? mark : Mark.CUT;
    }
  }

  /**
   * Offset of the next byte that has a value.
   *
   * @param from offset of the first that is looked at
   * @return -1 if there is none
   */
  public int indexOf(int value, int from) {
    for (int i = Math.max(from, 0); i < length(); i++) {
      if (bytes.u8(start + i) == value) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The layer and all that it carries have so many bytes, if that is less than there are; what is
   * behind them is padding. Not if bytes that were cut off have been read: it may be them who say
   * so.
   */
  public void total(int count) {
    int claimed = start + Math.max(count, 0);
    if (mark != Mark.CUT && count >= 0 && claimed >= start && claimed < payloadClaimedEnd) {
      payloadClaimedEnd = claimed;
    }
  }

  /**
   * What it carries ends there, and a trailer that belongs to the layer begins, if so many bytes
   * are there; not before the header ends.
   */
  public void trailer(int offset) {
    if (offset >= 0 && offset <= length()) {
      trailer = start + offset;
    }
  }

  /**
   * What it carries is the first part of something longer: what that claims to have behind the end
   * is not missing, but elsewhere.
   */
  public void partial() {
    isPartial = true;
  }

  /**
   * Another layer begins there, which stands beside it: it is found when all that this one carries
   * was.
   */
  public void beside(int offset, Protocol other) {
    if (offset > 0 && offset < length()) {
      besideStart = start + offset;
      beside = protocols.number(other.fields());
    }
  }

  /**
   * What follows the header, if a protocol is bound to the number. If nothing is there, it is that
   * which is malformed.
   */
  public void next(DispatchTable table, long key) {
    isNextRequired = true;
    next = protocols.find(table, key);
  }

  /**
   * What follows the header, if a protocol is bound to the lower port, or else to the other, and if
   * something is there: a message may be empty.
   */
  public void nextOfPorts(DispatchTable table, int source, int destination) {
    next = protocols.find(table, Math.min(source, destination));
    if (next == Protocols.NONE) {
      next = protocols.find(table, Math.max(source, destination));
    }
  }

  /** What follows the header, if something is there. */
  @SuppressWarnings("ReferenceEquality") // Protocols are themselves only.
  public void next(Protocol following) {
    next = following == protocol ? number : protocols.number(following.fields());
  }

  /** Whether it is known what follows. */
  public boolean hasNext() {
    return next != Protocols.NONE;
  }

  /** Whether what follows has nothing, which its header cannot do with. */
  boolean lacksNext() {
    return isNextRequired && hasHeader() && headerEnd() == payloadEnd() && hasNext();
  }

  /** The layer has nothing where its header has to be. */
  void lacksAll() {
    missing((long) start + 1);
  }

  Mark mark() {
    return mark;
  }

  /** Where the header ends: all is header if nobody says. */
  int headerEnd() {
    return headerEnd < 0 ? end() : headerEnd;
  }

  /** Whether it was said where the header ends, and something can follow. */
  boolean hasHeader() {
    return headerEnd >= 0;
  }

  int end() {
    return Math.min(end, payloadClaimedEnd);
  }

  int claimedEnd() {
    return payloadClaimedEnd;
  }

  /**
   * Whether there is a trailer, a layer beside it, or only a part of what it carries or of itself.
   */
  boolean isUnusual() {
    return isPartial || isBegun || trailer >= 0 || beside != Protocols.NONE;
  }

  /** Whether the rest of the layer is elsewhere. */
  boolean isBegun() {
    return isBegun;
  }

  boolean isPartial() {
    return isPartial;
  }

  /** Number of the protocol of a layer beside it, or {@link Protocols#NONE}. */
  int beside() {
    return beside;
  }

  /** Where that begins. */
  int besideStart() {
    return besideStart;
  }

  /** Where what it carries ends. */
  int payloadEnd() {
    return trailer < 0 ? end() : Math.clamp(trailer, Math.min(headerEnd(), end()), end());
  }

  /** Where what it carries ends, as it says. */
  int payloadClaimedEnd() {
    return isPartial ? Integer.MAX_VALUE : trailer < 0 ? payloadClaimedEnd : payloadEnd();
  }

  /** Number of the protocol that follows, or {@link Protocols#NONE}. */
  int next() {
    return next;
  }
}
