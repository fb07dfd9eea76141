package io.linerate.middlebox.nat;

import io.linerate.wire.FlowKey;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6;
import java.util.HashMap;
import java.util.Map;

/**
 * Which worker looks after what, of a {@link NatSettings}. Immutable.
 *
 * <p>A pool has the ports of one outside address and one kind: TCP, UDP, or identifiers of ICMP.
 */
final class NatPlan {
  /** No such pool, address or kind. */
  static final int NONE = -1;

  private static final int TCP = 0;
  private static final int UDP = 1;
  private static final int ICMP = 2;
  private static final int KINDS = 3;

  private final NatSettings settings;
  private final int[] addresses;
  private final Map<Long, NatForward> forwards = new HashMap<>();

  /** By pool and port the worker that has a forwarded one; null without forwards. */
  private final byte[][] forwarded;

  NatPlan(NatSettings settings) {
    this.settings = settings;
    addresses = settings.addresses();
    forwarded = new byte[pools()][];
    for (NatForward forward : settings.forwards()) {
      int pool = pool(indexOf(forward.outside()), kind(forward.protocol()));
      forwards.put(key(pool, forward.outsidePort()), forward);
      if (forwarded[pool] == null) {
        forwarded[pool] = new byte[1 << 16];
      }
      forwarded[pool][forward.outsidePort()] = (byte) (settings.ownerOf(forward.insidePort()) + 1);
    }
  }

  private static long key(int pool, int port) {
    return ((long) pool << 16) | port;
  }

  NatSettings settings() {
    return settings;
  }

  int pools() {
    return addresses.length * KINDS;
  }

  /** The place of an outside address; {@link #NONE} if it is none. */
  int indexOf(int address) {
    for (int i = 0; i < addresses.length; i++) {
      if (addresses[i] == address) {
        return i;
      }
    }
    return NONE;
  }

  boolean isOutside(int address) {
    return indexOf(address) != NONE;
  }

  /**
   * The number of a host inside, by which its outside address is chosen: its own, if that is of
   * IPv4.
   *
   * @param high bytes 0 to 7 of its address
   * @param low bytes 8 to 15
   */
  static int number(long high, long low) {
    if (high == 0) {
      return (int) low;
    }
    long mixed = (high * 0x9E37_79B9_7F4A_7C15L ^ low) * 0xBF58_476D_1CE4_E5B9L;
    return (int) (mixed >>> Integer.SIZE);
  }

  /**
   * The outside address of a host inside: always the same.
   *
   * @param host {@link #number}
   */
  int indexFor(int host) {
    return Math.floorMod((host * 0x9E37_79B9) >>> 8, addresses.length);
  }

  int address(int index) {
    return addresses[index];
  }

  /** What has ports of its own; {@link #NONE} for all others. */
  static int kind(int protocol) {
    return switch (protocol) {
      case IpProtocol.TCP -> TCP;
      case IpProtocol.UDP -> UDP;
      case IpProtocol.ICMP -> ICMP;
      default -> NONE;
    };
  }

  /** As {@link #kind(int)}, of a flow: each version has its own ICMP. */
  static int kind(FlowKey flow) {
    if (flow.ipVersion() == Ipv6.VERSION) {
      return switch (flow.protocol()) {
        case IpProtocol.ICMP -> NONE;
        case IpProtocol.ICMPV6 -> ICMP;
        default -> kind(flow.protocol());
      };
    }
    return kind(flow.protocol());
  }

  /** The protocol of a pool. */
  static int protocol(int pool) {
    return switch (pool % KINDS) {
      case TCP -> IpProtocol.TCP;
      case UDP -> IpProtocol.UDP;
      default -> IpProtocol.ICMP;
    };
  }

  static int pool(int addressIndex, int kind) {
    return addressIndex * KINDS + kind;
  }

  /** Place of the address that a pool is of. */
  static int indexOfPool(int pool) {
    return pool / KINDS;
  }

  /** Whether ports of a pool rest before others have them: TCP says itself when it is over. */
  static boolean rests(int pool) {
    return pool % KINDS != TCP;
  }

  /** Whether a worker may give a port to mappings. */
  boolean isFree(int pool, int port, int worker) {
    boolean isInRange =
        pool % KINDS == ICMP
            || (settings.ports().first() <= port && port <= settings.ports().last());
    return isInRange && settings.ownerOf(port) == worker && !forwards.containsKey(key(pool, port));
  }

  /** The worker that looks after a port outside. */
  int workerOf(int pool, int port) {
    byte[] some = forwarded[pool];
    int known = some == null ? 0 : some[port];
    return known > 0 ? known - 1 : settings.ownerOf(port);
  }

  /** The worker that looks after a port inside. */
  int workerOf(int port) {
    return settings.ownerOf(port);
  }

  /** As people read it. */
  String text(int pool, int port) {
    return IpProtocol.name(protocol(pool))
        + " "
        + Ipv4Address.format(address(indexOfPool(pool)))
        + ":"
        + port;
  }
}
