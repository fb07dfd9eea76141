package io.linerate.middlebox.firewall;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RuleLookup;
import io.linerate.track.Relation;
import io.linerate.wire.CarriedPacket;
import io.linerate.wire.Ethernet;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.PlainIpv4;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The firewall on one worker, in one direction: sends, rejects or drops each packet, as the first
 * rule says that matches.
 *
 * <p>Packets of any link type, and inside VLAN tags, are matched by the IP header behind them. A
 * packet whose headers are unsound up to that of IP is dropped as {@code malformed}.
 */
final class FirewallHandler implements BurstHandler, Consumer<Packet> {
  static final DropReason RULE = DropReason.named("rule");
  static final DropReason DEFAULT_RULE = DropReason.named("default_rule");
  static final DropReason NON_IP = DropReason.named("non_ip");
  static final DropReason LIMIT = DropReason.named("rule_limit");

  static final DropReason INNER_FRAGMENT = DropReason.named("inner_fragment");
  static final DropReason INNER_DEPTH = DropReason.named("inner_depth");

  /** Packets that are carried by each other, of one packet at most. */
  private static final int MOST_INSIDE = 4;

  /** A key whose lower half is the decision. */
  private static final long IS_DECIDED = Long.MIN_VALUE;

  private static final int MALFORMED = -1;

  /** The rules pass it, but it is above a limit, or cannot begin its connection. */
  private static final int REFUSED = -2;

  /** Takes packets whose senders are to be told. */
  interface Rejected {
    /**
     * Takes a packet out of its burst.
     *
     * @param why the reason to drop it where nobody can be told
     */
    void take(Packet packet, DropReason why);

    /** Copies a segment of a connection that ends with it: its receiver is to be told, too. */
    default void copyLast(Packet packet) {}
  }

  private final RuleBook book;
  private final RuleCounts counts;
  private final Direction direction;
  private final boolean isEthernet;
  private final @Nullable StateReader states;
  private final Rejected rejected;
  private final BurstHandler out;
  private final HeaderScanner scanner = new HeaderScanner();
  private final PacketFields fields = new PacketFields();
  private final FlowKey flow = new FlowKey();
  private final CarriedPacket carried = new CarriedPacket();
  private long[] keys = new long[0];
  private int[] verdicts = new int[0];

  /** Packets whose decision waits: see {@link #accept} and {@link #settle}. */
  private int[] others = new int[0];

  private int otherCount;

  /** Why packets are {@link #REFUSED}. */
  private DropReason[] refusals = {};

  // Of the edition that holds for this burst.
  private RuleEdition edition;
  private @Nullable SourceTable sources;
  private RuleLookup lookup;
  private @Nullable RuleExtras extras;
  private @Nullable NameGuard names;
  private int established;
  private int defaultIndex;
  private boolean[] passes;
  private boolean[] rejects;
  private SingleWriterCounters hits;

  /**
   * @param counts where this worker counts
   * @param isEthernet whether all packets begin with an Ethernet header
   * @param states what packets are to connections, where they are tracked
   * @param rejected takes packets whose senders are to be told
   * @param out sends what is left in a burst: the packets that pass
   */
  FirewallHandler(
      RuleBook book,
      RuleCounts counts,
      Direction direction,
      boolean isEthernet,
      Optional<StateReader> states,
      Rejected rejected,
      BurstHandler out) {
    this.book = book;
    this.counts = counts;
    this.direction = direction;
    this.isEthernet = isEthernet;
    this.states = states.orElse(null);
    this.rejected = rejected;
    this.out = out;
    edition = book.edition();
    counts.adopt(edition);
    sources = sourcesOf(edition);
    lookup = new RuleLookup(edition.matcher(direction));
    extras = edition.extras().orElse(null);
    defaultIndex = edition.rules().defaultIndex();
    passes = edition.passes();
    rejects = edition.rejects();
    hits = counts.hits();
    names = namesOf(edition);
    established = establishedOf(edition);
  }

