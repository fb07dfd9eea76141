package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.time.TokenBucket;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Round;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ethernet;
import io.linerate.wire.MacAddress;

/**
 * The neighbors on a link, on one worker: who they are, and with {@link UnresolvedNeighbors}, who
 * is asked for. The states are those of RFC 4861, section 7.3.2, without DELAY: nothing here hears
 * of the upper layers' progress, so an old address is asked for when it is used next.
 */
final class Neighbors {
  static final DropReason UNRESOLVED = DropReason.named("unresolved");
  static final DropReason UNRESOLVED_FULL = DropReason.named("unresolved_full");
  static final DropReason NEIGHBOR_FULL = DropReason.named("neighbour_full");

  /** For {@link #hear}: the message had no MAC address. */
  static final long NO_MAC = -1;

  /** Addresses are forgotten late by a tenth at most: so often is a part of the table looked at. */
  private static final int SWEEPS = 1_000;

  private static final int PARTS = SWEEPS / 10;

  /** Whoever floods the link with messages does not keep the workers talking to each other. */
  private static final long MAX_NEWS_PER_SECOND = 10_000;

  private final NeighborLimits limits;
  private final Wiring wiring;
  private final Outlet out;
  private final Outlet unreachable;
  private final long ownMac;
  private final NeighborTable table;
  private final UnresolvedNeighbors unresolved;
  private final NeighborQuestions confirmations;
  private final NeighborNews news;
  private final NeighborNews.Reader reader;
  private final TokenBucket newsBucket =
      new TokenBucket(MAX_NEWS_PER_SECOND, MAX_NEWS_PER_SECOND / 10);
  private final Ethernet ethernet = new Ethernet();
  private int sweptTo;
  private long forgotten;

  Neighbors(Wiring wiring, NeighborLimits limits, long ownMac, NeighborProtocol protocol) {
    this.wiring = wiring;
    this.limits = limits;
    this.ownMac = ownMac;
    out = wiring.output("out");
    unreachable = wiring.output("unreachable", UNRESOLVED);
    table = new NeighborTable(limits.neighbors());
    unresolved = new UnresolvedNeighbors(wiring, unreachable, limits, protocol);
    confirmations = new NeighborQuestions(wiring, protocol, limits.queriesPerSecond());
    news = wiring.shared(NeighborNews::new);
    reader = news.join();
    wiring.onClose(news::leave);
    wiring.onRound(new CatchUp());
    wiring.every(limits.timeoutNs() / SWEEPS, this::sweep);
    values(protocol);
  }

  private void values(NeighborProtocol protocol) {
    NeighborQuestions questions = unresolved.questions();
    wiring.count("count", table::size);
    wiring.count("queries", () -> questions.asked() + confirmations.asked());
    wiring.count("queries_delayed", () -> questions.delayed() + confirmations.delayed());
    wiring.count("forgotten", () -> forgotten);
    new NeighborTexts(this, protocol).register(wiring);
  }

  // --- packets ---

  /**
   * Writes the addresses of a packet to a neighbor.
   *
   * @return false if it waits or was dropped
   */
  boolean address(Packet packet, long high, long low) {
    int at = table.find(high, low);
    if (at != NeighborTable.NONE) {
      table.used(at, wiring.nowNs());
      if (!isOld(at) || refresh(at)) {
        address(packet, table.mac(at));
        return true;
      }
      table.remove(at);
    }
    await(packet, high, low);
    return false;
  }

  /** Writes the addresses of a packet. */
  void address(Packet packet, long mac) {
    ethernet.wrap(packet, 0).destination(mac).source(ownMac);
  }

  /** Ends a packet that has no next hop. */
  void drop(Packet packet, DropReason reason) {
    unreachable.send(packet, reason);
  }

  private boolean isOld(int at) {
    return table.state(at) == NeighborTable.RESOLVED
        && wiring.nowNs() - table.confirmedNs(at) >= limits.refreshNs();
  }

  /** Asks the neighbor itself. Returns false if it has not answered so often that it is gone. */
  private boolean refresh(int at) {
    if (table.questions(at) > 0
        && wiring.nowNs() - table.askedNs(at) < NeighborQuestions.RETRY_NS) {
      return true;
    }
    if (table.questions(at) >= NeighborQuestions.MAX_PER_NEIGHBOR) {
      return false;
    }
    confirmations.ask(table, at, table.mac(at));
    return true;
  }

  private void await(Packet packet, long high, long low) {
    int at = unresolved.find(high, low);
    if (at == NeighborTable.NONE && table.isPossible(high, low)) {
      at = unresolved.begin(high, low);
    }
    if (at == NeighborTable.NONE) {
      packet.drop(UNRESOLVED_FULL);
    } else {
      unresolved.hold(at, packet);
    }
  }

  /** A new entry; the one that was used the longest ago goes if there is no room. */
  private int place(long high, long low, int state) {
    int at = table.add(high, low, state, wiring.nowNs());
    int oldest = at == NeighborTable.NONE ? table.oldest(high, low) : NeighborTable.NONE;
    if (oldest == NeighborTable.NONE) {
      return at;
    }
    table.remove(oldest);
    forgotten++;
    return table.add(high, low, state, wiring.nowNs());
  }

  // --- messages ---

