package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketGroup;
import io.linerate.wire.FragmentFit;
import io.linerate.wire.FragmentPieces;
import io.linerate.wire.FragmentView;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Extension;

/** The fragments of one packet that have come: see {@link Reassemble}. Used again and again. */
final class Datagram {
  private final PacketGroup packets;
  private final Outlet out;

  /** Room for the headers of one packet, which move within it. */
  private final byte[] headers;

  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();

  /** Their numbers are those of the packets. */
  private final FragmentPieces pieces;

  /** Of the pool of the fragment that came last. */
  private int poolBuffers;

  private long sinceNs;
  private boolean isIpv4;

  // Of the first fragment, whose headers are those of the whole.
  private int l3;
  private int headerOffset;
  private int announcedAt;

  Datagram(PacketGroup packets, Outlet out, byte[] headers) {
    this.packets = packets;
    this.out = out;
    this.headers = headers;
    pieces = new FragmentPieces(packets.capacity());
  }

  boolean isFree() {
    return pieces.count() == 0;
  }

  /** When its first fragment came. */
  long sinceNs() {
    return sinceNs;
  }

  boolean isOf(FragmentView fragment) {
    return pieces.isOf(fragment);
  }

  void begin(FragmentView fragment, long nowNs) {
    sinceNs = nowNs;
    isIpv4 = fragment.isIpv4();
    pieces.begin(fragment);
  }

  /** Ends what has come of it. */
  void end(DropReason reason) {
    packets.dropAll(reason);
    pieces.clear();
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
    FragmentFit fit = pieces.fit(fragment);
    if (fit == FragmentFit.REPETITION) {
      packet.drop(Reassemble.DUPLICATE);
      return false;
    }
    if (fit == FragmentFit.CONTRADICTION) {
      packet.drop(Reassemble.OVERLAP);
      end(Reassemble.OVERLAP);
      return false;
    }
    if (fit == FragmentFit.NO_ROOM || !packets.add(packet)) {
      packet.drop(Reassemble.TOO_MANY_FRAGMENTS);
      end(Reassemble.TOO_MANY_FRAGMENTS);
      return false;
    }
    poolBuffers = packets.poolBuffers(pieces.count());
    if (fragment.offset() == 0) {
      l3 = fragment.l3Offset();
      headerOffset = fragment.headerOffset();
      announcedAt = fragment.announcedAt();
    }
    return pieces.add(fragment) && complete();
  }

  private boolean complete() {
    if (pieces.isTooLong()) {
      end(Reassemble.BAD_FRAGMENT);
      return false;
    }
    trim();
    int joined = join();
    boolean isSent = joined == pieces.count() ? sendJoined() : sendCopy(joined);
    pieces.clear();
    return isSent;
  }

  /** Lets the first fragment have its headers and its piece, the others their piece alone. */
  private void trim() {
    for (int i = 0; i < pieces.count(); i++) {
      int number = pieces.inOrder(i);
      Packet packet = packets.packet(number);
      int end = pieces.payloadOffset(number) + pieces.bytes(number);
      packet.shrinkTail(packet.length() - end);
      if (i > 0) {
        packet.shrinkHead(pieces.payloadOffset(number));
      }
    }
  }

  /** Returns how many of the fragments are one packet now: all, if all are of the same pool. */
  private int join() {
    int joined = 1;
    while (joined < pieces.count()
        && packets.join(pieces.inOrder(0), pieces.inOrder(joined), Reassemble.JOINED)) {
      joined++;
    }
    return joined;
  }

  private boolean sendJoined() {
    writeHeader(packets.packet(pieces.inOrder(0)));
    packets.sendTo(out);
    return true;
  }

  private boolean sendCopy(int joined) {
    int length = pieces.payloadOffset(pieces.inOrder(0)) + pieces.totalBytes();
    Packet whole = length > Fragment.MAX_IP_BYTES ? null : out.create(length);
    if (whole == null) {
      packets.dropAll(DropReason.NO_BUFFER);
      return false;
    }
    int at = copy(pieces.inOrder(0), whole, 0);
    for (int i = joined; i < pieces.count(); i++) {
      at = copy(pieces.inOrder(i), whole, at);
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
      ipv4.wrap(whole, l3).totalLength(pieces.lengthField()).fragmentOffset(0).moreFragments(false);
      InternetChecksum.writeIpv4Header(whole, l3);
      return;
    }
    ipv6.wrap(whole, l3).payloadLength(pieces.lengthField());
    whole.u8(announcedAt, whole.u8(headerOffset));
    whole.get(0, headers, 0, headerOffset);
    whole.set(Ipv6Extension.HEADER_BYTES, headers, 0, headerOffset);
    whole.shrinkHead(Ipv6Extension.HEADER_BYTES);
  }
}