  /** The rule about all packets of connections, if nothing else is asked of them; -1: none is. */
  private int establishedOf(RuleEdition some) {
    int number = some.matcher(direction).knownIpv4(Relation.ESTABLISHED);
    boolean isAll = number >= 0 && names == null && (extras == null || !extras.isAbout(number));
    return isAll ? number : -1;
  }

  /** Decides by names, where rules ask for them. */
  private @Nullable NameGuard namesOf(RuleEdition some) {
    return states == null ? null : states.names(some, direction);
  }

  /** Where all is known without connections, and where packets have the form for it. */
  private @Nullable SourceTable sourcesOf(RuleEdition some) {
    return isEthernet && states == null ? some.sources().orElse(null) : null;
  }

  private void adopt(RuleEdition next) {
    counts.adopt(next);
    edition = next;
    sources = sourcesOf(next);
    lookup = new RuleLookup(next.matcher(direction));
    extras = next.extras().orElse(null);
    defaultIndex = next.rules().defaultIndex();
    passes = next.passes();
    rejects = next.rejects();
    hits = counts.hits();
    names = namesOf(next);
    established = establishedOf(next);
  }

  @Override
  public void onBurst(Burst burst) throws Exception {
    RuleEdition now = book.edition();
    if (now != edition) {
      adopt(now);
    }
    if (burst.size() > verdicts.length) {
      keys = new long[burst.size()];
      others = new int[burst.size()];
      verdicts = new int[burst.size()];
      refusals = new DropReason[burst.size()];
    }
    if (states != null) {
      decideByStates(burst, states);
    } else if (sources != null) {
      decideBySources(burst, sources);
    } else {
      decideByLookup(burst);
    }
    if (edition.rules().looksInside()) {
      decideInside(burst);
    }
    if (burst.live() < burst.size()) { // Called again after a failure.
      for (Packet packet : burst) {
        act(packet);
      }
    } else {
      act(burst, burst.size());
    }
    out.onBurst(burst);
  }

  private void decideByStates(Burst burst, StateReader reader) {
    int size = burst.size();
    lookup.begin(size);
    reader.begin(burst);
    otherCount = 0;
    if (established >= 0 && burst.live() == size) {
      Arrays.fill(verdicts, 0, size, established);
      for (int at = reader.follow(0); at < size; at = reader.follow(at + 1)) {
        decideByState(burst, burst.packet(at), reader);
      }
    } else {
      for (Packet packet : burst) {
        decideByState(burst, packet, reader);
      }
    }
    settle(burst, reader);
  }

  private void decideByState(Burst burst, Packet packet, StateReader reader) {
    Relation relation = reader.read(packet);
    int place = packet.index();
    if (reader.isOfWaiting(relation)) {
      settle(burst, reader);
      relation = reader.read(burst.packet(place));
    }
    Packet same = burst.packet(place);
    add(same, reader.scanner(), relation);
    leave(same);
    if (relation == Relation.NEW) {
      reader.await(same);
    }
  }

  /**
   * Decides about all packets since the last time, and has connections begin with those that do.
   */
  private void settle(Burst burst, StateReader reader) {
    lookup.match();
    for (int i = 0; i < otherCount; i++) {
      takeVerdict(burst.packet(others[i]));
    }
    for (int i = 0; i < reader.waiting(); i++) {
      int place = reader.waiting(i);
      if (isPassed(verdicts[place])) {
        DropReason refusal = reader.admit(burst.packet(place));
        if (refusal != null) {
          refuse(place, refusal);
        }
      }
    }
    reader.forgetWaiting();
    if (names != null) {
      for (int i = 0; i < otherCount; i++) {
        decideByName(burst.packet(others[i]), names);
      }
    }
    otherCount = 0;
  }

