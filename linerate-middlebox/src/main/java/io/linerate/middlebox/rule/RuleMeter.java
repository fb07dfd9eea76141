package io.linerate.middlebox.rule;

import io.linerate.wire.FlowKey;
import io.linerate.wire.Ipv6;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Says which packets are within a {@link RuleLimit}, for all workers together: the generic cell
 * rate algorithm (ITU-T I.371, annex A), one number that says until when packets were let pass
 * ahead of their time. Any thread; 0 B of heap a packet.
 *
 * <p>Where hosts are counted each for itself, up to {@value #HOSTS} are known. Beyond, the one that
 * has least ahead of its time is forgotten for a new one, and begins anew when it comes back.
 */
public final class RuleMeter {
  /** Hosts that are known at once. */
  public static final int HOSTS = 65_536;

  /** Places among which a host has one. */
  private static final int WAYS = 8;

  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  /** Times are in parts of a nanosecond, so that high rates are exact to 1 in 1,000. */
  private static final int PARTS_BITS = 6;

  private final RuleLimit.Of of;
  private final long seed;
  private final long interval;
  private final long tolerance;
  private final long startNs;

  /** When the next packet would come if all came in time: of each host, or of all. */
  private final AtomicLongArray due;

  /** Hashes of the hosts; 0: none. */
  private final AtomicLongArray hosts;

  /**
   * @param seed of the hash of hosts: nobody is to guess it who could choose hosts by it
   * @param nowNs the time now, of the clock that {@link #allows} has
   */
  public RuleMeter(RuleLimit limit, long seed, long nowNs) {
    of = limit.of();
    this.seed = seed;
    double each = (double) limit.per().toNanos() * (1 << PARTS_BITS) / limit.packets();
    interval = Math.max(1, Math.round(each));
    tolerance = (long) (each * (limit.burst() - 1));
    startNs = nowNs;
    int places = of == RuleLimit.Of.ALL ? 1 : HOSTS;
    due = new AtomicLongArray(places);
    hosts = new AtomicLongArray(places);
  }

  /** Whether {@link #allows} looks at the addresses of packets. */
  public boolean isOfHosts() {
    return of != RuleLimit.Of.ALL;
  }

  /**
   * Whether one more packet is within the limit; it is counted then.
   *
   * @param flow has the addresses of the packet, if these are looked at; nobody's are those of what
   *     is not IP
   */
  public boolean allows(FlowKey flow, long nowNs) {
    long now = (nowNs - startNs) << PARTS_BITS;
    int place =
        switch (of) {
          case ALL -> 0;
          case SOURCE -> place(flow.ipVersion(), flow.sourceHigh(), flow.sourceLow(), now);
          case DESTINATION ->
              place(flow.ipVersion(), flow.destinationHigh(), flow.destinationLow(), now);
        };
    while (true) {
      long before = due.get(place);
      if (before - now > tolerance) {
        return false;
      }
      if (due.compareAndSet(place, before, Math.max(before, now) + interval)) {
        return true;
      }
    }
  }

  private int place(int version, long high, long low, long now) {
    long hash = hash(version, version == Ipv6.VERSION ? high : low);
    int first = (int) (hash >>> Integer.SIZE) & (HOSTS - WAYS);
    while (true) {
      int least = first;
      for (int i = first; i < first + WAYS; i++) {
        if (hosts.get(i) == hash) {
          return i;
        }
        if (due.get(i) < due.get(least)) {
          least = i;
        }
      }
      long other = hosts.get(least);
      if (hosts.compareAndSet(least, other, hash)) {
        due.set(least, now);
        return least;
      }
    }
  }

  private long hash(int version, long address) {
    long mixed = (address ^ seed ^ version) * MULTIPLIER;
    mixed = (mixed ^ (mixed >>> Integer.SIZE) ^ Long.rotateLeft(seed, 17)) * MULTIPLIER;
    return (mixed ^ (mixed >>> Integer.SIZE)) | 1;
  }
}
