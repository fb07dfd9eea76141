package io.linerate.graph.element;

import io.linerate.wire.FlowKey;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Flows in one array: eight words for each, and eight flows to which a hash may lead. So a flow is
 * found in one cache line when its place is the first, and nothing has to move when one goes.
 *
 * <pre>
 *   source high, source low, destination high, destination low, kind, packets, bytes, last
 * </pre>
 */
final class FlowStore {
  private static final int WORDS = 8;
  private static final int WAYS = 8;
  private static final int SOURCE_LOW = 1;
  private static final int DESTINATION_HIGH = 2;
  private static final int DESTINATION_LOW = 3;

  /** IP version, protocol, ports. */
  private static final int KIND = 4;

  /** 0: nobody is here. */
  private static final int PACKETS = 5;

  private static final int BYTES = 6;
  private static final int LAST_NS = 7;

  private final long[] words;
  private final long setMask;
  private final long idleNs;
  private int size;
  private int sweptTo;
  private long forgotten;

  FlowStore(int capacity, long idleNs) {
    this.idleNs = idleNs;
    int slots = Math.max(WAYS, Integer.highestOneBit(capacity - 1) << 1);
    words = new long[slots * WORDS];
    setMask = slots / WAYS - 1L;
  }

  long size() {
    return size;
  }

  long forgotten() {
    return forgotten;
  }

  /** Counts a packet. Returns false if it is of a new flow that has no room. */
  boolean add(FlowKey key, int lengthBytes, long nowNs) {
    long kind = kind(key);
    int first = (int) (key.hash() & setMask) * WAYS * WORDS;
    int free = -1;
    for (int at = first; at < first + WAYS * WORDS; at += WORDS) {
      if (words[at + PACKETS] == 0) {
        free = free < 0 ? at : free;
      } else if (isOf(at, key, kind)) {
        count(at, lengthBytes, nowNs);
        return true;
      }
    }
    if (free < 0) {
      return false;
    }
    words[free] = key.sourceHigh();
    words[free + SOURCE_LOW] = key.sourceLow();
    words[free + DESTINATION_HIGH] = key.destinationHigh();
    words[free + DESTINATION_LOW] = key.destinationLow();
    words[free + KIND] = kind;
    size++;
    count(free, lengthBytes, nowNs);
    return true;
  }

  private static long kind(FlowKey key) {
    return (long) key.ipVersion() << 40
        | (long) key.protocol() << 32
        | (long) key.sourcePort() << 16
        | key.destinationPort();
  }

  private boolean isOf(int at, FlowKey key, long kind) {
    return words[at + KIND] == kind
        && words[at] == key.sourceHigh()
        && words[at + SOURCE_LOW] == key.sourceLow()
        && words[at + DESTINATION_HIGH] == key.destinationHigh()
        && words[at + DESTINATION_LOW] == key.destinationLow();
  }

  private void count(int at, int lengthBytes, long nowNs) {
    words[at + PACKETS]++;
    words[at + BYTES] += lengthBytes;
    words[at + LAST_NS] = nowNs;
  }

  /** Forgets the idle flows of the next part of {@code parts}. */
  void sweep(long nowNs, int parts) {
    int slots = words.length / WORDS;
    for (int i = Math.ceilDiv(slots, parts); i > 0; i--) {
      int at = sweptTo * WORDS;
      sweptTo = sweptTo + 1 == slots ? 0 : sweptTo + 1;
      if (words[at + PACKETS] != 0 && nowNs - words[at + LAST_NS] >= idleNs) {
        Arrays.fill(words, at, at + WORDS, 0);
        size--;
        forgotten++;
      }
    }
  }

  /** The flows of most bytes, one in a line. */
  String top(int count) {
    PriorityQueue<Integer> largest =
        new PriorityQueue<>(Comparator.comparingLong(at -> words[at + BYTES]));
    for (int at = 0; at < words.length; at += WORDS) {
      if (words[at + PACKETS] != 0) {
        largest.add(at);
        if (largest.size() > count) {
          largest.remove();
        }
      }
    }
    return largest.stream()
        .sorted(Comparator.comparingLong((Integer at) -> words[at + BYTES]).reversed())
        .map(this::text)
        .collect(Collectors.joining("\n"));
  }

  private String text(int at) {
    long kind = words[at + KIND];
    boolean isIpv4 = kind >>> 40 == Ipv4.VERSION;
    return "%s %s > %s packets=%d bytes=%d"
        .formatted(
            IpProtocol.name((int) (kind >>> 32) & 0xFF),
            end(isIpv4, words[at], words[at + SOURCE_LOW], (int) (kind >>> 16) & 0xFFFF),
            end(
                isIpv4,
                words[at + DESTINATION_HIGH],
                words[at + DESTINATION_LOW],
                (int) kind & 0xFFFF),
            words[at + PACKETS],
            words[at + BYTES]);
  }

  private static String end(boolean isIpv4, long high, long low, int port) {
    return isIpv4
        ? Ipv4Address.format((int) low) + ":" + port
        : "[" + Ipv6Address.format(high, low) + "]:" + port;
  }
}
