package io.linerate.middlebox.nat;

import io.linerate.middlebox.session.LongIntMap;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The mappings of one worker: which port outside an address and port inside has, whoever they talk
 * to (RFC 4787, REQ-1). A mapping is there as long as it has sessions, or is a forward. It
 * allocates nothing once it is made, unless it is logged. One thread's own.
 */
final class MappingTable {
  /** No mapping. */
  static final int NONE = -1;

  /** Why there is no mapping for a new session. */
  static final int NO_PORT = -2;

  /** Likewise: the host has as many as it may have. */
  static final int NO_SHARE = -3;

  private static final System.Logger LOG = System.getLogger(MappingTable.class.getName());
  private static final int PORTS = 65_536;

  private final NatPlan plan;
  private final PortPool ports;
  private final int mostPorts;
  private final boolean isLogged;

  private final LongIntMap byInside;
  private final HostTable hosts;

  /** By mapping and address to which something was sent: how many sessions. */
  private final LongIntMap peers;

  /** By pool and port: the mapping, and one more. */
  private final int[][] byOutside;

  // By mapping.
  private final int[] host;
  private final char[] insidePort;
  private final int[] pool;
  private final char[] outsidePort;
  private final int[] sessions;
  private final boolean[] isForward;

  private final int[] free;
  private int freeCount;

  MappingTable(NatPlan plan, int worker, long seed) {
    NatSettings settings = plan.settings();
    SplittableRandom random = new SplittableRandom(seed);
    this.plan = plan;
    mostPorts = Math.ceilDiv(settings.mostPorts(), settings.workers());
    isLogged = settings.isLogged();
    ports = new PortPool(plan, worker, random.nextLong());
    // One session begins before another goes to make room for it.
    int sessionsAtMost = settings.connections() + 1;
    int capacity = sessionsAtMost + settings.forwards().size();
    byInside = new LongIntMap(capacity, random.nextLong());
    hosts = new HostTable(capacity, random);
    peers = new LongIntMap(sessionsAtMost, random.nextLong());
    byOutside = new int[plan.pools()][PORTS];
    host = new int[capacity];
    insidePort = new char[capacity];
    pool = new int[capacity];
    outsidePort = new char[capacity];
    sessions = new int[capacity];
    isForward = new boolean[capacity];
    free = new int[capacity];
    Arrays.setAll(free, i -> capacity - 1 - i);
    freeCount = capacity;
    for (NatForward forward : settings.forwards()) {
      if (plan.workerOf(forward.insidePort()) == worker) {
        int kind = NatPlan.kind(forward.protocol());
        int to = NatPlan.pool(plan.indexOf(forward.outside()), kind);
        long low = HostTable.ipv4(forward.inside());
        int mapping = enter(0, low, forward.insidePort(), to, forward.outsidePort());
        isForward[mapping] = true;
      }
    }
  }

  private static long key(int kind, int someHost, int port) {
    return ((long) (kind + 1) << 48) | ((long) someHost << 16) | port;
  }

  private static long peer(int mapping, int remote) {
    return ((long) (mapping + 1) << 32) | Integer.toUnsignedLong(remote);
  }

  /** How many there are. */
  int size() {
    return free.length - freeCount;
  }

  /**
   * The mapping of a port inside, or {@link #NONE}.
   *
   * @param high bytes 0 to 7 of the address, as {@link HostTable} has it
   * @param low bytes 8 to 15
   */
  int ofInside(int kind, long high, long low, int port) {
    int known = hosts.find(high, low);
    return known == HostTable.NONE ? NONE : byInside.get(key(kind, known, port));
  }

  /** The mapping of a port outside, or {@link #NONE}. */
  int ofOutside(int somePool, int port) {
    return byOutside[somePool][port] - 1;
  }

  /**
   * Makes a mapping for a port inside that has none.
   *
   * @return its number, {@link #NO_PORT} or {@link #NO_SHARE}
   */
  int add(int kind, long high, long low, int port, long nowNs) {
    int known = hosts.find(high, low);
    if (known != HostTable.NONE && hosts.mappings(known) >= mostPorts) {
      return NO_SHARE;
    }
    int to = NatPlan.pool(plan.indexFor(NatPlan.number(high, low)), kind);
    int taken = freeCount == 0 ? PortPool.NONE : ports.take(to, port, nowNs);
    if (taken == PortPool.NONE) {
      return NO_PORT;
    }
    int mapping = enter(high, low, port, to, taken);
    if (isLogged) {
      log("mapping made", mapping);
    }
    return mapping;
  }