  /** What all other rules pass. */
  private void decideByName(Packet packet, NameGuard guard) {
    int place = packet.index();
    int number = isPassed(verdicts[place]) ? guard.decide(packet) : NameGuard.PASSED;
    if (number == NameGuard.REFUSED) {
      refuse(place, guard.refusal());
    } else if (number != NameGuard.PASSED) {
      takeVerdict(packet, number);
      if (isRejected(verdicts[place]) && guard.isOfConnection()) {
        packet.completeChecksum();
        rejected.copyLast(packet);
      }
    }
  }

  private void refuse(int place, DropReason why) {
    hits.increment(verdicts[place]);
    verdicts[place] = REFUSED;
    refusals[place] = why;
  }

  private void decideByLookup(Burst burst) {
    lookup.begin(burst.size());
    for (Packet packet : burst) {
      scanner.scanAny(packet);
      add(packet, scanner, Relation.UNTRACKED);
    }
    lookup.match();
    for (Packet packet : burst) {
      takeVerdict(packet);
    }
  }

  private void takeVerdict(Packet packet) {
    int place = packet.index();
    if (verdicts[place] == MALFORMED) {
      return;
    }
    takeVerdict(packet, lookup.number(place));
  }

  private void takeVerdict(Packet packet, int number) {
    int place = packet.index();
    verdicts[place] = number;
    if (extras != null) {
      if (extras.looksAtHeaders(number)) {
        scanner.scanAny(packet);
        flow.read(packet, scanner);
      }
      if (!extras.apply(number, packet, direction, scanner, flow, System.nanoTime())) {
        refuse(place, LIMIT);
      }
    }
  }

  /** Decides about what packets carry that pass themselves: these pass if all of it does. */
  private void decideInside(Burst burst) {
    for (Packet packet : burst) {
      if (isPassed(verdicts[packet.index()])) {
        scanner.scanAny(packet);
        for (int depth = 0; carried.find(packet, scanner); depth++) {
          scanner.scan(packet, carried.etherType(), carried.offset());
          DropReason refusal = depth == MOST_INSIDE ? INNER_DEPTH : decideInside(packet);
          if (refusal != null) {
            refuse(packet.index(), refusal);
            break;
          }
        }
      }
    }
  }

  /**
   * Decides about what was scanned in a packet.
   *
   * @return why it does not pass; null if it does
   */
  private @Nullable DropReason decideInside(Packet packet) {
    if (!scanner.defect().soundUpToL3()) {
      return DropReason.MALFORMED;
    }
    if (scanner.isFragment()) {
      return INNER_FRAGMENT;
    }
    Relation relation = states == null ? Relation.UNTRACKED : states.readInner(packet, scanner);
    lookup.begin(1);
    fields.add(lookup, 0, packet, scanner, relation);
    lookup.match();
    DropReason refusal = applyInside(packet, lookup.number(0));
    if (refusal != null) {
      return refusal;
    }
    boolean isFull = relation == Relation.NEW && states != null && !states.admitInner();
    if (isFull) {
      return StateReader.FULL;
    }
    int byName = names == null ? NameGuard.PASSED : names.decideInner(packet, scanner);
    if (byName < 0) {
      return byName == NameGuard.REFUSED && names != null ? names.refusal() : null;
    }
    return applyInside(packet, byName);
  }

  /** What a rule does with a packet that carries what it is about; null: it passes it. */
  private @Nullable DropReason applyInside(Packet packet, int number) {
    hits.increment(number);
    boolean isWithinLimit = true;
    if (extras != null) {
      flow.read(packet, scanner);
      isWithinLimit = extras.apply(number, packet, direction, scanner, flow, System.nanoTime());
    }
    if (!passes[number]) {
      return reasonOf(number);
    }
    return isWithinLimit ? null : LIMIT;
  }

  /**
   * Leaves the decision on each packet in {@link #verdicts}, at its place in the burst. In two
   * passes: keys that are looked up together come from memory together.
   */
  private void decideBySources(Burst burst, SourceTable table) {
    otherCount = 0;
    burst.forEach(this);
    if (otherCount > 0) {
      decideOthers(burst);
    }
    table.match(keys, burst.size(), verdicts);
  }