  /**
   * A neighbor, or somebody for it, has said what its MAC address is: RFC 4861, section 7.2.5.
   *
   * @param mac or {@link #NO_MAC}
   * @param isAnswer whether it was asked, so that it is there now
   * @param replaces whether the address is to replace another one
   * @param isNewcomer whether it may be kept if nobody has asked, where there is room
   */
  void hear(long high, long low, long mac, boolean isAnswer, boolean replaces, boolean isNewcomer) {
    learn(high, low, mac, isAnswer, replaces, isNewcomer);
    if (mac != NO_MAC && news.isHeard()) {
      newsBucket.fill(wiring.nowNs());
      if (newsBucket.take(1)) {
        news.tell(high, low, mac, isAnswer, replaces);
      }
    }
  }

  private void learn(
      long high, long low, long mac, boolean isAnswer, boolean replaces, boolean isNewcomer) {
    int asked = mac == NO_MAC ? NeighborTable.NONE : unresolved.find(high, low);
    if (asked != NeighborTable.NONE) {
      resolve(asked, NeighborTable.RESOLVED, mac, isAnswer);
      return;
    }
    int at = table.find(high, low);
    if (at == NeighborTable.NONE) {
      at = isNewcomer && mac != NO_MAC ? newcomer(high, low, mac) : NeighborTable.NONE;
    }
    // Who was added by hand stays.
    if (at != NeighborTable.NONE && table.state(at) == NeighborTable.RESOLVED) {
      heardOf(at, mac, isAnswer, replaces);
    }
  }

  private void heardOf(int at, long mac, boolean isAnswer, boolean replaces) {
    boolean isOther = mac != NO_MAC && mac != table.mac(at);
    if (isOther && replaces) {
      table.mac(at, mac);
    }
    if (isOther || isAnswer) {
      confirm(at, isAnswer && (replaces || !isOther));
    }
  }

  private int newcomer(long high, long low, long mac) {
    int at = table.add(high, low, NeighborTable.RESOLVED, wiring.nowNs());
    if (at != NeighborTable.NONE) {
      table.mac(at, mac);
      confirm(at, false);
    }
    return at;
  }

  /** It is there; or it has to say so when it is used next. */
  private void confirm(int at, boolean isThere) {
    long now = wiring.nowNs();
    table.confirm(at, isThere ? now : Math.min(table.confirmedNs(at), now - limits.refreshNs()));
  }

  /** Who was asked for is known now. Returns false if there is no room to remember it. */
  private boolean resolve(int asked, int state, long mac, boolean isAnswer) {
    int at = place(unresolved.table().high(asked), unresolved.table().low(asked), state);
    if (at != NeighborTable.NONE) {
      table.mac(at, mac);
      confirm(at, isAnswer);
    }
    PacketQueue packets = unresolved.end(asked);
    for (Packet packet = packets.sendFirst(out); packet != null; packet = packets.sendFirst(out)) {
      address(packet, mac);
    }
    return at != NeighborTable.NONE;
  }

  /** What other workers have heard. Nobody is taken up who is not asked for here. */
  private final class CatchUp implements Round {
    @Override
    public int run() {
      if (!news.isNew(reader)) {
        return 0;
      }
      while (news.next(reader)) {
        learn(reader.high, reader.low, reader.mac, reader.isAnswer, reader.replaces, false);
      }
      return 1;
    }

    /** Without packets that wait for an address, news can wait for the next packet. */
    @Override
    public long restNs(Runnable wake) {
      return unresolved.table().size() > 0 ? Round.super.restNs(wake) : Long.MAX_VALUE;
    }
  }

  // --- time ---

  /** Forgets what is too old, in the next part of the table. */
  private void sweep() {
    long now = wiring.nowNs();
    for (int i = Math.ceilDiv(table.slots(), PARTS); i > 0; i--) {
      int at = table.entry(sweptTo);
      sweptTo = sweptTo + 1 == table.slots() ? 0 : sweptTo + 1;
      if (at != NeighborTable.NONE
          && table.state(at) == NeighborTable.RESOLVED
          && now - table.confirmedNs(at) >= limits.timeoutNs()) {
        table.remove(at);
        forgotten++;
      }
    }
  }

  // --- values ---

  /** Keeps an address for good. Returns false if there is no room. */
  boolean keep(long high, long low, long mac) {
    int asked = unresolved.find(high, low);
    if (asked != NeighborTable.NONE) {
      return resolve(asked, NeighborTable.PERMANENT, mac, true);
    }
    int known = table.find(high, low);
    int at = known == NeighborTable.NONE ? place(high, low, NeighborTable.PERMANENT) : known;
    if (at == NeighborTable.NONE) {
      return false;
    }
    table.resolve(at, NeighborTable.PERMANENT, mac);
    return true;
  }

  NeighborTable known() {
    return table;
  }

  UnresolvedNeighbors unresolved() {
    return unresolved;
  }

  /** Forgets an entry. */
  void forget(int at) {
    if (at != NeighborTable.NONE) {
      table.remove(at);
    }
  }

  /** What is known of an entry. */
  String state(int at) {
    String mac = MacAddress.format(table.mac(at));
    return table.state(at) == NeighborTable.PERMANENT
        ? mac + " permanent"
        : mac + (isOld(at) ? " stale" : " reachable");
  }
}
