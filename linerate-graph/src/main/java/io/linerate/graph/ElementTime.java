package io.linerate.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What an element has taken of its worker's time, by those bursts that were timed: each stands for
 * all that came since the one before, so that these are estimates of what there was. One thread
 * writes, any may read.
 */
final class ElementTime {
  private static final VarHandle BURSTS;
  private static final VarHandle PACKETS;
  private static final VarHandle NS;

  static {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      BURSTS = lookup.findVarHandle(ElementTime.class, "bursts", long.class);
      PACKETS = lookup.findVarHandle(ElementTime.class, "packets", long.class);
      NS = lookup.findVarHandle(ElementTime.class, "ns", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long bursts;
  private long packets;
  private long ns;

  // Of what is being timed, until that has ended: whether it counts, and as what, is known then.
  private int newBursts;
  private int newPackets;
  private long newNs;

  /** A burst came; returns whether it is the first of what is being timed. */
  boolean came(int packetsOfBurst) {
    boolean isFirst = newBursts == 0 && newNs == 0;
    newBursts += packetsOfBurst > 0 ? 1 : 0;
    newPackets += packetsOfBurst;
    return isFirst;
  }

  void took(long moreNs) {
    newNs += moreNs;
  }

  /** What was timed has ended. */
  void count(long weight, double nsWeight) {
    BURSTS.setOpaque(this, bursts + weight * newBursts);
    PACKETS.setOpaque(this, packets + weight * newPackets);
    NS.setOpaque(this, ns + Math.round(nsWeight * newNs));
    newBursts = 0;
    newPackets = 0;
    newNs = 0;
  }

  long bursts() {
    return (long) BURSTS.getOpaque(this);
  }

  long packets() {
    return (long) PACKETS.getOpaque(this);
  }

  long ns() {
    return (long) NS.getOpaque(this);
  }
}
