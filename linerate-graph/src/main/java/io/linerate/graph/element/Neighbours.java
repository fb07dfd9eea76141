package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ethernet;
import io.linerate.wire.MacAddress;

/**
 * The neighbours on a link, on one worker: who they are, who is asked for, and the packets that
 * wait meanwhile. The states are those of RFC 4861, section 7.3.2, without DELAY: nothing here
 * hears of the upper layers' progress, so an old address is asked for when it is used next.
 */
final class Neighbours {
  static final DropReason UNRESOLVED = DropReason.named("unresolved");
  static final DropReason UNRESOLVED_FULL = DropReason.named("unresolved_full");
  static final DropReason NEIGHBOUR_FULL = DropReason.named("neighbour_full");

  /** For {@link #hear}: the message had no MAC address. */
  static final long NO_MAC = -1;

  /** RFC 4861, section 10, which RFC 1122, section 2.3.2.1, agrees with for ARP. */
  private static final int MAX_QUESTIONS = 3;

  private static final long RETRY_NS = 1_000_000_000L;

  /** Questions are late by a tenth at most. */
  private static final long LOOK_NS = RETRY_NS / 10;

  /** For a neighbour that could not be asked so often, because of the rate or of buffers. */
  private static final long PATIENCE_NS = 2 * MAX_QUESTIONS * RETRY_NS;

  /** Addresses are forgotten late by a tenth at most: so often is a part of the table looked at. */
  private static final int SWEEPS = 1_000;

  private static final int PARTS = SWEEPS / 10;

  /** Whoever floods the link with messages does not keep the workers talking to each other. */
  private static final long MAX_NEWS_PER_SECOND = 10_000;

  private final NeighbourLimits limits;
  private final NeighbourProtocol protocol;
  private final Wiring wiring;
  private final Outlet out;
  private final Outlet unreachable;
  private final long ownMac;
  private final NeighbourTable table;
  private final HeldPackets held;
  private final TokenBucket bucket;
  private final NeighbourNews news;
  private final NeighbourNews.Reader reader;
  private final TokenBucket newsBucket =
      new TokenBucket(MAX_NEWS_PER_SECOND, MAX_NEWS_PER_SECOND / 10);
  private final Ethernet ethernet = new Ethernet();
  private int sweptTo;
  private long queries;
  private long forgotten;

  Neighbours(Wiring wiring, NeighbourLimits limits, long ownMac, NeighbourProtocol protocol) {
    this.wiring = wiring;
    this.limits = limits;
    this.ownMac = ownMac;
    this.protocol = protocol;
    out = wiring.output("out");
    unreachable = wiring.output("unreachable", UNRESOLVED);
    table = new NeighbourTable(limits.neighbours());
    held = new HeldPackets(wiring, limits.unresolved(), limits.held());
    bucket =
        new TokenBucket(limits.queriesPerSecond(), Math.max(1, limits.queriesPerSecond() / 10));
    news = wiring.shared(NeighbourNews::new);
    reader = news.join();
    wiring.onClose(news::leave);
    wiring.onRound(this::catchUp);
    wiring.every(LOOK_NS, this::look);
    wiring.every(limits.timeoutNs() / SWEEPS, this::sweep);
    values();
  }

  private void values() {
    wiring.count("count", () -> table.size() - held.used());
    wiring.count("unresolved", held::used);
    wiring.count("queries", () -> queries);
    wiring.count("forgotten", () -> forgotten);
    new NeighbourTexts(this, table, protocol).register(wiring);
  }

  // --- packets ---

  /**
   * Writes the addresses of a packet to a neighbour.
   *
   * @return false if it waits or was dropped
   */
  boolean address(Packet packet, long high, long low) {
    int at = table.find(high, low);
    if (at != NeighbourTable.NONE && !table.isIncomplete(at)) {
      table.used(at, wiring.nowNs());
      if (!isOld(at) || refresh(at)) {
        address(packet, table.mac(at));
        return true;
      }
      table.remove(at);
      at = NeighbourTable.NONE;
    }
    await(packet, at == NeighbourTable.NONE ? begin(high, low) : at);
    return false;
  }

  /** Writes the addresses of a packet. */
  void address(Packet packet, long mac) {
    ethernet.wrap(packet, 0).destination(mac).source(ownMac);
  }

  /** Ends a packet that has no next hop. */
  void drop(Packet packet, DropReason reason) {
    if (unreachable.isConnected()) {
      unreachable.send(packet);
    } else {
      packet.drop(reason);
    }
  }

  private boolean isOld(int at) {
    return table.state(at) == NeighbourTable.RESOLVED
        && wiring.nowNs() - table.confirmedNs(at) >= limits.refreshNs();
  }

  /** Asks the neighbour itself. Returns false if it has not answered so often that it is gone. */
  private boolean refresh(int at) {
    if (table.questions(at) > 0 && wiring.nowNs() - table.askedNs(at) < RETRY_NS) {
      return true;
    }
    if (table.questions(at) >= MAX_QUESTIONS) {
      return false;
    }
    ask(at, table.mac(at));
    return true;
  }

  private void await(Packet packet, int at) {
    if (at == NeighbourTable.NONE) {
      packet.drop(UNRESOLVED_FULL);
    } else {
      held.add((int) table.mac(at), packet, NEIGHBOUR_FULL);
    }
  }

