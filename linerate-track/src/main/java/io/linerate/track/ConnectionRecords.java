package io.linerate.track;

import io.linerate.wire.FlowKey;
import io.linerate.wire.Ipv4;
import java.util.Arrays;

/**
 * What is known of connections, by their number: the records of a {@link ConnectionTable}. A
 * direction is 0 for packets of who has begun it, and 1 for those that come back; a place is twice
 * the number, and one more for the reply direction.
 *
 * <p>Layout, version {@value #VERSION}. Hot, {@value #WORDS} words of 64 bits for each connection,
 * of which a packet needs two lines of the cache:
 *
 * <pre>
 *   word
 *    0  2  addresses of the flow that begins it, of the reply: IPv4 source 32 | destination 32; of
 *          IPv6, lower half of the source xor that of the destination turned by 32 bits
 *    1  3  kind of each: 0 (8) | IP version 8 | 0 (8) | protocol 8 | source port 16 | destination port 16
 *    4     when it expires, ns
 *    5     user's flags 32 | state 32: see below
 *    6     user's word 32 | mark 32: as the flags, whatever who uses the table keeps there
 *    7     next 32 | previous 32: of the list that it is in
 *    8  9  packets of each direction
 *   10 11  bytes of each direction
 *   12 14  TCP, each direction: end 32 | most 32   (see {@link TcpState})
 *   13 15  TCP, each direction: acknowledged 32 | window 16 | flags 8 | scale 8
 * </pre>
 *
 * Cold, {@value #COLD_WORDS} words:
 *
 * <pre>
 *    0     when it began, ns
 *    1     the second in which it is looked at, from the table's begin 32 | 0
 * </pre>
 *
 * IPv6 addresses, {@value #ADDRESS_WORDS} words:
 *
 * <pre>
 *    0  4  source, bytes 0 to 7       2  6  destination, bytes 0 to 7
 *    1  5  source, bytes 8 to 15      3  7  destination, bytes 8 to 15
 * </pre>
 *
 * State: bit 0 live, bit 1 a reply has come, bit 2 assured, bits 8 to 15 the class of time-out.
 */
public final class ConnectionRecords {
  /** Of the layout. */
  public static final int VERSION = 1;

  /** Words of a record. */
  public static final int WORDS = 16;

  static final int COLD_WORDS = 2;
  static final int ADDRESS_WORDS = 8;

  static final int LIVE = 1;
  static final int REPLIED = 1 << 1;
  static final int ASSURED = 1 << 2;
  private static final int PHASE_SHIFT = 8;
  private static final int PHASE_MASK = 0xFF << PHASE_SHIFT;

  private static final long LOW = 0xFFFF_FFFFL;
  static final int KIND = 1;
  static final int REPLY = 2;
  static final int EXPIRES = 4;
  static final int FLAGS_STATE = 5;
  private static final int WORD_MARK = 6;
  static final int NEXT_PREVIOUS = 7;
  private static final int PACKETS = 8;
  private static final int BYTES = 10;
  private static final int TCP = 12;

  private static final int TCP_ESTABLISHED = Phase.TCP_ESTABLISHED.number();
  private static final int UDP_UNANSWERED = Phase.UDP_UNANSWERED.number();
  private static final int UDP_ANSWERED = Phase.UDP_ANSWERED.number();

  private static final int BEGAN = 0;
  private static final int TICK = 1;

  private static final int SOURCE_HIGH = 0;
  private static final int SOURCE_LOW = 1;
  private static final int DESTINATION_HIGH = 2;
  private static final int DESTINATION_LOW = 3;

  private final long[] words;
  private final long[] cold;
  private final long[] addresses;

  ConnectionRecords(int capacity) {
    words = new long[Math.multiplyExact(capacity, WORDS)];
    cold = new long[capacity * COLD_WORDS];
    addresses = new long[capacity * ADDRESS_WORDS];
  }

  /** The word that has what tells flows apart, but for addresses. */
  static long kind(FlowKey flow) {
    return ((long) flow.ipVersion() << 48)
        | ((long) flow.protocol() << 32)
        | ((long) flow.sourcePort() << 16)
        | flow.destinationPort();
  }

  /** Likewise, of a flow of TCP or UDP over IPv4. */
  static long kind(int protocol, int ports) {
    return ((long) Ipv4.VERSION << 48) | ((long) protocol << 32) | (ports & LOW);
  }

  /** The word that has addresses. */
  static long addresses(FlowKey flow) {
    return flow.ipVersion() == Ipv4.VERSION
        ? (flow.sourceLow() << 32) | flow.destinationLow()
        : flow.sourceLow() ^ Long.rotateLeft(flow.destinationLow(), 32);
  }

