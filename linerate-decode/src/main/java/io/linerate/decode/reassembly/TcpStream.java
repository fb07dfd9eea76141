package io.linerate.decode.reassembly;

import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.wire.FlowKey;
import org.jspecify.annotations.Nullable;

/**
 * A stream of TCP: both directions of a connection. Reassemblers use the objects again: what one
 * says holds until the stream is closed.
 */
public final class TcpStream {
  final StreamHalf[] halves;
  private final FlowKey flow = new FlowKey();
  private long number;
  private long beganNs;
  private @Nullable Object attachment;

  /** Whether it ends now, and not for a segment of its own. */
  boolean isRemoved;

  /** Whether it has ended: what still comes of it is of no interest. */
  boolean isClosed;

  TcpStream(OverlapPolicy policy, HeldPackets held, StreamMemory memory) {
    halves =
        new StreamHalf[] {
          new StreamHalf(policy, held, memory), new StreamHalf(policy, held, memory)
        };
  }

  void open(long newNumber, long nowNs, FlowKey from) {
    number = newNumber;
    beganNs = nowNs;
    flow.copyOf(from);
    attachment = null;
    isClosed = false;
    isRemoved = false;
    halves[0].open();
    halves[1].open();
  }

  StreamHalf half(Direction direction) {
    return halves[direction == Direction.TO_SERVER ? 0 : 1];
  }

  /** Which of the reassembler's streams it is, from 0 on. */
  public long number() {
    return number;
  }

  /** When its first segment came, in ns. */
  public long beganNs() {
    return beganNs;
  }

  /** Addresses and ports, from the client to the server; not to be kept or changed. */
  public FlowKey flow() {
    return flow;
  }

  /** What has come in order of one direction, and was not read: who reads it slides it on. */
  public SlidingWindowBuffer bytes(Direction direction) {
    return half(direction).window;
  }

  /** Whether all bytes of one direction have come: its end has said that it sends no more. */
  public boolean isFinished(Direction direction) {
    return half(direction).isFinished();
  }

  /**
   * Whether it ends without a segment of its own: for a time-out, or since others need its room.
   * The packet that is looked at is then none of it.
   */
  public boolean isRemoved() {
    return isRemoved;
  }

  /** Bytes that never came, as far as that is known. */
  public long gapBytes(Direction direction) {
    return half(direction).gapBytes;
  }

  /** Bytes that came again: in retransmissions, or in segments that overlap. */
  public long repeatedBytes(Direction direction) {
    StreamHalf half = half(direction);
    return half.repeatedBytes + half.waiting.overlapBytes();
  }

  /** Segments that had bytes. */
  public long segments(Direction direction) {
    return half(direction).segments;
  }

  /** Whatever its user keeps there; null at first. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attachment(@Nullable Object object) {
    attachment = object;
  }
}
