package io.linerate.middlebox.nat;

import io.linerate.middlebox.session.LongIntMap;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Hosts inside that have mappings, and how many: each is a number, as long as it has some.
 * Addresses have 128 bits; those of IPv4 are written as RFC 4291, section 2.5.5.2 has them. It
 * allocates nothing once it is made. One thread's own.
 */
final class HostTable {
  /** No such host. */
  static final int NONE = LongIntMap.NONE;

  private static final long IPV4 = 0xFFFF_0000_0000L;

  private final LongIntMap byKey;
  private final long firstSecret;
  private final long secondSecret;

  // By host.
  private final long[] high;
  private final long[] low;
  private final int[] mappings;

  /** The next host of the same key: 64 bits tell most, not all of them apart. */
  private final int[] next;

  private final int[] free;
  private int freeCount;

  HostTable(int capacity, SplittableRandom random) {
    byKey = new LongIntMap(capacity, random.nextLong());
    firstSecret = random.nextLong();
    secondSecret = random.nextLong();
    high = new long[capacity];
    low = new long[capacity];
    mappings = new int[capacity];
    next = new int[capacity];
    free = new int[capacity];
    Arrays.setAll(free, i -> capacity - 1 - i);
    freeCount = capacity;
  }

  /** Bytes 8 to 15 of an address of IPv4; the others are 0. */
  static long ipv4(int address) {
    return IPV4 | Integer.toUnsignedLong(address);
  }

  static boolean isIpv4(long high, long low) {
    return high == 0 && low >>> Integer.SIZE == IPV4 >>> Integer.SIZE;
  }

  /** Never 0, which is no key. */
  private long key(long hostHigh, long hostLow) {
    long a = hostHigh ^ firstSecret;
    long b = hostLow ^ secondSecret;
    return (a * b ^ Math.unsignedMultiplyHigh(a, b)) | 1;
  }

  /** The host of an address, or {@link #NONE}. */
  int find(long hostHigh, long hostLow) {
    int host = byKey.get(key(hostHigh, hostLow));
    while (host != NONE && (high[host] != hostHigh || low[host] != hostLow)) {
      host = next[host];
    }
    return host;
  }

  /** A mapping more of an address; the host is made if need be, and there is room for it. */
  int begin(long hostHigh, long hostLow) {
    int host = find(hostHigh, hostLow);
    if (host == NONE) {
      long key = key(hostHigh, hostLow);
      host = free[--freeCount];
      high[host] = hostHigh;
      low[host] = hostLow;
      mappings[host] = 0;
      next[host] = byKey.get(key);
      byKey.put(key, host);
    }
    mappings[host]++;
    return host;
  }

  /** A mapping less; without any the host goes. */
  void end(int host) {
    if (--mappings[host] > 0) {
      return;
    }
    long key = key(high[host], low[host]);
    int first = byKey.get(key);
    if (first != host) {
      int before = first;
      while (next[before] != host) {
        before = next[before];
      }
      next[before] = next[host];
    } else if (next[host] == NONE) {
      byKey.remove(key);
    } else {
      byKey.put(key, next[host]);
    }
    free[freeCount++] = host;
  }

  int mappings(int host) {
    return mappings[host];
  }

  long high(int host) {
    return high[host];
  }

  long low(int host) {
    return low[host];
  }

  /** As people read it, with brackets where a port is to follow an address of IPv6. */
  String text(int host) {
    return isIpv4(high[host], low[host])
        ? Ipv4Address.format((int) low[host])
        : "[" + Ipv6Address.format(high[host], low[host]) + "]";
  }
}