  // Halves of a word.

  private int high(int at) {
    return (int) (words[at] >>> 32);
  }

  private void high(int at, int value) {
    words[at] = ((long) value << 32) | (words[at] & LOW);
  }

  private int low(int at) {
    return (int) words[at];
  }

  private void low(int at, int value) {
    words[at] = (words[at] & ~LOW) | (value & LOW);
  }

  private static int flowAt(int place) {
    return (place >>> 1) * WORDS + (place & 1) * REPLY;
  }

  private static int addressesAt(int place) {
    return (place >>> 1) * ADDRESS_WORDS + (place & 1) * (ADDRESS_WORDS / 2);
  }

  boolean isFlow(int place, FlowKey flow) {
    int at = flowAt(place);
    return words[at] == addresses(flow)
        && words[at + KIND] == kind(flow)
        && (flow.ipVersion() == Ipv4.VERSION || areAddresses(addressesAt(place), flow));
  }

  /** As {@link #isFlow(int, FlowKey)}, of a flow of IPv4. */
  boolean isFlow(int place, long someAddresses, long kind) {
    int at = flowAt(place);
    return words[at] == someAddresses && words[at + KIND] == kind;
  }

  /**
   * Follows a packet of IPv4 that tells nothing new of its connection, of TCP or UDP: counts it,
   * and puts the end off.
   *
   * @param timeoutsNs by phase
   * @param tcpNumbers sequence and acknowledgment number
   * @param tcpWord data offset, flags and window, as the header has them
   * @return whether it was one; if not, nothing has changed
   */
  boolean follow(
      int place,
      long someAddresses,
      long kind,
      long tcpNumbers,
      int tcpWord,
      int payloadBytes,
      int lengthBytes,
      long[] timeoutsNs,
      long nowNs) {
    long[] all = words;
    int direction = place & 1;
    int at = (place >>> 1) * WORDS;
    int flow = at + direction * REPLY;
    if (all[flow] != someAddresses || all[flow + KIND] != kind || all[at + EXPIRES] <= nowNs) {
      return false;
    }
    int state = (int) all[at + FLAGS_STATE];
    int phase = (state & PHASE_MASK) >>> PHASE_SHIFT;
    if (phase == TCP_ESTABLISHED) {
      int own = flow + TCP;
      int other = at + TCP + (direction ^ 1) * REPLY;
      if ((direction != 0 && (state & REPLIED) == 0)
          || !TcpState.followOpen(all, own, other, tcpNumbers, tcpWord, payloadBytes)) {
        return false;
      }
    } else if (!isUdpAsBefore(phase, direction, state)) {
      return false;
    }
    all[at + EXPIRES] = nowNs + timeoutsNs[phase];
    all[at + direction + PACKETS]++;
    all[at + direction + BYTES] += lengthBytes;
    return true;
  }

  /** Whether a packet of UDP leaves the state as it is. */
  private static boolean isUdpAsBefore(int phase, int direction, int state) {
    return phase == UDP_ANSWERED
        ? (state & ASSURED) != 0
        : phase == UDP_UNANSWERED && direction == 0 && (state & REPLIED) == 0;
  }

  private boolean areAddresses(int at, FlowKey flow) {
    return addresses[at + SOURCE_HIGH] == flow.sourceHigh()
        && addresses[at + SOURCE_LOW] == flow.sourceLow()
        && addresses[at + DESTINATION_HIGH] == flow.destinationHigh()
        && addresses[at + DESTINATION_LOW] == flow.destinationLow();
  }

  /** Reads a word of each line of the cache that a packet needs of a record. */
  long fetch(int place) {
    int at = (place >>> 1) * WORDS;
    return words[at] + words[at + PACKETS] + words[at + WORDS - 1];
  }

  void begin(int number, FlowKey flow, FlowKey reply, long nowNs, long expiresNs) {
    int at = number * WORDS;
    Arrays.fill(words, at, at + WORDS, 0);
    write(2 * number, flow);
    write(2 * number + 1, reply);
    words[at + EXPIRES] = expiresNs;
    words[at + FLAGS_STATE] = LIVE;
    cold[number * COLD_WORDS + BEGAN] = nowNs;
  }

  private void write(int place, FlowKey flow) {
    int at = flowAt(place);
    words[at] = addresses(flow);
    words[at + KIND] = kind(flow);
    if (flow.ipVersion() != Ipv4.VERSION) {
      at = addressesAt(place);
      addresses[at + SOURCE_HIGH] = flow.sourceHigh();
      addresses[at + SOURCE_LOW] = flow.sourceLow();
      addresses[at + DESTINATION_HIGH] = flow.destinationHigh();
      addresses[at + DESTINATION_LOW] = flow.destinationLow();
    }
  }

