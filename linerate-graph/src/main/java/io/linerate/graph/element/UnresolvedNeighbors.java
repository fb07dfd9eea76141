package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Wiring;
import java.util.function.IntBinaryOperator;

/**
 * The neighbors that are asked for, on one worker, and the packets that wait meanwhile.
 *
 * <p>They have a table and a rate of questions of their own: packets to every address of a link
 * displace no neighbor that is known, and keep none from being confirmed. While all places are
 * taken, one that was asked for in vain gives its own to a newcomer: of the next few in turn, the
 * one that the fewest packets wait for. RFC 6583, section 7.
 */
final class UnresolvedNeighbors {
  static final int NONE = NeighborTable.NONE;

  /** Questions are late by a tenth at most; a neighbor on a link needs less than that to answer. */
  private static final long PERIOD_NS = NeighborQuestions.RETRY_NS / 10;

  /** For a neighbor that could not be asked so often, because of the rate or of buffers. */
  private static final long MAX_WAIT_NS =
      2 * NeighborQuestions.MAX_PER_NEIGHBOR * NeighborQuestions.RETRY_NS;

  /** Slots for each place: an address may be in eight of them only. */
  private static final int SPARE = 4;

  private final Wiring wiring;
  private final Outlet unreachable;
  private final NeighborTable table;
  private final NeighborQueues held;
  private final NeighborQuestions questions;
  private final FewInTurn candidates;
  private final IntBinaryOperator lessWanted = this::lessWanted;
  private long unanswered;
  private long displaced;

  UnresolvedNeighbors(
      Wiring wiring, Outlet unreachable, NeighborLimits limits, NeighborProtocol protocol) {
    this.wiring = wiring;
    this.unreachable = unreachable;
    table = new NeighborTable(SPARE * limits.unresolved());
    held = new NeighborQueues(wiring, limits.unresolved(), limits.held());
    questions = new NeighborQuestions(wiring, protocol, limits.queriesPerSecond());
    candidates = new FewInTurn(limits.unresolved());
    wiring.every(PERIOD_NS, this::askAgain);
    wiring.count("unresolved", table::size);
    wiring.count("unanswered", () -> unanswered);
    wiring.count("displaced", () -> displaced);
  }

  NeighborTable table() {
    return table;
  }

  NeighborQuestions questions() {
    return questions;
  }

  int find(long high, long low) {
    return table.find(high, low);
  }

  /** Asks for an address. Returns its entry, or {@link #NONE} if there is no place for it. */
  int begin(long high, long low) {
    if (!held.isRoom() && !displace()) {
      return NONE;
    }
    int at = table.add(high, low, NeighborTable.INCOMPLETE, wiring.nowNs());
    if (at != NONE) {
      table.mac(at, held.open(at));
      questions.ask(table, at, NeighborProtocol.ANYBODY);
    }
    return at;
  }

  /** Lets a packet wait. */
  void hold(int at, Packet packet) {
    held.add(queue(at), packet, Neighbors.NEIGHBOR_FULL);
  }

  private int queue(int at) {
    return (int) table.mac(at);
  }

  /** Packets that wait for an entry. */
  int size(int at) {
    return held.size(queue(at));
  }

  /** Ends an entry, whose packets the caller ends before anything else. */
  PacketQueue end(int at) {
    PacketQueue packets = held.close(queue(at));
    table.remove(at);
    return packets;
  }

  /** Asks again, or gives up. */
  private void askAgain() {
    long now = wiring.nowNs();
    for (int queue = 0; queue < held.queues(); queue++) {
      int at = held.entry(queue);
      if (at != NONE) {
        long asked = table.questions(at);
        boolean isDue = asked == 0 || now - table.askedNs(at) >= NeighborQuestions.RETRY_NS;
        if ((isDue && asked >= NeighborQuestions.MAX_PER_NEIGHBOR)
            || now - table.confirmedNs(at) >= MAX_WAIT_NS) {
          unanswered++;
          giveUp(at);
        } else if (isDue) {
          questions.ask(table, at, NeighborProtocol.ANYBODY);
        }
      }
    }
  }

  private void giveUp(int at) {
    end(at).sendTo(unreachable, Integer.MAX_VALUE);
  }

  /** Makes room for a newcomer that can be asked for at once, if one has had its time. */
  private boolean displace() {
    int victim = questions.isPossible() ? candidates.reduce(lessWanted) : NONE;
    if (victim == NONE) {
      return false;
    }
    displaced++;
    giveUp(held.entry(victim));
    return true;
  }

  /**
   * Of those that had time to answer: the one for which the fewest packets wait, the longest.
   *
   * @param least the least wanted queue so far, or {@link #NONE}
   */
  private int lessWanted(int least, int queue) {
    int at = held.entry(queue);
    boolean hadTime = table.questions(at) > 0 && wiring.nowNs() - table.askedNs(at) >= PERIOD_NS;
    return hadTime && (least == NONE || isLessWanted(at, held.entry(least))) ? queue : least;
  }

  private boolean isLessWanted(int at, int other) {
    int difference = size(at) - size(other);
    return difference != 0 ? difference < 0 : table.confirmedNs(at) - table.confirmedNs(other) < 0;
  }
}
