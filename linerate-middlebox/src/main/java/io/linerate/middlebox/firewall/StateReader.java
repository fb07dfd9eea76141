package io.linerate.middlebox.firewall;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.middlebox.rule.Direction;
import io.linerate.track.ConnectionTable;
import io.linerate.track.ConnectionTracker;
import io.linerate.track.Relation;
import io.linerate.track.TrackDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What packets are to the connections of a worker, and which connections begin.
 *
 * <p>A burst is read packet by packet, and packets that could begin a connection wait until the
 * rules have decided about them. Before a packet that may be of such a connection is read, they are
 * decided about: see {@link #isOfWaiting}.
 */
final class StateReader {
  static final DropReason FULL = DropReason.named("connections_full");

  /** Bits that say which flows wait, by a hash: one too many costs time only. */
  private static final int FLOW_WORDS = 64;

  private final ConnectionTracker tracker;

  /** Of packets that others carry. */
  private final ConnectionTracker inner;

  /** Decides by names, where there may be rules that ask for them. */
  private final @Nullable NameGuard names;

  private final LongSupplier clock;
  private final long[] waitingFlows = new long[FLOW_WORDS];
  private int[] waiting = {};
  private int waitingCount;
  private long nowNs;

  StateReader(Tracking.Connections connections, LongSupplier clock) {
    tracker = connections.tracker();
    inner = connections.inner();
    names =
        connections
            .names()
            .map(some -> new NameGuard(connections.table(), connections.inner(), some, clock))
            .orElse(null);
    this.clock = clock;
  }

  /** Decides by the names of other rules from now on; null where no rule asks for any. */
  @Nullable NameGuard names(RuleEdition rules, Direction direction) {
    if (names != null) {
      names.adopt(rules.names(direction), rules.rules().hasNames());
    }
    return rules.rules().hasNames() ? names : null;
  }

  /** Begins with a burst. */
  void begin(Burst burst) {
    if (waiting.length < burst.size()) {
      waiting = new int[burst.size()];
    }
    forgetWaiting();
    nowNs = clock.getAsLong();
    tracker.lookUp(burst);
    if (names != null) {
      names.begin(burst.size());
    }
  }

  void forgetWaiting() {
    if (waitingCount > 0) {
      Arrays.fill(waitingFlows, 0);
      waitingCount = 0;
    }
  }

  /** What a packet of the burst is. */
  Relation read(Packet packet) {
    Relation relation = tracker.track(packet, nowNs);
    noteFor(packet);
    return relation;
  }

  private void noteFor(Packet packet) {
    if (names != null && names.isActive()) {
      names.note(packet.index(), tracker);
    }
  }

  /**
   * What a packet is that another one carries.
   *
   * @param headers its own
   */
  Relation readInner(Packet packet, HeaderScanner headers) {
    return inner.track(packet, headers, nowNs);
  }

  /**
   * Has a connection begin with the packet that {@link #readInner} has read, and that passes.
   *
   * @return whether there is room
   */
  boolean admitInner() {
    return inner.admit(nowNs) != ConnectionTable.NONE;
  }

  /**
   * Reads packets of connections of IPv4, without VLAN tags, from a place on: see {@link
   * ConnectionTracker#follow}.
   */
  int follow(int from) {
    return tracker.follow(from, nowNs);
  }

  /** The headers of the packet that was read last. */
  HeaderScanner scanner() {
    return tracker.scanner();
  }

  /**
   * Whether the packet that was read last may be of a connection that a packet before it would
   * begin, about which nothing is decided yet: it has to be read again then.
   */
  boolean isOfWaiting(Relation relation) {
    if (waitingCount == 0
        || !(relation == Relation.NEW
            || (relation == Relation.INVALID && tracker.defect() == TrackDefect.NO_CONNECTION))) {
      return false;
    }
    int protocol = tracker.flow().protocol();
    boolean isIcmp = protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
    long hash = tracker.flow().symmetricHash();
    return (isIcmp && relation == Relation.INVALID) // It may be an error about any.
        || (waitingFlows[word(hash)] & (1L << hash)) != 0;
  }

  private static int word(long hash) {
    return (int) (hash >>> Integer.SIZE) & (FLOW_WORDS - 1);
  }

  /** The packet that was read last could begin a connection, and waits for its decision. */
  void await(Packet packet) {
    long hash = tracker.flow().symmetricHash();
    waitingFlows[word(hash)] |= 1L << hash;
    waiting[waitingCount++] = packet.index();
  }

  /** How many packets wait. */
  int waiting() {
    return waitingCount;
  }

  /** The place of one in the burst. */
  int waiting(int index) {
    return waiting[index];
  }

  /**
   * Has a connection begin with a packet that waited, and passes.
   *
   * @return why it cannot; null if it has
   */
  @Nullable DropReason admit(Packet packet) {
    Relation relation = tracker.track(packet, nowNs);
    if (relation == Relation.INVALID) {
      return tracker.defect().reason();
    }
    boolean isFull = relation == Relation.NEW && tracker.admit(nowNs) == ConnectionTable.NONE;
    noteFor(packet);
    return isFull ? FULL : null;
  }
}
