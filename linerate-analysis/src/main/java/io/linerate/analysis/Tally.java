package io.linerate.analysis;

import io.linerate.stream.Aggregate;
import io.linerate.wire.Tcp;

/**
 * What is counted of a flow in a window; of a name its questions, as packets. By direction: 0 of
 * the source to the destination, 1 back.
 */
final class Tally {
  /** Of tokens of all kinds. */
  static final Aggregate<Seen, Tally, Tally> AGGREGATE =
      new Aggregate<>() {
        @Override
        public Tally create() {
          return new Tally();
        }

        @Override
        public Tally add(Tally known, Seen token) {
          token.addTo(known);
          return known;
        }

        @Override
        public Tally merge(Tally one, Tally other) {
          one.add(other);
          return one;
        }

        @Override
        public Tally result(Tally known) {
          return known;
        }
      };

  private static final int SYN_ACK = Tcp.SYN | Tcp.ACK;
  private static final int SYN_RST_ACK = SYN_ACK | Tcp.RST;

  private long packets;
  private long bytes;
  private long packetsBack;
  private long bytesBack;

  /** SYNs without ACK. */
  private int syns;

  private int synsBack;

  /** How often the flow has begun, as the flow table knows. */
  private int beginnings;

  /** Whether there was a segment with ACK that neither begins nor resets. */
  private boolean hasAck;

  private boolean hasAckBack;

  /** Counts a packet that has no direction. */
  void add() {
    packets++;
  }

  /** Counts a packet. */
  void add(boolean isBack, int ipOctets, int tcpFlags, boolean isBeginning) {
    boolean isSyn = (tcpFlags & SYN_ACK) == Tcp.SYN;
    boolean isAck = (tcpFlags & SYN_RST_ACK) == Tcp.ACK;
    if (isBack) {
      packetsBack++;
      bytesBack += ipOctets;
      synsBack += isSyn ? 1 : 0;
      hasAckBack |= isAck;
    } else {
      packets++;
      bytes += ipOctets;
      syns += isSyn ? 1 : 0;
      hasAck |= isAck;
    }
    beginnings += isBeginning ? 1 : 0;
  }

  /** Adds what was counted elsewhere. */
  void add(Tally other) {
    packets += other.packets;
    bytes += other.bytes;
    packetsBack += other.packetsBack;
    bytesBack += other.bytesBack;
    syns += other.syns;
    synsBack += other.synsBack;
    beginnings += other.beginnings;
    hasAck |= other.hasAck;
    hasAckBack |= other.hasAckBack;
  }

  long packets(int direction) {
    return direction == 0 ? packets : packetsBack;
  }

  long bytes(int direction) {
    return direction == 0 ? bytes : bytesBack;
  }

  long allPackets() {
    return packets + packetsBack;
  }

  long allBytes() {
    return bytes + bytesBack;
  }

  /** SYNs without ACK of a direction. */
  int syns(int direction) {
    return direction == 0 ? syns : synsBack;
  }

  int beginnings() {
    return beginnings;
  }

  /** Whether who has sent a direction's SYNs has answered to what came back. */
  boolean isCompleted(int direction) {
    return direction == 0 ? hasAck : hasAckBack;
  }
}
