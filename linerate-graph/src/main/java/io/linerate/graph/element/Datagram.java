package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketGroup;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Extension;

/** The fragments of one packet that have come: see {@link Reassemble}. Used again and again. */
final class Datagram {
  /** Before the bytes that are put together. */
  static final int MAX_HEADER_BYTES = 2_048;

  private static final int UNKNOWN = -1;

  private final PacketGroup packets;
  private final Outlet out;

  /** Room for the headers of one packet, which move within it. */
  private final byte[] headers;

  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();

  // Of each fragment, in the order in which they came: its place in the whole, and its headers.
  private final int[] starts;
  private final int[] ends;
  private final int[] payloadOffsets;

  /** Their numbers, in the order of their places. */
  private final int[] order;

  /** Of the pool of the fragment that came last. */
  private int poolBuffers;

  private int count;
  private int received;

  /** Bytes of the whole behind the headers; known from the last fragment. */
  private int total;

  private long sinceNs;
  private long sourceHigh;
  private long sourceLow;
  private long destinationHigh;
  private long destinationLow;
  private long identification;
  private long link;
  private boolean isIpv4;

  // Of the first fragment, whose headers are those of the whole.
  private int l3;
  private int headerOffset;
  private int announcedAt;

  Datagram(PacketGroup packets, Outlet out, byte[] headers) {
    this.packets = packets;
    this.out = out;
    this.headers = headers;
    starts = new int[packets.capacity()];
    ends = new int[packets.capacity()];
    payloadOffsets = new int[packets.capacity()];
    order = new int[packets.capacity()];
  }

  boolean isFree() {
    return count == 0;
  }

  /** When its first fragment came. */
  long sinceNs() {
    return sinceNs;
  }

  boolean isOf(FragmentView fragment) {
    return identification == fragment.identification
        && link == fragment.link
        && sourceLow == fragment.sourceLow
        && sourceHigh == fragment.sourceHigh
        && destinationLow == fragment.destinationLow
        && destinationHigh == fragment.destinationHigh;
  }

  void begin(FragmentView fragment, long nowNs) {
    sinceNs = nowNs;
    identification = fragment.identification;
    link = fragment.link;
    isIpv4 = fragment.isIpv4;
    sourceLow = fragment.sourceLow;
    sourceHigh = fragment.sourceHigh;
    destinationLow = fragment.destinationLow;
    destinationHigh = fragment.destinationHigh;
    received = 0;
    total = UNKNOWN;
  }

  /** Ends what has come of it. */
  void end(DropReason reason) {
    packets.dropAll(reason);
    count = 0;
  }

  /** Buffers that the pool has which the last fragment is of. */
  int poolBuffers() {
    return poolBuffers;
  }

  /**
   * Takes a fragment, or drops it.
   *
   * @return whether it was the one that was missing: the whole has been sent
   */
  boolean add(Packet packet, FragmentView fragment) {
    int place = place(fragment.offset);
    if (isRepetition(place, fragment)) {
      packet.drop(Reassemble.DUPLICATE);
      return false;
    }
    if (contradicts(place, fragment)) {
      packet.drop(Reassemble.OVERLAP);
      end(Reassemble.OVERLAP);
      return false;
    }
    if (!packets.add(packet)) {
      packet.drop(Reassemble.TOO_MANY_FRAGMENTS);
      end(Reassemble.TOO_MANY_FRAGMENTS);
      return false;
    }
    poolBuffers = packets.poolBuffers(count);
    note(place, fragment);
    return received == total && complete();
  }

  /** How many of the fragments begin before an offset: most come in their order. */
  private int place(int offset) {
    int place = count;
    while (place > 0 && starts[order[place - 1]] >= offset) {
      place--;
    }
    return place;
  }

  private boolean isRepetition(int place, FragmentView fragment) {
    if (place == count) {
      return false;
    }
    int next = order[place];
    boolean isLast = ends[next] == total;
    return starts[next] == fragment.offset
        && ends[next] == fragment.offset + fragment.count
        && isLast != fragment.isMore;
  }

  private boolean contradicts(int place, FragmentView fragment) {
    int end = fragment.offset + fragment.count;
    if (place > 0 && ends[order[place - 1]] > fragment.offset) {
      return true;
    }
    if (place < count && (starts[order[place]] < end || !fragment.isMore)) {
      return true;
    }
    return total != UNKNOWN && (end > total || !fragment.isMore);
  }

  private void note(int place, FragmentView fragment) {
    System.arraycopy(order, place, order, place + 1, count - place);
    order[place] = count;
    starts[count] = fragment.offset;
    ends[count] = fragment.offset + fragment.count;
    payloadOffsets[count] = fragment.payloadOffset;
    received += fragment.count;
    if (!fragment.isMore) {
      total = ends[count];
    }
    if (fragment.offset == 0) {
      l3 = fragment.l3;
      headerOffset = fragment.headerOffset;
      announcedAt = fragment.announcedAt;
    }
    count++;
  }

  private boolean complete() {
    if (lengthField() > Fragment.MAX_IP_BYTES) {
      end(Reassemble.BAD_FRAGMENT);
      return false;
    }
    trim();
    int joined = join();
    boolean isSent = joined == count ? sendJoined() : sendCopy(joined);
    count = 0;
    return isSent;
  }

  /** The total length of IPv4, the payload length of IPv6. */
  private int lengthField() {
    return total + (isIpv4 ? payloadOffsets[order[0]] - l3 : headerOffset - l3 - Ipv6.HEADER_BYTES);
  }

  /** Lets the first fragment have its headers and its piece, the others their piece alone. */
  private void trim() {
    for (int i = 0; i < count; i++) {
      int number = order[i];
      Packet packet = packets.packet(number);
      int end = payloadOffsets[number] + ends[number] - starts[number];
      packet.shrinkTail(packet.length() - end);
      if (i > 0) {
        packet.shrinkHead(payloadOffsets[number]);
      }
    }
  }

  /** Returns how many of the fragments are one packet now: all, if all are of the same pool. */
  private int join() {
    int joined = 1;
    while (joined < count && packets.join(order[0], order[joined], Reassemble.JOINED)) {
      joined++;
    }
    return joined;
  }

  private boolean sendJoined() {
    writeHeader(packets.packet(order[0]));
    packets.sendTo(out);
    return true;
  }

  private boolean sendCopy(int joined) {
    int length = payloadOffsets[order[0]] + total;
    Packet whole = length > Fragment.MAX_IP_BYTES ? null : out.create(length);
    if (whole == null) {
      packets.dropAll(DropReason.NO_BUFFER);
      return false;
    }
    int at = copy(order[0], whole, 0);
    for (int i = joined; i < count; i++) {
      at = copy(order[i], whole, at);
    }
    writeHeader(whole);
    packets.dropAll(Reassemble.JOINED);
    return true;
  }

  private int copy(int number, Packet whole, int at) {
    Packet packet = packets.packet(number);
    int length = packet.length();
    whole.set(at, packet, 0, length);
    return at + length;
  }

  private void writeHeader(Packet whole) {
    if (isIpv4) {
      ipv4.wrap(whole, l3).totalLength(lengthField()).fragmentOffset(0).moreFragments(false);
      InternetChecksum.writeIpv4Header(whole, l3);
      return;
    }
    ipv6.wrap(whole, l3).payloadLength(lengthField());
    whole.u8(announcedAt, whole.u8(headerOffset));
    whole.get(0, headers, 0, headerOffset);
    whole.set(Ipv6Extension.HEADER_BYTES, headers, 0, headerOffset);
    whole.shrinkHead(Ipv6Extension.HEADER_BYTES);
  }
}
