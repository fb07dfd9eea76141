package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The usual options of a TCP header that fits, found in one pass: maximum segment size (RFC 9293),
 * window scale and timestamps (RFC 7323), selective acknowledgment (RFC 2018).
 *
 * <p>An option whose length is not the one its RFC gives counts as absent; of an option that comes
 * twice the last counts.
 */
public final class TcpOptions {
  public static final int MAXIMUM_SEGMENT_SIZE = 2;
  public static final int WINDOW_SCALE = 3;
  public static final int SACK_PERMITTED = 4;
  public static final int SACK = 5;
  public static final int TIMESTAMPS = 8;

  private static final int SACK_BLOCK_BYTES = 8;

  private final Tcp tcp = new Tcp();

  @SuppressWarnings("NullAway.Init")
  private Packet packet;

  private int maximumSegmentSize;
  private int windowScale;
  private boolean sackPermitted;
  private int sackAt;
  private int timestampsAt;

  /**
   * Reads the options of the TCP header at {@code offset}.
   *
   * @throws IndexOutOfBoundsException if the header does not fit, see {@link Tcp#fits}
   */
  public TcpOptions wrap(Packet newPacket, int offset) {
    packet = newPacket;
    maximumSegmentSize = -1;
    windowScale = -1;
    sackPermitted = false;
    sackAt = -1;
    timestampsAt = -1;
    tcp.wrap(newPacket, offset);
    for (int at = tcp.firstOption(); at >= 0; at = tcp.nextOption(at)) {
      note(at, tcp.optionKind(at), tcp.optionLength(at));
    }
    return this;
  }

  private void note(int at, int kind, int length) {
    if (kind == MAXIMUM_SEGMENT_SIZE && length == 4) {
      maximumSegmentSize = packet.u16(at + 2);
    } else if (kind == WINDOW_SCALE && length == 3) {
      windowScale = packet.u8(at + 2);
    } else if (kind == SACK_PERMITTED && length == 2) {
      sackPermitted = true;
    } else if (kind == SACK && length > 2 && (length - 2) % SACK_BLOCK_BYTES == 0) {
      sackAt = at;
    } else if (kind == TIMESTAMPS && length == 10) {
      timestampsAt = at;
    }
  }

  /** In bytes, or -1. */
  public int maximumSegmentSize() {
    return maximumSegmentSize;
  }

  /** The shift count as sent (RFC 7323, section 2.3: above 14 it means 14), or -1. */
  public int windowScale() {
    return windowScale;
  }

  public boolean sackPermitted() {
    return sackPermitted;
  }

  /** Number of blocks of the SACK option, 0 to 4. */
  public int sackBlocks() {
    return sackAt < 0 ? 0 : (packet.u8(sackAt + 1) - 2) / SACK_BLOCK_BYTES;
  }

  /** First sequence number of block {@code index}, below {@link #sackBlocks}. */
  public long sackLeftEdge(int index) {
    return packet.u32(sackBlock(index));
  }

  /** Sequence number behind the last of block {@code index}, below {@link #sackBlocks}. */
  public long sackRightEdge(int index) {
    return packet.u32(sackBlock(index) + 4);
  }

  private int sackBlock(int index) {
    int blocks = sackBlocks();
    if (index < 0 || index >= blocks) {
      throw new IndexOutOfBoundsException(
          "no such block in the SACK option: index=" + index + ", blocks=" + blocks);
    }
    return sackAt + 2 + SACK_BLOCK_BYTES * index;
  }

  public boolean hasTimestamps() {
    return timestampsAt >= 0;
  }

  /** TSval, or -1. */
  public long timestampValue() {
    return timestampsAt < 0 ? -1 : packet.u32(timestampsAt + 2);
  }

  /** TSecr, or -1. */
  public long timestampEchoReply() {
    return timestampsAt < 0 ? -1 : packet.u32(timestampsAt + 6);
  }
}