  /**
   * The mapping that another program had: the one that is there, or a new one if the port outside
   * is free; {@link #NONE} if neither is so.
   */
  int restore(int kind, long high, long low, int port, int to, int toPort) {
    int known = ofInside(kind, high, low, port);
    int other = ofOutside(to, toPort);
    if (known != NONE || other != NONE) {
      return known == other ? known : NONE;
    }
    return freeCount == 0 || !ports.takeThis(to, toPort)
        ? NONE
        : enter(high, low, port, to, toPort);
  }

  private int enter(long high, long low, int port, int to, int toPort) {
    int mapping = free[--freeCount];
    host[mapping] = hosts.begin(high, low);
    insidePort[mapping] = (char) port;
    pool[mapping] = to;
    outsidePort[mapping] = (char) toPort;
    sessions[mapping] = 0;
    byInside.put(key(NatPlan.kind(NatPlan.protocol(to)), host[mapping], port), mapping);
    byOutside[to][toPort] = mapping + 1;
    return mapping;
  }

  /** A session more, with an address outside. */
  void begin(int mapping, int remote) {
    sessions[mapping]++;
    long peer = peer(mapping, remote);
    peers.put(peer, Math.max(0, peers.get(peer)) + 1);
  }

  /** Whether a session is there with an address outside. */
  boolean hasPeer(int mapping, int remote) {
    return peers.get(peer(mapping, remote)) != LongIntMap.NONE;
  }

  /** A session less; without any the mapping goes. */
  void end(int mapping, int remote, long nowNs) {
    long peer = peer(mapping, remote);
    int left = peers.get(peer) - 1;
    if (left > 0) {
      peers.put(peer, left);
    } else {
      peers.remove(peer);
    }
    sessions[mapping]--;
    removeIfUnused(mapping, nowNs);
  }

  /** Removes a mapping that has no sessions. */
  void removeIfUnused(int mapping, long nowNs) {
    if (sessions[mapping] > 0 || isForward[mapping]) {
      return;
    }
    if (isLogged) {
      log("mapping gone", mapping);
    }
    int from = pool[mapping];
    byInside.remove(key(NatPlan.kind(NatPlan.protocol(from)), host[mapping], insidePort[mapping]));
    byOutside[from][outsidePort[mapping]] = 0;
    ports.release(from, outsidePort[mapping], NatPlan.rests(from), nowNs);
    hosts.end(host[mapping]);
    free[freeCount++] = mapping;
  }

  /** Whether it is there for good, and open to all. */
  boolean isForward(int mapping) {
    return isForward[mapping];
  }

  boolean isIpv4(int mapping) {
    return HostTable.isIpv4(hosts.high(host[mapping]), hosts.low(host[mapping]));
  }

  /** Bytes 0 to 7 of the address inside; 0 for IPv4. */
  long insideHigh(int mapping) {
    return hosts.high(host[mapping]);
  }

  /** Bytes 8 to 15 of the address inside; the lower 32 bits are that of IPv4. */
  long insideLow(int mapping) {
    return hosts.low(host[mapping]);
  }

  int insidePort(int mapping) {
    return insidePort[mapping];
  }

  int outside(int mapping) {
    return plan.address(NatPlan.indexOfPool(pool[mapping]));
  }

  int outsidePort(int mapping) {
    return outsidePort[mapping];
  }

  private void log(String what, int mapping) {
    LOG.log(
        Level.INFO,
        "{0}: inside={1}:{2}, outside={3}",
        what,
        hosts.text(host[mapping]),
        String.valueOf((int) insidePort[mapping]),
        plan.text(pool[mapping], outsidePort[mapping]));
  }

  /** A line each, for people: inside, outside, sessions. */
  String text(int most) {
    StringBuilder text = new StringBuilder();
    int shown = 0;
    for (int[] somePool : byOutside) {
      for (int i = 0; i < somePool.length && shown < most; i++) {
        int mapping = somePool[i];
        if (mapping > 0) {
          shown++;
          text.append(
              "%s:%d %s %d%n"
                  .formatted(
                      hosts.text(host[mapping - 1]),
                      (int) insidePort[mapping - 1],
                      plan.text(pool[mapping - 1], outsidePort[mapping - 1]),
                      sessions[mapping - 1]));
        }
      }
    }
    return text.toString();
  }
}