  /** Copies the words of a connection to the begin of others: hot ones, then its addresses. */
  void copyTo(long[] others, int number) {
    System.arraycopy(words, number * WORDS, others, 0, WORDS);
    System.arraycopy(addresses, number * ADDRESS_WORDS, others, WORDS, ADDRESS_WORDS);
  }

  /** As {@link #copyTo}, the other way round; its times are others, and its place in lists none. */
  void copyFrom(long[] others, int number, long expiresNs, long beganNs) {
    int at = number * WORDS;
    System.arraycopy(others, 0, words, at, WORDS);
    System.arraycopy(others, WORDS, addresses, number * ADDRESS_WORDS, ADDRESS_WORDS);
    words[at + EXPIRES] = expiresNs;
    words[at + NEXT_PREVIOUS] = 0;
    cold[number * COLD_WORDS + BEGAN] = beganNs;
  }

  /** Whether two places have the same flow. */
  boolean isSameFlow(int place, int other) {
    int at = flowAt(place);
    int otherAt = flowAt(other);
    int from = addressesAt(place);
    int otherFrom = addressesAt(other);
    return words[at] == words[otherAt]
        && words[at + KIND] == words[otherAt + KIND]
        && (isIpv4(place)
            || Arrays.equals(
                addresses,
                from,
                from + ADDRESS_WORDS / 2,
                addresses,
                otherFrom,
                otherFrom + ADDRESS_WORDS / 2));
  }

  void clear(int number) {
    words[number * WORDS + KIND] = 0;
    words[number * WORDS + REPLY + KIND] = 0;
    words[number * WORDS + FLAGS_STATE] = 0;
  }

  /** Whether there is a connection of this number. */
  public boolean isLive(int number) {
    return number >= 0
        && number < words.length / WORDS
        && (words[number * WORDS + FLAGS_STATE] & LIVE) != 0;
  }

  void requireLive(int number) {
    if (!isLive(number)) {
      throw new IllegalArgumentException(
          "no such connection: number=" + number + "; take one that was found just now");
    }
  }

  long addresses(int place) {
    return words[flowAt(place)];
  }

  long kind(int place) {
    return words[flowAt(place) + KIND];
  }

  /** See {@link io.linerate.wire.IpProtocol}. */
  public int protocol(int number) {
    return (int) (kind(2 * number) >>> 32) & 0xFF;
  }

  /** 4 or 6, of the flow of that direction: they differ where one is translated to the other. */
  public int ipVersion(int place) {
    return (int) (kind(place) >>> 48) & 0xFF;
  }

  public int sourcePort(int place) {
    return (int) (kind(place) >>> 16) & 0xFFFF;
  }

  public int destinationPort(int place) {
    return (int) kind(place) & 0xFFFF;
  }

  /** Bytes 0 to 7 of an IPv6 address; 0 for IPv4. */
  public long sourceHigh(int place) {
    return isIpv4(place) ? 0 : addresses[addressesAt(place) + SOURCE_HIGH];
  }

  /** Bytes 8 to 15 of an IPv6 address; an IPv4 address in the lower 32 bits. */
  public long sourceLow(int place) {
    return isIpv4(place) ? words[flowAt(place)] >>> 32 : addresses[addressesAt(place) + SOURCE_LOW];
  }

  /** Bytes 0 to 7 of an IPv6 address; 0 for IPv4. */
  public long destinationHigh(int place) {
    return isIpv4(place) ? 0 : addresses[addressesAt(place) + DESTINATION_HIGH];
  }

  /** Bytes 8 to 15 of an IPv6 address; an IPv4 address in the lower 32 bits. */
  public long destinationLow(int place) {
    return isIpv4(place)
        ? words[flowAt(place)] & LOW
        : addresses[addressesAt(place) + DESTINATION_LOW];
  }

  private boolean isIpv4(int place) {
    return ipVersion(place) == Ipv4.VERSION;
  }

  /** When it goes if no packet comes. */
  public long expiresNs(int number) {
    return words[number * WORDS + EXPIRES];
  }

  /** Puts it off; what is to be sooner {@link ConnectionTable#expireAt} has to know. */
  public void expiresNs(int number, long timeNs) {
    words[number * WORDS + EXPIRES] = timeNs;
  }

  /** When it was added. */
  public long beganNs(int number) {
    return cold[number * COLD_WORDS + BEGAN];
  }

  private int state(int number) {
    return low(number * WORDS + FLAGS_STATE);
  }

  private void state(int number, int state) {
    low(number * WORDS + FLAGS_STATE, state);
  }

  /** Whether a packet has come back. */
  public boolean isReplied(int number) {
    return (state(number) & REPLIED) != 0;
  }