  private void decideOthers(Burst burst) {
    lookup.begin(burst.size());
    for (int i = 0; i < otherCount; i++) {
      Packet packet = burst.packet(others[i]);
      scanner.scanAny(packet);
      add(packet, scanner, Relation.UNTRACKED);
    }
    lookup.match();
    for (int i = 0; i < otherCount; i++) {
      takeVerdict(burst.packet(others[i]));
      keys[others[i]] = IS_DECIDED | Integer.toUnsignedLong(verdicts[others[i]]);
    }
  }

  /**
   * Leaves its key at its place in the burst, or its decision for later if it is not {@link
   * PlainIpv4}: a loop in which something is called for some packets is slower for all.
   */
  @Override
  public void accept(Packet packet) {
    if (PlainIpv4.is(packet)) {
      keys[packet.index()] = SourceTable.key(packet, Ethernet.HEADER_BYTES);
    } else {
      leave(packet);
    }
  }

  /** Apart: the loop's own is to be shorter than 35 bytes, or it is a call in some JVMs. */
  private void leave(Packet packet) {
    others[otherCount++] = packet.index();
  }

  /** Gives the lookup what rules may ask of a packet, or leaves the decision that needs none. */
  private void add(Packet packet, HeaderScanner headers, Relation relation) {
    int place = packet.index();
    if (headers.defect().soundUpToL3()) {
      verdicts[place] = 0;
      fields.add(lookup, place, packet, headers, relation);
    } else {
      verdicts[place] = MALFORMED;
    }
  }

  /** Counts, and drops what does not pass, in runs of the same verdict: traffic has many. */
  private void act(Burst burst, int count) {
    if (count == 0) {
      return;
    }
    int[] each = verdicts;
    int different = 0;
    for (int i = 1; i < count; i++) {
      different |= each[i] ^ each[0];
    }
    if (different == 0) {
      act(burst, 0, count, each[0]);
      return;
    }
    int start = 0;
    for (int i = 1; i <= count; i++) {
      if (i == count || each[i] != each[start]) {
        act(burst, start, i, each[start]);
        start = i;
      }
    }
  }

  private void act(Burst burst, int from, int to, int verdict) {
    if (verdict >= 0) {
      hits.add(verdict, to - from);
    }
    if (verdict == REFUSED) {
      for (int i = from; i < to; i++) {
        burst.drop(i, i + 1, reason(i));
      }
    } else if (isRejected(verdict)) {
      for (int i = from; i < to; i++) {
        rejected.take(burst.packet(i), reason(i));
      }
    } else if (!isPassed(verdict)) {
      burst.drop(from, to, reason(from));
    }
  }

  private void act(Packet packet) {
    int verdict = verdicts[packet.index()];
    if (verdict >= 0) {
      hits.increment(verdict);
    }
    if (isRejected(verdict)) {
      rejected.take(packet, reason(packet.index()));
    } else if (!isPassed(verdict)) {
      packet.drop(reason(packet.index()));
    }
  }

  private boolean isPassed(int verdict) {
    return verdict >= 0 && passes[verdict];
  }

  private boolean isRejected(int verdict) {
    return verdict >= 0 && rejects[verdict];
  }

  /** Why the packet at a place is dropped. */
  private DropReason reason(int place) {
    int verdict = verdicts[place];
    if (verdict == REFUSED) {
      return refusals[place];
    }
    if (verdict == MALFORMED) {
      return DropReason.MALFORMED;
    }
    return reasonOf(verdict);
  }

  /** Why packets are dropped that a rule decides about. */
  private DropReason reasonOf(int number) {
    if (number < defaultIndex) {
      return RULE;
    }
    return number == defaultIndex ? DEFAULT_RULE : NON_IP;
  }
}
