package io.linerate.middlebox.firewall;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.element.Reassemble;
import io.linerate.middlebox.rule.NameLookup;
import io.linerate.middlebox.rule.NameMatcher;
import io.linerate.middlebox.rule.RuleLookup;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTable;
import io.linerate.track.ConnectionTracker;
import io.linerate.track.OrderedBytes;
import io.linerate.track.Relation;
import io.linerate.track.TrackDefect;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;
import io.linerate.wire.name.DnsQuestion;
import io.linerate.wire.name.DomainName;
import io.linerate.wire.name.NameReader;
import io.linerate.wire.name.PacketBytes;
import io.linerate.wire.name.StreamName;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides about packets that all other rules pass, by the names that they, or their connections,
 * ask for.
 *
 * <p>Of a connection of TCP the first bytes of its client are read in order, while its packets
 * pass, until the name is known: the packet by which it is known, and all after it, pass or not.
 * What passed is kept until the server has acknowledged it, and what comes again has to be the
 * same: the server may have seen nothing of what was read here. What is not sure is refused. Of UDP
 * each question to DNS is decided about by itself. One thread's own.
 */
final class NameGuard {
  /** It passes. */
  static final int PASSED = -1;

  /** It does not, for another reason than a rule: {@link #refusal}. */
  static final int REFUSED = -2;

  static final DropReason FULL = DropReason.named("names_full");
  static final DropReason HIDDEN = DropReason.named("name_hidden");
  static final DropReason OF_REFUSED = DropReason.named("name_refused");

  private final ConnectionTable table;
  private final ConnectionTracker inner;
  private final ConnectionRecords records;
  private final ConnectionNames names;
  private final OrderedBytes bytes;
  private final LongSupplier clock;
  private final PacketFields fields = new PacketFields();
  private final PacketBytes datagram = new PacketBytes();
  private final DnsQuestion question = new DnsQuestion(false);
  private final NameReader ofDnsPort = new StreamName(true);
  private final NameReader ofOthers = new StreamName(false);
  private final FlowKey flow = new FlowKey();
  private final Tcp tcp = new Tcp();
  private final Udp udp = new Udp();

  /** Of the rules that hold; null: none of this direction asks for names. */
  private @Nullable NameLookup lookup;

  private boolean isActive;

  // Of the packets of a burst: what has to be known before those behind them are tracked.
  private int[] places = {};
  private long[] gone = {};
  private int[] acknowledged = {};
  private HeaderScanner[] headers = {};

  // Of the packet that is decided about.
  @SuppressWarnings("NullAway.Init")
  private Packet packet;

  @SuppressWarnings("NullAway.Init")
  private HeaderScanner scanner;

  private DropReason refusal = HIDDEN;

  NameGuard(
      ConnectionTable table, ConnectionTracker inner, ConnectionNames names, LongSupplier clock) {
    this.table = table;
    this.inner = inner;
    this.names = names;
    this.clock = clock;
    records = table.records();
    bytes = names.bytes();
  }

  /**
   * Other rules from now on.
   *
   * @param rules those by name, of this direction
   * @param isAny whether there are some in any direction: what servers answer comes by the other
   */
  void adopt(Optional<NameMatcher> rules, boolean isAny) {
    lookup = rules.map(NameLookup::new).orElse(null);
    isActive = isAny;
  }

  /** Whether some rule asks for names. */
  boolean isActive() {
    return isActive;
  }

  /** Begins with a burst. */
  void begin(int count) {
    if (places.length < count) {
      places = new int[count];
      gone = new long[count];
      acknowledged = new int[count];
      headers = new HeaderScanner[count];
    }
  }

  /** Notes what the packet of the burst that was tracked just now is of. */
  void note(int index, ConnectionTracker tracker) {
    places[index] = tracker.place();
    gone[index] = table.gone();
    acknowledged[index] = acknowledgedBy(tracker.place());
    headers[index] = tracker.scanner();
  }

  /** What the other end has acknowledged; 0 where there is none. */
  private int acknowledgedBy(int place) {
    return place == ConnectionTable.NONE ? 0 : records.acknowledged(place ^ 1);
  }

  /** Why the packet that was decided about last is {@link #REFUSED}. */
  DropReason refusal() {
    return refusal;
  }

  /** Whether what was decided about last is of a connection, which has a receiver to be told. */
  boolean isOfConnection() {
    return scanner.ipProtocol() == IpProtocol.TCP;
  }

  private int refuse(DropReason why) {
    refusal = why;
    return REFUSED;
  }

  /**
   * Decides about a packet of the burst that all other rules pass.
   *
   * @return the number of the rule that decides, {@link #PASSED} or {@link #REFUSED}
   */
  int decide(Packet some) {
    int index = some.index();
    return decide(some, headers[index], placeOf(some, index), acknowledged[index]);
  }

  /** Connections that have begun since may have taken the room of others. */
  private int placeOf(Packet some, int index) {
    if (gone[index] == table.gone()) {
      return places[index];
    }
    return flow.readConnection(some, headers[index]) ? table.find(flow) : ConnectionTable.NONE;
  }

  /** As {@link #decide(Packet)}, about what another packet carries, and was tracked just now. */
  int decideInner(Packet some, HeaderScanner ofInner) {
    return decide(some, ofInner, inner.place(), acknowledgedBy(inner.place()));
  }

