package io.linerate.track;

import io.linerate.core.memory.Packet;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Tcp;
import io.linerate.wire.TcpOptions;

/**
 * Follows a TCP connection from between its ends, and says which packets cannot be of it: sequence
 * and acknowledgment numbers have to be where the windows are (G. van Rooij, Real Stateful TCP
 * Packet Filtering in IP Filter, 2001: bounds I to IV), and flags have to fit what was sent before.
 * One thread's own.
 *
 * <p>What an end answers by a challenge (RFC 5961) passes and changes nothing: SYN on a connection
 * that is established, and RST that is inside the window but not at its edge.
 */
final class TcpState {
  /** What becomes of a packet. */
  enum Answer {
    /** It is of the connection, which may have changed. */
    ACCEPTED,
    /** It is of the connection, and changes nothing. */
    CHALLENGED,
    /** It begins another connection of the same flow: this one is over. */
    REOPENS,
    /** It is not of the connection: an end would not take it, or must not. */
    OUTSIDE
  }

  // Flags of each direction.
  private static final int SYN = 1;
  private static final int SYN_ACKED = 1 << 1;
  private static final int FIN = 1 << 2;
  private static final int FIN_ACKED = 1 << 3;

  /** Its SYN had the option of window scale: RFC 7323, section 2.2. */
  private static final int SCALES = 1 << 4;

  /** Seen from the middle on: its windows are not known. */
  private static final int LIBERAL = 1 << 5;

  /** The window is that of a SYN, which is never scaled. */
  private static final int SYN_WINDOW = 1 << 6;

  private static final int RST = 1 << 7;

  // Flags of the header, in the four bytes from the data offset on.
  private static final int FLAGS_16 = (Tcp.SYN | Tcp.FIN | Tcp.RST | Tcp.ACK) << 16;
  private static final int ACK_16 = Tcp.ACK << 16;

  // Flags of both directions, as records have them.
  private static final int OPEN_8 = (SYN | SYN_ACKED) << 8;
  private static final int NOT_OPEN_8 = (FIN | FIN_ACKED | SYN_WINDOW | RST) << 8;
  private static final int LIBERAL_8 = LIBERAL << 8;

  private static final int MOST_SCALE = 14;

  /** How far an acknowledgment may lag behind, at least: MAXACKWINDOW of the paper. */
  private static final int LEAST_ACK_WINDOW = 66_000;

  private static final int MOST_SEGMENT_BYTES = 65_535;

  /** Data that a server may send before its SYN is acknowledged: RFC 7413. */
  private static final int MOST_EARLY_DATA = 16_384;

  private final ConnectionRecords records;
  private final Tcp tcp = new Tcp();
  private final TcpOptions options = new TcpOptions();

  // Of the packet that is looked at.
  @SuppressWarnings("NullAway.Init")
  private Packet packet;

  private int offset;
  private int sequence;
  private int acknowledgment;
  private int flags;
  private int windowField;
  private int payloadBytes;

  /** The sequence number behind it. */
  private int segmentEnd;

  TcpState(ConnectionRecords records) {
    this.records = records;
  }

