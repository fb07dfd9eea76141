package io.linerate.track;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.PlainIpv4;
import io.linerate.wire.QuotedPacket;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says of each packet what it is to the connections of a {@link ConnectionTable}, and keeps these
 * up to date. One thread's own.
 *
 * <pre>{@code
 * tracker.lookUp(burst);
 * for (Packet packet : burst) {
 *   Relation relation = tracker.track(packet, now);
 *   if (relation == Relation.NEW && mayBegin(packet, tracker.scanner())) {
 *     tracker.admit(now);
 *   }
 * }
 * }</pre>
 *
 * <p>Fragments are {@link TrackDefect#FRAGMENT}: only the first one has ports. They are put
 * together before.
 */
public final class ConnectionTracker {
  private static final int NONE = ConnectionTable.NONE;

  /** Flags of TCP that change more than a window. */
  private static final int OPENS_OR_CLOSES = 0x07;

  private static final int TCP_FLAGS = 13;

  private final ConnectionTable table;
  private final ConnectionRecords records;
  private final TcpState tcp;
  private final FlowKey reply = new FlowKey();
  private final FlowKey quotedFlow = new FlowKey();
  private final QuotedPacket quoted = new QuotedPacket();
  private final long[] timeoutsNs = new long[Phase.values().length];
  private final boolean picksUp;
  private final boolean isOneWay;

  /** A packet of the burst: what was found in it. Of a plain one nothing, until it is asked for. */
  private static final class Lookup {
    private final HeaderScanner scanner = new HeaderScanner();
    private final FlowKey flow = new FlowKey();
    private boolean isFlow;

    void read(Packet packet) {
      scanner.scanAny(packet);
      isFlow = isFlow(packet, scanner, flow);
    }
  }

  private static boolean isFlow(Packet packet, HeaderScanner scanner, FlowKey flow) {
    return scanner.ipVersion() != 0
        && !scanner.isFragment()
        && flow.readConnection(packet, scanner);
  }

  // Of the burst, by place.
  private Lookup[] lookups = {new Lookup()};
  private final PlainFlows plain;
  private boolean isOneByOne;
  private int[] guesses = new int[1];
  private long addedBefore;
  private long goneBefore;

  /** Whether all packets are there, and may be followed before they are asked about. */
  private boolean looksAhead;

  private int followedFrom;
  private int followedTo;

  // Of the packet that was looked at last.
  private @Nullable Packet last;
  private boolean isRead;
  private Lookup lookup = lookups[0];
  private HeaderScanner scanner = lookup.scanner;
  private FlowKey flow = lookup.flow;
  private long hash;
  private int guess;
  private Relation relation = Relation.UNTRACKED;
  private TrackDefect defect = TrackDefect.NONE;
  private int place = NONE;
  private int lengthBytes;

  public ConnectionTracker(ConnectionTable table, TrackSettings settings) {
    this.table = table;
    records = table.records();
    tcp = new TcpState(records);
    plain = new PlainFlows(table);
    picksUp = settings.picksUp();
    isOneWay = settings.isOneWay();
    settings.timeouts().forEach((phase, time) -> timeoutsNs[phase.number()] = time.toNanos());
  }

  /**
   * From now on no packet is followed before it is asked about: for who looks at records between
   * the packets of a burst.
   */
  public ConnectionTracker oneByOne() {
    isOneByOne = true;
    return this;
  }

  /**
   * Scans the packets of a burst and looks their connections up, all together: who waits for memory
   * waits for several at once.
   */
  public void lookUp(Burst burst) {
    int count = burst.size();
    if (count > guesses.length) {
      grow(count);
    }
    plain.read(burst);
    looksAhead = !isOneByOne && burst.live() == count;
    followedFrom = 0;
    followedTo = 0;
    for (int i = 0; i < plain.others(); i++) {
      Packet packet = burst.packet(plain.other(i));
      Lookup other = lookups[packet.index()];
      other.read(packet);
      plain.hash(packet.index(), other.isFlow ? table.hash(other.flow) : 0);
    }
    addedBefore = table.added();
    goneBefore = table.gone();
    table.guess(plain.hashes(), guesses, count);
  }

  /** For bursts that are larger than all before. */
  private void grow(int count) {
    int before = lookups.length;
    lookups = Arrays.copyOf(lookups, count);
    for (int i = before; i < count; i++) {
      lookups[i] = new Lookup();
    }
    guesses = new int[count];
  }

  /**
   * Looks at packets of the burst that was {@link #lookUp looked up}, from a place on, up to the
   * first that may tell something new of its connection, or is of none: this one {@link #track} is
   * for. Those before it are {@link Relation#ESTABLISHED}. Faster than one by one.
   *
   * @param from a place in the burst
   * @return where that packet is; the burst's size: there is none
   */
  public int follow(int from, long nowNs) {
    if (from < followedFrom || from >= followedTo) {
      followedFrom = from;
      followedTo = followRun(from, nowNs);
    }
    return followedTo;
  }

  private int followRun(int from, long nowNs) {
    int at = from;
    int to = looksAhead ? plain.size() : Math.min(from + 1, plain.size());
    while (at < to && plain.follow(at, guesses[at], timeoutsNs, nowNs)) {
      at++;
    }
    return at;
  }

  /**
   * The connection of a packet of the burst that was {@link #lookUp looked up}, as {@link #place},
   * if it is {@link PlainIpv4#isTransport}, its checksum is not left to who transmits it, and it
   * tells nothing new of the connection, which is up to date then: {@link Relation#ESTABLISHED}.
   * {@link ConnectionTable#NONE} if that is not known: then {@link #track} says. Faster than that.
   *
   * @param at a place in the burst
   */
  public int followed(int at, long nowNs) {
    return follow(at, nowNs) > at && table.gone() == goneBefore && !plain.isChecksumLeft(at)
        ? guesses[at]
        : NONE;
  }

  /**
   * Looks at a packet of the burst that was {@link #lookUp looked up}. A connection that it is of
   * is up to date then; no connection is added.
   */
  public Relation track(Packet packet, long nowNs) {
    int index = packet.index();
    last = packet;
    lookup = lookups[index];
    scanner = lookup.scanner;
    flow = lookup.flow;
    boolean isPlain = plain.isPlain(index);
    isRead = !isPlain;
    defect = TrackDefect.NONE;
    if (isPlain && isFollowed(index, nowNs)) {
      place = guesses[index];
      relation = Relation.ESTABLISHED;
      return relation;
    }
    read();
    lengthBytes = packet.length();
    guess = guesses[index];
    hash = plain.hash(index);
    place = NONE;
    relation = relate(packet, nowNs);
    return relation;
  }

  /** A connection may be gone again for which a packet was followed before it was asked about. */
  private boolean isFollowed(int index, long nowNs) {
    return follow(index, nowNs) > index && plain.isOf(index, guesses[index]);
  }

  /** Finds out what nobody has asked yet. */
  private void read() {
    if (!isRead) {
      isRead = true;
      lookup.read(Objects.requireNonNull(last, "packet"));
    }
  }

  /**
   * As {@link #track(Packet, long)}, without a burst that was looked up: of the packet that was
   * scanned, such as one that another carries.
   *
   * @param headers of the packet, which stay as they are until the next call
   */
  public Relation track(Packet packet, HeaderScanner headers, long nowNs) {
    lookup = lookups[0];
    scanner = headers;
    flow = lookup.flow;
    isRead = true;
    lookup.isFlow = isFlow(packet, headers, flow);
    hash = lookup.isFlow ? table.hash(flow) : 0;
    guess = NONE;
    addedBefore = -1;
    place = NONE;
    defect = TrackDefect.NONE;
    lengthBytes = packet.length();
    relation = relate(packet, nowNs);
    return relation;
  }

  private Relation relate(Packet packet, long nowNs) {
    if (scanner.ipVersion() == 0) {
      return scanner.defect() == HeaderDefect.NONE
          ? Relation.UNTRACKED
          : invalid(TrackDefect.MALFORMED);
    }
    if (scanner.isFragment()) {
      return invalid(TrackDefect.FRAGMENT);
    }
    if (scanner.defect() != HeaderDefect.NONE || !lookup.isFlow) {
      return invalid(TrackDefect.MALFORMED);
    }
    return switch (flow.protocol()) {
      case IpProtocol.TCP -> relateTcp(packet, nowNs);
      case IpProtocol.ICMP, IpProtocol.ICMPV6 -> relateIcmp(packet, nowNs);
      default -> relateOther(nowNs);
    };
  }

  private Relation invalid(TrackDefect why) {
    defect = why;
    return Relation.INVALID;
  }

  private Relation relateTcp(Packet packet, long nowNs) {
    tcp.read(packet, scanner);
    if (tcp.areFlagsBad()) {
      return invalid(TrackDefect.BAD_FLAGS);
    }
    boolean isImportant = (packet.u8(scanner.l4Offset() + TCP_FLAGS) & OPENS_OR_CLOSES) != 0;
    if (isImportant && InternetChecksum.isWrong(packet, scanner)) {
      return invalid(TrackDefect.BAD_CHECKSUM);
    }
    place = find(nowNs);
    if (place == NONE) {
      return tcp.isSyn() || (picksUp && !tcp.isReset())
          ? Relation.NEW
          : invalid(TrackDefect.NO_CONNECTION);
    }
    TcpState.Answer answer = tcp.follow(place);
    return switch (answer) {
      case ACCEPTED -> {
        int number = place >>> 1;
        if ((place & 1) != 0) {
          records.set(number, ConnectionRecords.REPLIED);
        }
        advance(number, tcp.phase(number), nowNs);
        yield pass(nowNs);
      }
      case CHALLENGED -> {
        records.count(place, lengthBytes);
        yield Relation.ESTABLISHED;
      }
      case REOPENS -> {
        table.remove(place >>> 1);
        place = NONE;
        yield Relation.NEW;
      }
      case OUTSIDE -> {
        place = NONE;
        yield invalid(TrackDefect.OUT_OF_WINDOW);
      }
    };
  }

  private void advance(int number, Phase phase, long nowNs) {
    if (phase == records.phase(number)) {
      return;
    }
    records.phase(number, phase);
    table.changed(number);
    if (phase == Phase.TCP_ESTABLISHED) {
      records.assure(number);
    } else if (phase == Phase.TCP_CLOSED) {
      records.unset(number, ConnectionRecords.ASSURED);
    }
    // Perhaps sooner than it was to go: who only puts it off need not tell the table.
    table.expireAt(number, nowNs + timeoutsNs[phase.number()]);
  }

  private int find(long nowNs) {
    return table.find(flow, hash, guess, table.added() == addedBefore, nowNs);
  }

  private Relation pass(long nowNs) {
    int number = place >>> 1;
    records.count(place, lengthBytes);
    records.expiresNs(number, nowNs + timeoutsNs[records.phaseNumber(number)]);
    return Relation.ESTABLISHED;
  }

  private Relation relateOther(long nowNs) {
    place = find(nowNs);
    if (place == NONE) {
      return Relation.NEW;
    }
    return passAnswered(nowNs);
  }

  /** Who asks again after an answer has got it, and its connection is worth keeping. */
  private Relation passAnswered(long nowNs) {
    if ((place & 1) != 0) {
      answered(place >>> 1);
    } else if (records.isReplied(place >>> 1) && !records.isAssured(place >>> 1)) {
      records.assure(place >>> 1);
      table.changed(place >>> 1);
    }
    return pass(nowNs);
  }

  /**
   * One answer assures nobody: anybody gets that from a server, for a question in another's name.
   */
  private void answered(int number) {
    if (!records.isReplied(number)) {
      records.set(number, ConnectionRecords.REPLIED);
      table.changed(number);
    }
    if (records.phase(number) == Phase.UDP_UNANSWERED) {
      records.phase(number, Phase.UDP_ANSWERED);
    }
  }

  private Relation relateIcmp(Packet packet, long nowNs) {
    if (flow.sourcePort() != 0 || flow.destinationPort() != 0) {
      place = find(nowNs);
      if (place == NONE) {
        return Icmp.isRequest(flow.protocol(), packet.u8(scanner.l4Offset()))
            ? Relation.NEW
            : invalid(TrackDefect.NO_CONNECTION);
      }
      return passAnswered(nowNs);
    }
    if (!Icmp.isError(flow.protocol(), packet.u8(scanner.l4Offset()))) {
      return Relation.UNTRACKED;
    }
    if (InternetChecksum.isWrong(packet, scanner)) {
      return invalid(TrackDefect.BAD_CHECKSUM);
    }
    return relateError(packet, nowNs);
  }

  /** It has to be sent to who has sent what it quotes. */
  private Relation relateError(Packet packet, long nowNs) {
    if (!quoted.find(packet, scanner)) {
      return invalid(TrackDefect.MALFORMED);
    }
    quotedFlow.readQuoted(packet, quoted);
    // The way back of what is quoted, as it was here: where addresses are translated, too.
    reply.reverseOf(quotedFlow);
    int back = table.find(reply, nowNs);
    if (back == NONE
        || quotedFlow.sourceHigh() != flow.destinationHigh()
        || quotedFlow.sourceLow() != flow.destinationLow()) {
      return invalid(TrackDefect.NO_CONNECTION);
    }
    if (quotedFlow.protocol() == IpProtocol.TCP
        && !tcp.mayHaveSent(back ^ 1, packet.i32(quoted.l4Offset() + 4))) {
      return invalid(TrackDefect.OUT_OF_WINDOW);
    }
    place = back;
    return Relation.RELATED;
  }

  /**
   * Adds the connection that the packet begins which was looked at last, and was {@link
   * Relation#NEW}, with its other direction as the reply.
   *
   * @return its number, or {@link ConnectionTable#NONE} if there is no room
   */
  public int admit(long nowNs) {
    reply.reverseOf(flow);
    return admit(reply, nowNs);
  }

  /**
   * As {@link #admit(long)}, where addresses are translated.
   *
   * @param replyFlow the flow of the packets that come back
   */
  public int admit(FlowKey replyFlow, long nowNs) {
    if (relation != Relation.NEW) {
      throw new IllegalStateException(
          "packet begins no connection: relation=" + relation + "; admit what is NEW");
    }
    Phase phase =
        switch (flow.protocol()) {
          case IpProtocol.TCP -> isOneWay ? Phase.TCP_ESTABLISHED : Phase.TCP_OPENING;
          case IpProtocol.UDP, IpProtocol.UDPLITE -> Phase.UDP_UNANSWERED;
          case IpProtocol.ICMP, IpProtocol.ICMPV6 -> Phase.ICMP_QUERY;
          default -> Phase.OTHER;
        };
    int number = table.add(flow, replyFlow, nowNs, nowNs + timeoutsNs[phase.number()]);
    if (number == NONE) {
      return NONE;
    }
    relation = Relation.ESTABLISHED;
    place = 2 * number;
    records.phase(number, phase);
    if (flow.protocol() == IpProtocol.TCP) {
      beginTcp(number, nowNs);
    }
    records.count(place, lengthBytes);
    return number;
  }

  private void beginTcp(int number, long nowNs) {
    if (tcp.isSyn() && !isOneWay) {
      tcp.begin(number);
    } else {
      tcp.pickUp(number, isOneWay);
      advance(number, tcp.phase(number), nowNs);
    }
  }

  /**
   * The connection of the packet that was looked at last: twice its number, and one more if the
   * packet is of the reply direction; {@link ConnectionTable#NONE} if it is of none.
   */
  public int place() {
    return place;
  }

  /** What the packet that was looked at last quotes, if it is {@link Relation#RELATED}. */
  public QuotedPacket quoted() {
    return quoted;
  }

  /** The headers of the packet that was looked at last. */
  public HeaderScanner scanner() {
    read();
    return scanner;
  }

  /** Why the packet that was looked at last is {@link Relation#INVALID}. */
  public TrackDefect defect() {
    return defect;
  }

  /** The flow of the packet that was looked at last; not to be kept. */
  public FlowKey flow() {
    read();
    return flow;
  }
}
