package io.linerate.analysis;

import io.linerate.stream.Aggregate;
import io.linerate.wire.Tcp;

/**
 * What is counted of a flow in a window; of a name its questions, as packets. Of each end of a flow
 * what it has sent: see {@link FlowId}.
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
  private long otherPackets;
  private long otherBytes;

  /** SYNs without ACK. */
  private long syns;

  private long otherSyns;

  /** How often the flow has begun, as the flow table knows. */
  private long beginnings;

  private long otherBeginnings;

  /** Whether there was a segment with ACK that neither begins nor resets. */
  private boolean hasAck;

  private boolean otherHasAck;

  /** The time of the first packet, and which end the source of its flow was. */
  private long firstNs = Long.MAX_VALUE;

  private byte sourceEnd;

  private long evictedFlows;

  /** Counts a question. */
  void add() {
    packets++;
  }

  /** Counts a packet that an end has sent. */
  void add(int end, int ipOctets, int tcpFlags, boolean isBeginning) {
    boolean isSyn = (tcpFlags & SYN_ACK) == Tcp.SYN;
    boolean isAck = (tcpFlags & SYN_RST_ACK) == Tcp.ACK;
    if (end == 0) {
      packets++;
      bytes += ipOctets;
      syns += isSyn ? 1 : 0;
      beginnings += isBeginning ? 1 : 0;
      hasAck |= isAck;
    } else {
      otherPackets++;
      otherBytes += ipOctets;
      otherSyns += isSyn ? 1 : 0;
      otherBeginnings += isBeginning ? 1 : 0;
      otherHasAck |= isAck;
    }
  }

  /** What the flow table says of a packet: the same comes out in whatever order it is told. */
  void add(long timeNs, int packetSourceEnd, long newEvictedFlows) {
    if (timeNs < firstNs || (timeNs == firstNs && packetSourceEnd < sourceEnd)) {
      firstNs = timeNs;
      sourceEnd = (byte) packetSourceEnd;
    }
    evictedFlows += newEvictedFlows;
  }

  /** Adds what was counted elsewhere. */
  void add(Tally other) {
    packets += other.packets;
    bytes += other.bytes;
    otherPackets += other.otherPackets;
    otherBytes += other.otherBytes;
    syns += other.syns;
    otherSyns += other.otherSyns;
    beginnings += other.beginnings;
    otherBeginnings += other.otherBeginnings;
    hasAck |= other.hasAck;
    otherHasAck |= other.otherHasAck;
    add(other.firstNs, other.sourceEnd, other.evictedFlows);
  }

  long packets(int end) {
    return end == 0 ? packets : otherPackets;
  }

  long bytes(int end) {
    return end == 0 ? bytes : otherBytes;
  }

  long allPackets() {
    return packets + otherPackets;
  }

  long allBytes() {
    return bytes + otherBytes;
  }

  /** SYNs without ACK that an end has sent. */
  long syns(int end) {
    return end == 0 ? syns : otherSyns;
  }

  /** How often an end has begun the flow, as the flow table knows. */
  long beginnings(int end) {
    return end == 0 ? beginnings : otherBeginnings;
  }

  /** Whether an end that has sent SYNs has answered to what came back. */
  boolean isCompleted(int end) {
    return end == 0 ? hasAck : otherHasAck;
  }

  /** Which end the source is. */
  int sourceEnd() {
    return sourceEnd;
  }

  /** Flows that a full flow table forgot for these packets. */
  long evictedFlows() {
    return evictedFlows;
  }
}