  /** Reads the header that was found in a packet. */
  void read(Packet newPacket, HeaderScanner scanner) {
    packet = newPacket;
    offset = scanner.l4Offset();
    tcp.wrap(newPacket, offset);
    sequence = (int) tcp.sequenceNumber();
    acknowledgment = (int) tcp.acknowledgmentNumber();
    flags = tcp.flags();
    windowField = tcp.window();
    payloadBytes = scanner.ipEnd() - tcp.payloadOffset();
    segmentEnd = sequence + payloadBytes;
    segmentEnd += (flags & Tcp.SYN) != 0 ? 1 : 0;
    segmentEnd += (flags & Tcp.FIN) != 0 ? 1 : 0;
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Whether no end sends such flags: RFC 9293, section 3.10.7, has no use for them. */
  boolean areFlagsBad() {
    return switch (flags & (Tcp.SYN | Tcp.FIN | Tcp.RST)) {
      case 0, Tcp.FIN -> !has(Tcp.ACK);
      case Tcp.SYN, Tcp.RST -> false;
      default -> true;
    };
  }

  /** Whether it asks for a connection. */
  boolean isSyn() {
    return (flags & (Tcp.SYN | Tcp.ACK | Tcp.RST | Tcp.FIN)) == Tcp.SYN;
  }

  boolean isReset() {
    return has(Tcp.RST);
  }

  /** Begins a connection with the packet: its SYN. */
  void begin(int number) {
    int own = 2 * number;
    records.tcpFlags(own, SYN | SYN_WINDOW);
    readScale(own);
    records.range(own, segmentEnd, segmentEnd);
    records.acknowledged(own, sequence);
    records.window(own, windowField);
  }

  /**
   * Begins with a packet from the middle of a connection, which is open once the other end has
   * answered: else anybody who sends one keeps its place for as long as an open one.
   *
   * @param isOneWay whether no answers pass
   */
  void pickUp(int number, boolean isOneWay) {
    int own = 2 * number;
    int other = own + 1;
    int acked = isOneWay ? SYN_ACKED : 0;
    records.tcpFlags(own, SYN | acked | LIBERAL | (has(Tcp.FIN) ? FIN : 0));
    records.tcpFlags(other, SYN | SYN_ACKED | LIBERAL);
    records.range(own, segmentEnd, segmentEnd);
    records.range(other, acknowledgment, acknowledgment);
    records.acknowledged(own, acknowledgment);
    records.acknowledged(other, sequence);
    records.window(own, windowField);
  }

  /** Of a connection that goes on while nobody looks: its windows are not known any more. */
  static void seenFromTheMiddle(ConnectionRecords records, int number) {
    for (int place = 2 * number; place <= 2 * number + 1; place++) {
      records.tcpFlags(place, records.tcpFlags(place) | LIBERAL);
    }
  }

  private void readScale(int place) {
    options.wrap(packet, offset);
    int scale = options.windowScale();
    int others = records.tcpFlags(place) & ~SCALES;
    records.tcpFlags(place, scale < 0 ? others : others | SCALES);
    records.scale(place, Math.clamp(scale, 0, MOST_SCALE));
  }

  /**
   * Follows what most packets are: of an open connection, inside its windows if these are known,
   * with ACK and none of SYN, FIN and RST.
   *
   * @param words of {@link ConnectionRecords}, and where in them those of the packet's direction
   *     are, and those of the other
   * @param numbers sequence and acknowledgment number
   * @param word data offset, flags and window, as the header has them
   * @return whether it was one; if not, nothing has changed
   */
  static boolean followOpen(
      long[] words, int own, int other, long numbers, int word, int payloadBytes) {
    long ownRest = words[own + 1];
    long otherRest = words[other + 1];
    if ((word & FLAGS_16) != ACK_16
        || (ownRest & otherRest & OPEN_8) != OPEN_8
        || ((ownRest | otherRest) & NOT_OPEN_8) != 0) {
      return false;
    }
    boolean isScaled = (ownRest & otherRest & SCALES << 8) != 0;
    int ownScale = isScaled ? (int) ownRest & 0xFF : 0;
    int offered = Math.max(window(otherRest) << (isScaled ? (int) otherRest & 0xFF : 0), 1);
    long range = words[own];
    int sequence = (int) (numbers >>> 32);
    int left = (int) range - sequence;
    boolean isLiberal = (ownRest & LIBERAL_8) != 0;
    if (!isLiberal
        && (left < (payloadBytes == 0 ? 0 : 1) || left > 2L * offered + MOST_SEGMENT_BYTES)) {
      return false;
    }
    int end = (int) (range >>> 32);
    int segmentEnd = sequence + payloadBytes;
    long otherRange = words[other];
    int acknowledgment = (int) numbers;
    int behind = (int) (otherRange >>> 32) - acknowledgment;
    if (!isLiberal
        && (end - segmentEnd > offered
            || behind < 0
            || behind > Math.max(window(ownRest) << ownScale, LEAST_ACK_WINDOW))) {
      return false;
    }
    int window = word & 0xFFFF;
    int acknowledged = (int) (ownRest >>> 32);
    words[own + 1] =
        pair(
            acknowledgment - acknowledged > 0 ? acknowledgment : acknowledged,
            (Math.max(window(ownRest), window) << 16) | ((int) ownRest & 0xFFFF));
    words[own] = pair(segmentEnd - end > 0 ? segmentEnd : end, (int) range);
    int most = acknowledgment + Math.max(window << ownScale, 1);
    if (most - (int) otherRange > 0) {
      words[other] = pair((int) (otherRange >>> 32), most);
    }
    return true;
  }

  private static int window(long rest) {
    return (int) rest >>> 16;
  }

  private static long pair(int high, int low) {
    return ((long) high << 32) | (low & 0xFFFF_FFFFL);
  }

  /** What the packet that was read is to the connection of that place. */
  Answer follow(int place) {
    int other = place ^ 1;
    if (has(Tcp.RST)) {
      return reset(place, other);
    }
    if (has(Tcp.SYN)) {
      return has(Tcp.ACK) ? synAck(place, other) : syn(place, other);
    }
    return any(place, other);
  }

  private boolean is(int place, int flag) {
    return (records.tcpFlags(place) & flag) != 0;
  }

  private void set(int place, int flag) {
    records.tcpFlags(place, records.tcpFlags(place) | flag);
  }

  private Answer reset(int place, int other) {
    if (!is(place, SYN)) { // In place of SYN and ACK.
      if (!has(Tcp.ACK) || acknowledgment != records.end(other)) {
        return Answer.OUTSIDE;
      }
    } else if (!isAtEdge(place, other)) {
      boolean isInside =
          is(other, SYN) && sequence - records.acknowledged(other) > 0 && isInWindow(place, other);
      return isInside || is(place, LIBERAL) || endsOld(place, other)
          ? Answer.CHALLENGED
          : Answer.OUTSIDE;
    }
    set(place, RST);
    return Answer.ACCEPTED;
  }

  /**
   * Whether it may end what the other end still has of an old connection, for which that has
   * answered the SYN by ACK: RFC 9293, figure 9. Its number is that end's.
   */
  private boolean endsOld(int place, int other) {
    return isOfBeginner(place) && !is(other, SYN) && records.packets(other) > 0;
  }

  /** Where the other end waits for the next byte, as far as that can be known here. */
  private boolean isAtEdge(int place, int other) {
    // Without windows anybody may have moved the end, where the other one's word is to be had.
    boolean isEndKnown = !is(place, LIBERAL) || records.packets(other) == 0;
    return (isEndKnown && sequence == records.end(place))
        || (is(other, SYN) && sequence == records.acknowledged(other));
  }

  private Answer syn(int place, int other) {
    if (isClosed(place)) {
      // RFC 6191: behind all that the old one has sent.
      boolean isReset = is(place, RST) || is(other, RST);
      return isReset || sequence - records.end(place) > 0 ? Answer.REOPENS : Answer.CHALLENGED;
    }
    if (is(place, SYN) && is(other, SYN)) {
      return isOfBeginner(place) ? Answer.CHALLENGED : Answer.OUTSIDE;
    }
    if (!is(place, SYN)) { // Both ends ask at once: RFC 9293, section 3.5, figure 8.
      records.range(place, segmentEnd, segmentEnd + Math.max(records.window(other), 1));
      records.range(other, records.end(other), records.end(other) + Math.max(windowField, 1));
    } else {
      records.range(place, segmentEnd, segmentEnd);
    }
    set(place, SYN | SYN_WINDOW);
    readScale(place);
    records.acknowledged(place, sequence);
    records.window(place, windowField);
    return Answer.ACCEPTED;
  }

  private static boolean isOfBeginner(int place) {
    return (place & 1) == 0;
  }

  /**
   * Until the other end has acknowledged one, the last one counts: servers that keep no state of a
   * SYN (SYN cookies, RFC 4987) choose another number each time.
   */
  private Answer synAck(int place, int other) {
    if (!is(other, SYN)) {
      return Answer.OUTSIDE;
    }
    if (is(place, SYN_ACKED) && is(other, SYN_ACKED)) {
      return isOfBeginner(place) ? Answer.OUTSIDE : Answer.CHALLENGED;
    }
    if (!acknowledgesSyn(place, other)) {
      return Answer.OUTSIDE;
    }
    set(place, SYN | SYN_WINDOW);
    readScale(place);
    records.range(place, segmentEnd, segmentEnd + Math.max(records.window(other), 1));
    records.range(other, records.end(other), acknowledgment + Math.max(windowField, 1));
    records.acknowledged(place, acknowledgment);
    records.window(place, windowField);
    set(other, SYN_ACKED);
    return Answer.ACCEPTED;
  }

  /** Behind the SYN, and as far as its data at most: RFC 7413. */
  private boolean acknowledgesSyn(int place, int other) {
    boolean isNumberKnown = !is(place, SYN_ACKED); // Else it has made room for an acknowledgment.
    return acknowledgment == records.end(other)
        || (isNumberKnown
            && acknowledgment - records.acknowledged(other) > 0
            && acknowledgment - records.end(other) < 0);
  }

  private Answer any(int place, int other) {
    if (!is(place, SYN) || !is(other, SYN)) {
      // An end that still has an old connection answers a SYN by ACK: RFC 9293, figure 9.
      return is(other, SYN) && !is(place, SYN) ? Answer.CHALLENGED : Answer.OUTSIDE;
    }
    boolean isLiberal = is(place, LIBERAL);
    if (!isLiberal && !isInBounds(place, other)) {
      return Answer.OUTSIDE;
    }
    if (!is(other, SYN_ACKED)) {
      int missing = records.end(other) - acknowledgment;
      if (!isLiberal && (missing < 0 || missing > MOST_EARLY_DATA)) {
        return Answer.OUTSIDE;
      }
      set(other, SYN_ACKED);
    }
    advance(place, other);
    return Answer.ACCEPTED;
  }

  private boolean isInBounds(int place, int other) {
    int behind = records.end(other) - acknowledgment;
    return isInWindow(place, other)
        && behind >= 0
        && behind <= Math.max(bytes(place), LEAST_ACK_WINDOW);
  }

  /** Bounds I and II: a part of it is, and the other end takes that. */
  private boolean isInWindow(int place, int other) {
    int left = records.most(place) - sequence;
    int behind = records.end(place) - segmentEnd;
    int window = Math.max(bytes(other), 1);
    return left >= (payloadBytes == 0 ? 0 : 1)
        && left <= 2L * window + MOST_SEGMENT_BYTES
        && behind <= window;
  }

  /** The largest window that a direction has offered, in bytes. */
  private int bytes(int place) {
    boolean isScaled = !is(place, SYN_WINDOW) && is(place, SCALES) && is(place ^ 1, SCALES);
    return records.window(place) << (isScaled ? records.scale(place) : 0);
  }

  private void advance(int place, int other) {
    if (is(place, SYN_WINDOW)) {
      records.tcpFlags(place, records.tcpFlags(place) & ~SYN_WINDOW);
      records.window(place, windowField);
    } else if (windowField > records.window(place)) {
      records.window(place, windowField);
    }
    boolean isScaled = is(place, SCALES) && is(other, SCALES);
    int window = windowField << (isScaled ? records.scale(place) : 0);
    if (segmentEnd - records.end(place) > 0) {
      records.range(place, segmentEnd, records.most(place));
    }
    int most = acknowledgment + Math.max(window, 1);
    if (most - records.most(other) > 0) {
      records.range(other, records.end(other), most);
    }
    if (acknowledgment - records.acknowledged(place) > 0) {
      records.acknowledged(place, acknowledgment);
    }
    if (has(Tcp.FIN)) {
      set(place, FIN);
    }
    if (is(other, FIN) && acknowledgment == records.end(other)) {
      set(other, FIN_ACKED);
    }
  }

  private boolean isClosed(int place) {
    int both = records.tcpFlags(place) & records.tcpFlags(place ^ 1);
    int either = records.tcpFlags(place) | records.tcpFlags(place ^ 1);
    return (either & RST) != 0 || (both & FIN_ACKED) != 0;
  }

  /** How far a connection is. */
  Phase phase(int number) {
    int place = 2 * number;
    if (isClosed(place)) {
      return Phase.TCP_CLOSED;
    }
    int either = records.tcpFlags(place) | records.tcpFlags(place + 1);
    int both = records.tcpFlags(place) & records.tcpFlags(place + 1);
    if ((either & FIN) != 0) {
      return Phase.TCP_CLOSING;
    }
    return (both & SYN_ACKED) != 0 ? Phase.TCP_ESTABLISHED : Phase.TCP_OPENING;
  }

  /** Whether a packet of that direction may have had this sequence number. */
  boolean mayHaveSent(int place, int number) {
    int behind = records.end(place) - number;
    return behind >= 0 && behind <= Math.max(bytes(place ^ 1), LEAST_ACK_WINDOW);
  }
}