  private int decide(Packet some, HeaderScanner ofPacket, int place, int acknowledgment) {
    packet = some;
    scanner = ofPacket;
    if (!ofPacket.l4Fits()) {
      return PASSED;
    }
    return switch (ofPacket.ipProtocol()) {
      case IpProtocol.UDP -> decideDatagram();
      case IpProtocol.TCP -> decideSegment(place, acknowledgment);
      default -> PASSED;
    };
  }

  private int decideDatagram() {
    udp.wrap(packet, scanner.l4Offset());
    if (udp.destinationPort() != DnsQuestion.PORT || !isAskedFor()) {
      return PASSED;
    }
    int payload = scanner.l4Offset() + Udp.HEADER_BYTES;
    datagram.wrap(packet, payload, scanner.ipEnd() - payload);
    return switch (question.read(datagram, 0)) {
      case FOUND -> decideByRules(question.name());
      case NONE -> PASSED;
      case NEEDS_MORE, MALFORMED -> refuse(HIDDEN);
    };
  }

  /** Whether some rule by name is about such a packet. */
  private boolean isAskedFor() {
    return lookup != null && find(lookup.ofAll()) != PASSED;
  }

  private int decideByRules(DomainName name) {
    if (name.hasLabelDot()) {
      return refuse(HIDDEN);
    }
    RuleLookup ofName = lookup == null ? null : lookup.of(name);
    return ofName == null ? PASSED : find(ofName);
  }

  private int find(RuleLookup rules) {
    rules.begin(1);
    fields.add(rules, 0, packet, scanner, Relation.ESTABLISHED);
    rules.match();
    return rules.isDecided(0) ? rules.number(0) : PASSED;
  }

  private int decideSegment(int place, int acknowledgment) {
    tcp.wrap(packet, scanner.l4Offset());
    int count = scanner.ipEnd() - tcp.payloadOffset();
    if (place == ConnectionTable.NONE) { // Nobody knows what came before.
      return count > 0 && isAskedFor() ? refuse(HIDDEN) : PASSED;
    }
    int number = place >>> 1;
    int mark = records.mark(number);
    if (mark == ConnectionNames.DECIDED) {
      return PASSED;
    }
    if (mark == ConnectionNames.REFUSED) {
      return refuse(OF_REFUSED);
    }
    if ((place & 1) == 0) {
      return decideOfClient(number, mark, acknowledgment, count);
    }
    if (ConnectionNames.hasBytes(mark)
        && bytes.isDone(ConnectionNames.slot(mark), records.acknowledged(place))) {
      names.end(records, number, ConnectionNames.DECIDED);
    }
    return PASSED;
  }

  private int decideOfClient(int number, int mark, int acknowledgment, int count) {
    boolean isKept = ConnectionNames.hasBytes(mark);
    boolean isUrgent = tcp.has(Tcp.URG);
    if (!isKept) {
      if (count == 0 && !isUrgent) {
        return PASSED;
      }
      if (!isAskedFor()) {
        records.mark(number, ConnectionNames.DECIDED);
        return PASSED;
      }
    }
    // Of urgent data a byte is taken out of what the server reads: RFC 6093, section 3.2.
    if (isUrgent) {
      return refuse(HIDDEN);
    }
    boolean isSyn = tcp.has(Tcp.SYN);
    int sequence = (int) tcp.sequenceNumber() + (isSyn ? 1 : 0);
    if (isKept && isSyn && sequence != bytes.firstSequence(ConnectionNames.slot(mark))) {
      return refuse(Reassemble.OVERLAP);
    }
    if (count == 0) {
      return PASSED;
    }
    if (InternetChecksum.isWrong(packet, scanner)) {
      return refuse(TrackDefect.BAD_CHECKSUM.reason());
    }
    int slot =
        isKept
            ? ConnectionNames.slot(mark)
            : names.keep(records, number, isSyn ? sequence : acknowledgment, clock.getAsLong());
    return slot == OrderedBytes.NONE ? refuse(FULL) : take(number, slot, sequence, count);
  }

  private int take(int number, int slot, int sequence, int count) {
    OrderedBytes.Answer answer = bytes.add(slot, sequence, packet, tcp.payloadOffset(), count);
    if (answer == OrderedBytes.Answer.FULL && names.makeRoom(records, clock.getAsLong())) {
      if (records.mark(number) == ConnectionNames.REFUSED) {
        return refuse(OF_REFUSED);
      }
      answer = bytes.add(slot, sequence, packet, tcp.payloadOffset(), count);
    }
    return switch (answer) {
      case CONFLICT -> refuse(Reassemble.OVERLAP);
      case FULL -> refuse(FULL);
      case TAKEN -> bytes.isSettled(slot) ? PASSED : read(number, slot);
    };
  }

  private int read(int number, int slot) {
    NameReader reader = tcp.destinationPort() == DnsQuestion.PORT ? ofDnsPort : ofOthers;
    int rule = PASSED;
    switch (reader.read(bytes.wrap(slot), bytes.progress(slot))) {
      case NEEDS_MORE -> {
        bytes.progress(slot, reader.progress());
        return PASSED;
      }
      case MALFORMED -> {
        names.end(records, number, ConnectionNames.REFUSED);
        return refuse(HIDDEN);
      }
      case FOUND -> rule = decideByRules(reader.name());
      case NONE -> {}
    }
    if (rule == PASSED) {
      bytes.settle(slot);
    } else {
      names.end(records, number, ConnectionNames.REFUSED);
    }
    return rule;
  }
}
