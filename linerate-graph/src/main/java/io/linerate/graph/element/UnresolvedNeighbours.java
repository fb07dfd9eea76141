package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Wiring;

/**
 * The neighbours that are asked for, on one worker, and the packets that wait meanwhile.
 *
 * <p>They have a table and a rate of questions of their own: somebody who sends packets to every
 * address of a link displaces nobody who is known, and keeps nobody from being confirmed. While all
 * places are taken, one that was asked for in vain, and that the fewest packets wait for, gives way
 * for a newcomer: RFC 6583, section 7.
 */
final class UnresolvedNeighbours {
  static final int NONE = NeighbourTable.NONE;

  /** Questions are late by a tenth at most; a neighbour on a link needs less than that. */
  static final long LOOK_NS = NeighbourQuestions.RETRY_NS / 10;

  /** For a neighbour that could not be asked so often, because of the rate or of buffers. */
  private static final long PATIENCE_NS =
      2 * NeighbourQuestions.MAX_PER_NEIGHBOUR * NeighbourQuestions.RETRY_NS;

  /** Slots for each place: an address may be in eight of them only. */
  private static final int SPARE = 4;

  private final Wiring wiring;
  private final Outlet unreachable;
  private final NeighbourTable table;
  private final HeldPackets held;
  private final NeighbourQuestions questions;
  private long unanswered;
  private long displaced;

  UnresolvedNeighbours(
      Wiring wiring, Outlet unreachable, NeighbourLimits limits, NeighbourProtocol protocol) {
    this.wiring = wiring;
    this.unreachable = unreachable;
    table = new NeighbourTable(SPARE * limits.unresolved());
    held = new HeldPackets(wiring, limits.unresolved(), limits.held());
    questions = new NeighbourQuestions(wiring, protocol, limits.queriesPerSecond());
    wiring.every(LOOK_NS, this::look);
    wiring.count("unresolved", table::size);
    wiring.count("unanswered", () -> unanswered);
    wiring.count("displaced", () -> displaced);
  }

  NeighbourTable table() {
    return table;
  }

  NeighbourQuestions questions() {
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
    int at = table.add(high, low, NeighbourTable.INCOMPLETE, wiring.nowNs());
    if (at != NONE) {
      table.mac(at, held.open(at));
      questions.ask(table, at, NeighbourProtocol.ANYBODY);
    }
    return at;
  }

  /** Lets a packet wait. */
  void hold(int at, Packet packet) {
    held.add(queue(at), packet, Neighbours.NEIGHBOUR_FULL);
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
  private void look() {
    long now = wiring.nowNs();
    for (int queue = 0; queue < held.queues(); queue++) {
      int at = held.entry(queue);
      if (at != NONE) {
        long asked = table.questions(at);
        boolean isDue = asked == 0 || now - table.askedNs(at) >= NeighbourQuestions.RETRY_NS;
        if ((isDue && asked >= NeighbourQuestions.MAX_PER_NEIGHBOUR)
            || now - table.confirmedNs(at) >= PATIENCE_NS) {
          unanswered++;
          giveUp(at);
        } else if (isDue) {
          questions.ask(table, at, NeighbourProtocol.ANYBODY);
        }
      }
    }
  }

  private void giveUp(int at) {
    end(at).sendTo(unreachable, Integer.MAX_VALUE);
  }

  /** Makes room for a newcomer that can be asked for at once, if one has had its time. */
  private boolean displace() {
    int victim = questions.isPossible() ? leastWanted() : NONE;
    if (victim == NONE) {
      return false;
    }
    displaced++;
    giveUp(victim);
    return true;
  }

  /** Of those that had time to answer: the one for which the fewest packets wait, the longest. */
  private int leastWanted() {
    long now = wiring.nowNs();
    int least = NONE;
    for (int queue = 0; queue < held.queues(); queue++) {
      int at = held.entry(queue);
      if (table.questions(at) > 0
          && now - table.askedNs(at) >= LOOK_NS
          && (least == NONE || isLessWanted(at, least))) {
        least = at;
      }
    }
    return least;
  }

  private boolean isLessWanted(int at, int other) {
    int difference = size(at) - size(other);
    return difference != 0 ? difference < 0 : table.confirmedNs(at) - table.confirmedNs(other) < 0;
  }
}
