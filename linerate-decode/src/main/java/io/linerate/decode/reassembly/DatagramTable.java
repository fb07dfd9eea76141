package io.linerate.decode.reassembly;

import io.linerate.wire.FragmentView;
import org.jspecify.annotations.Nullable;

/**
 * The datagrams whose fragments come, found by what their fragments share, and by their age. It
 * makes a datagram where none is free, and no other object.
 */
final class DatagramTable {
  private final int fragments;
  private final @Nullable Datagram[] buckets;
  private final DatagramQueue ipv4 = new DatagramQueue();
  private final DatagramQueue ipv6 = new DatagramQueue();

  /** Datagrams that are used by none, the one that was used last first. */
  private @Nullable Datagram free;

  private int size;

  /**
   * @param datagrams about as many as it will have at the same time
   * @param fragments of one at most
   */
  DatagramTable(int datagrams, int fragments) {
    this.fragments = fragments;
    buckets = new Datagram[2 * Integer.highestOneBit(datagrams)];
  }

  int size() {
    return size;
  }

  @Nullable Datagram find(FragmentView fragment) {
    Datagram datagram = buckets[bucket(fragment)];
    while (datagram != null && !datagram.pieces.isOf(fragment)) {
      datagram = datagram.next;
    }
    return datagram;
  }

  private int bucket(FragmentView fragment) {
    return (int) fragment.hash() & (buckets.length - 1);
  }

  /** The oldest of one version. */
  @Nullable Datagram oldest(boolean isIpv4) {
    return (isIpv4 ? ipv4 : ipv6).oldest();
  }

  /** The oldest of both versions. */
  @Nullable Datagram oldest() {
    Datagram four = ipv4.oldest();
    Datagram six = ipv6.oldest();
    if (four == null || six == null) {
      return four == null ? six : four;
    }
    return six.sinceNs - four.sinceNs < 0 ? six : four;
  }

  /** Enters the datagram of a fragment, which is not here yet. */
  Datagram begin(FragmentView fragment, long nowNs) {
    Datagram datagram = unused();
    datagram.pieces.begin(fragment);
    datagram.sinceNs = nowNs;
    datagram.isIpv4 = fragment.isIpv4();
    datagram.identification = fragment.identification();
    datagram.bucket = bucket(fragment);
    datagram.next = buckets[datagram.bucket];
    buckets[datagram.bucket] = datagram;
    queue(datagram).add(datagram);
    size++;
    return datagram;
  }

  private Datagram unused() {
    Datagram datagram = free;
    if (datagram == null) {
      return new Datagram(fragments);
    }
    free = datagram.next;
    return datagram;
  }

  /** Takes a datagram out; it stays as it is until {@link #recycle}. */
  void remove(Datagram datagram) {
    queue(datagram).remove(datagram);
    Datagram before = buckets[datagram.bucket];
    if (before == datagram) {
      buckets[datagram.bucket] = datagram.next;
    } else {
      while (before != null && before.next != datagram) {
        before = before.next;
      }
      if (before != null) {
        before.next = datagram.next;
      }
    }
    datagram.next = null;
    size--;
  }

  private DatagramQueue queue(Datagram datagram) {
    return datagram.isIpv4 ? ipv4 : ipv6;
  }

  /** Lets a datagram that was taken out be used for another. */
  void recycle(Datagram datagram) {
    datagram.pieces.clear();
    datagram.next = free;
    free = datagram;
  }
}