  private int begin(long high, long low) {
    if (!held.isRoom()) {
      return NeighbourTable.NONE;
    }
    int at = place(high, low, NeighbourTable.INCOMPLETE);
    if (at != NeighbourTable.NONE) {
      table.mac(at, held.open(at));
      ask(at, NeighbourProtocol.ANYBODY);
    }
    return at;
  }

  /** A new entry; the one that was used the longest ago goes if there is no room. */
  private int place(long high, long low, int state) {
    int at = table.add(high, low, state, wiring.nowNs());
    int oldest = at == NeighbourTable.NONE ? table.oldest(high, low) : NeighbourTable.NONE;
    if (oldest == NeighbourTable.NONE) {
      return at;
    }
    table.remove(oldest);
    forgotten++;
    return table.add(high, low, state, wiring.nowNs());
  }

  private void ask(int at, long mac) {
    bucket.fill(wiring.nowNs());
    if (bucket.take(1) && protocol.ask(table.high(at), table.low(at), mac)) {
      table.asked(at, wiring.nowNs());
      queries++;
    }
  }

  // --- messages ---

  /**
   * A neighbour, or somebody for it, has said what its MAC address is: RFC 4861, section 7.2.5.
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
    int at = table.find(high, low);
    if (at == NeighbourTable.NONE) {
      at = isNewcomer && mac != NO_MAC ? newcomer(high, low, mac) : NeighbourTable.NONE;
      if (at == NeighbourTable.NONE) {
        return;
      }
    }
    switch (table.state(at)) {
      case NeighbourTable.INCOMPLETE -> {
        if (mac != NO_MAC) {
          resolve(at, NeighbourTable.RESOLVED, mac);
          confirm(at, isAnswer);
        }
      }
      case NeighbourTable.RESOLVED -> {
        boolean isOther = mac != NO_MAC && mac != table.mac(at);
        if (isOther && replaces) {
          table.mac(at, mac);
        }
        if (isOther || isAnswer) {
          confirm(at, isAnswer && (replaces || !isOther));
        }
      }
      default -> {
        // Who was added by hand stays.
      }
    }
  }

  private int newcomer(long high, long low, long mac) {
    int at = table.add(high, low, NeighbourTable.RESOLVED, wiring.nowNs());
    if (at != NeighbourTable.NONE) {
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

  private void resolve(int at, int state, long mac) {
    PacketQueue packets = held.close((int) table.mac(at));
    table.resolve(at, state, mac);
    table.confirm(at, wiring.nowNs());
    for (Packet packet = packets.sendFirst(out); packet != null; packet = packets.sendFirst(out)) {
      address(packet, mac);
    }
  }

  /** What other workers have heard. Nobody is taken up who is not asked for here. */
  private int catchUp() {
    if (!news.isNew(reader)) {
      return 0;
    }
    while (news.next(reader)) {
      learn(reader.high, reader.low, reader.mac, reader.isAnswer, reader.replaces, false);
    }
    return 1;
  }

  // --- time ---

  /** Asks again, or gives up. */
  private void look() {
    long now = wiring.nowNs();
    for (int queue = 0; queue < held.queues(); queue++) {
      int at = held.entry(queue);
      if (at != HeldPackets.NONE) {
        long questions = table.questions(at);
        boolean isDue = questions == 0 || now - table.askedNs(at) >= RETRY_NS;
        if ((isDue && questions >= MAX_QUESTIONS) || now - table.confirmedNs(at) >= PATIENCE_NS) {
          giveUp(at);
        } else if (isDue) {
          ask(at, NeighbourProtocol.ANYBODY);
        }
      }
    }
  }

  private void giveUp(int at) {
    PacketQueue packets = held.close((int) table.mac(at));
    table.remove(at);
    packets.sendTo(unreachable, Integer.MAX_VALUE);
  }

  /** Forgets what is too old, in the next part of the table. */
  private void sweep() {
    long now = wiring.nowNs();
    for (int i = Math.ceilDiv(table.slots(), PARTS); i > 0; i--) {
      int at = table.entry(sweptTo);
      sweptTo = sweptTo + 1 == table.slots() ? 0 : sweptTo + 1;
      if (at != NeighbourTable.NONE
          && table.state(at) == NeighbourTable.RESOLVED
          && now - table.confirmedNs(at) >= limits.timeoutNs()) {
        table.remove(at);
        forgotten++;
      }
    }
  }

  // --- values ---

  /** Keeps an address for good. Returns false if there is no room. */
  boolean keep(long high, long low, long mac) {
    int known = table.find(high, low);
    int at = known == NeighbourTable.NONE ? place(high, low, NeighbourTable.PERMANENT) : known;
    if (at == NeighbourTable.NONE) {
      return false;
    }
    if (table.isIncomplete(at)) {
      resolve(at, NeighbourTable.PERMANENT, mac);
    } else {
      table.resolve(at, NeighbourTable.PERMANENT, mac);
    }
    return true;
  }

  /** Forgets an entry, unless it is asked for: packets wait for it. */
  void forget(int at) {
    if (at != NeighbourTable.NONE && !table.isIncomplete(at)) {
      table.remove(at);
    }
  }

  /** What is known of an entry. */
  String state(int at) {
    if (table.isIncomplete(at)) {
      return "unresolved held=" + held.size((int) table.mac(at));
    }
    String mac = MacAddress.format(table.mac(at));
    return table.state(at) == NeighbourTable.PERMANENT
        ? mac + " permanent"
        : mac + (isOld(at) ? " stale" : " reachable");
  }
}
