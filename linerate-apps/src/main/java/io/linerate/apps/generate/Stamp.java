package io.linerate.apps.generate;

import io.linerate.core.memory.Packet;

/**
 * What {@code --sequence} and {@code --timestamps} put at the start of the payload: 18 bytes, which
 * fit the smallest frame of UDP over IPv4. All numbers are in network byte order.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |        Magic 0x4C52           |     Stream      |   Worker    |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                   Sequence number (48 bits)                   |
 *  +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                               |                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+                               +
 *  |                       Timestamp (64 bits)                     |
 *  +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * <p>Stream (9 bits, from 0 in the order of the plan) and worker (7 bits) name a
 * <em>substream</em>: packets of one substream leave through one transmit queue in the order of
 * their sequence numbers, which begin with 0. The timestamp is the sender's {@code CLOCK_MONOTONIC}
 * in ns ({@link System#nanoTime} on Linux) at the time at which the burst was made; programs on the
 * same machine share that clock. It is 0 without {@code --timestamps}, as the sequence number is
 * without {@code --sequence}.
 */
public final class Stamp {
  private static final int WORKER_BITS = 7;

  private static final int MAGIC_SUBSTREAM_SEQUENCE = 0;
  private static final int SEQUENCE_LOW = MAGIC_SUBSTREAM_SEQUENCE + 8;
  private static final int TIMESTAMP = SEQUENCE_LOW + 2;

  /** Bytes of a stamp. */
  public static final int BYTES = TIMESTAMP + 8;

  /** The first two bytes: "LR". */
  public static final int MAGIC = 0x4C52;

  /** Streams of one plan at most. */
  public static final int MAX_STREAMS = 1 << 9;

  /** Workers of one generator at most. */
  public static final int MAX_WORKERS = 1 << WORKER_BITS;

  private static final long LOW_32 = 0xFFFF_FFFFL;

  private Stamp() {}

  /** Whether there is one at {@code offset}. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0 && offset <= packet.length() - BYTES && packet.u16(offset) == MAGIC;
  }

  /** Stream and worker: {@code stream << 7 | worker}. */
  public static int substream(Packet packet, int offset) {
    return packet.u16(offset + MAGIC_SUBSTREAM_SEQUENCE + 2);
  }

  /** The substream of a worker's part of a stream. */
  public static int substream(int stream, int worker) {
    return stream << WORKER_BITS | worker;
  }

  /** The stream of a substream. */
  public static int stream(int substream) {
    return substream >> WORKER_BITS;
  }

  /** The worker of a substream. */
  public static int worker(int substream) {
    return substream & MAX_WORKERS - 1;
  }

  /** Number of the packet in its substream, from 0. */
  public static long sequence(Packet packet, int offset) {
    long high = packet.u32(offset + MAGIC_SUBSTREAM_SEQUENCE + 4);
    return high << 16 | packet.u16(offset + SEQUENCE_LOW);
  }

  /** When it was sent, in ns of the sender's monotonic clock. */
  public static long timestampNs(Packet packet, int offset) {
    return packet.u64(offset + TIMESTAMP);
  }

  /**
   * Writes one.
   *
   * @return the sum of its words, for the checksum: see {@link io.linerate.wire.InternetChecksum}
   */
  static long write(Packet packet, int offset, int substream, long sequence, long timestampNs) {
    long first = (long) MAGIC << 48 | (long) substream << 32 | (sequence >>> 16 & LOW_32);
    int second = (int) sequence & 0xFFFF;
    packet.u64(offset + MAGIC_SUBSTREAM_SEQUENCE, first);
    packet.u16(offset + SEQUENCE_LOW, second);
    packet.u64(offset + TIMESTAMP, timestampNs);
    return (first >>> 32)
        + (first & LOW_32)
        + second
        + (timestampNs >>> 32)
        + (timestampNs & LOW_32);
  }
}