  /** Whether both ends have shown that they want it: it goes by its time-out only. */
  public boolean isAssured(int number) {
    return (state(number) & ASSURED) != 0;
  }

  /** Has it stay until its time is over, also when others want its room. */
  public void assure(int number) {
    set(number, ASSURED);
  }

  void set(int number, int bits) {
    state(number, state(number) | bits);
  }

  void unset(int number, int bits) {
    state(number, state(number) & ~bits);
  }

  /** How far it is. */
  public Phase phase(int number) {
    return Phase.of(phaseNumber(number));
  }

  int phaseNumber(int number) {
    return phaseNumberOf(state(number));
  }

  /** Of a word that has a state in its lower half. */
  static int phaseNumberOf(int state) {
    return (state & PHASE_MASK) >>> PHASE_SHIFT;
  }

  void phase(int number, Phase phase) {
    state(number, (state(number) & ~PHASE_MASK) | (phase.number() << PHASE_SHIFT));
  }

  /** Whatever who uses the table keeps there; 0 at first. */
  public int userFlags(int number) {
    return high(number * WORDS + FLAGS_STATE);
  }

  public void userFlags(int number, int flags) {
    high(number * WORDS + FLAGS_STATE, flags);
  }

  /** As {@link #userFlags}. */
  public int userWord(int number) {
    return high(number * WORDS + WORD_MARK);
  }

  public void userWord(int number, int word) {
    high(number * WORDS + WORD_MARK, word);
  }

  /** As {@link #userFlags}, such as a number of its own. */
  public int mark(int number) {
    return low(number * WORDS + WORD_MARK);
  }

  public void mark(int number, int mark) {
    low(number * WORDS + WORD_MARK, mark);
  }

  /** Packets of a direction. */
  public long packets(int place) {
    return words[(place >>> 1) * WORDS + PACKETS + (place & 1)];
  }

  /** Bytes of a direction's packets, as long as their bursts had them. */
  public long bytes(int place) {
    return words[(place >>> 1) * WORDS + BYTES + (place & 1)];
  }

  void count(int place, int lengthBytes) {
    int at = (place >>> 1) * WORDS + PACKETS + (place & 1);
    words[at]++;
    words[at + BYTES - PACKETS] += lengthBytes;
  }

  // --- lists: of free ones, and of those that expire at the same time ---

  int next(int number) {
    return high(number * WORDS + NEXT_PREVIOUS);
  }

  void next(int number, int next) {
    high(number * WORDS + NEXT_PREVIOUS, next);
  }

  int previous(int number) {
    return low(number * WORDS + NEXT_PREVIOUS);
  }

  void previous(int number, int previous) {
    low(number * WORDS + NEXT_PREVIOUS, previous);
  }

  int tick(int number) {
    return (int) (cold[number * COLD_WORDS + TICK] >>> 32);
  }

  void tick(int number, int tick) {
    cold[number * COLD_WORDS + TICK] = (long) tick << 32;
  }

  // --- TCP ---

  private static int tcpAt(int place) {
    return (place >>> 1) * WORDS + TCP + 2 * (place & 1);
  }

  /** The sequence number behind the last byte that this direction has sent. */
  int end(int place) {
    return high(tcpAt(place));
  }

  /** The sequence number behind the last byte that this direction may send. */
  int most(int place) {
    return low(tcpAt(place));
  }

  void range(int place, int end, int most) {
    high(tcpAt(place), end);
    low(tcpAt(place), most);
  }

  /** TCP: what this direction has acknowledged last; before that, the number of its SYN. */
  public int acknowledged(int place) {
    return high(tcpAt(place) + 1);
  }

  void acknowledged(int place, int number) {
    high(tcpAt(place) + 1, number);
  }

  /** The largest window that this direction has offered, as its header has it. */
  int window(int place) {
    return low(tcpAt(place) + 1) >>> 16;
  }

  void window(int place, int window) {
    int at = tcpAt(place) + 1;
    low(at, (low(at) & 0xFFFF) | (window << 16));
  }

  /** Bits of {@link TcpState}. */
  int tcpFlags(int place) {
    return (low(tcpAt(place) + 1) >>> 8) & 0xFF;
  }

  void tcpFlags(int place, int flags) {
    int at = tcpAt(place) + 1;
    low(at, (low(at) & ~0xFF00) | ((flags & 0xFF) << 8));
  }

  /** How many bits windows of this direction are shifted by. */
  int scale(int place) {
    return low(tcpAt(place) + 1) & 0xFF;
  }

  void scale(int place, int bits) {
    int at = tcpAt(place) + 1;
    low(at, (low(at) & ~0xFF) | (bits & 0xFF));
  }
}
