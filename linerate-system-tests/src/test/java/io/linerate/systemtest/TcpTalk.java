package io.linerate.systemtest;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * TCP conversations as their two ends would send them, and, if wanted, with packets among them that
 * neither end would send. Each packet has its number as its IPv4 identification.
 */
final class TcpTalk {
  /**
   * {@code what} is "" for a packet that its end sends, and says what is wrong with another one.
   */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  record Sent(byte[] frame, int talk, String what) {
    boolean has(int flag) {
      return (frame[FLAGS_AT] & flag) != 0;
    }
  }

  private static final int FLAGS_AT = 47;

  static final int FIN = 1;
  static final int SYN = 2;
  static final int RST = 4;
  static final int ACK = 16;

  private static final long[] DISTANCES = {
    -1, 1, -5, 7, -400, 400, -70_000, 70_000, -3_000, 3_000, 1L << 31, 0x1234_5678
  };

  private static final class End {
    private long next;
    private long acknowledged;
    private int window;

    /** The window that it has sent last, in bytes. */
    private int offered;

    private int scale;
    private boolean isFinished;
  }

  private final SplittableRandom random;
  private final boolean isDisturbed;
  private final List<Sent> sent = new ArrayList<>();
  private final End[] ends = new End[2];
  private int talk;

  TcpTalk(long seed, boolean isDisturbed) {
    random = new SplittableRandom(seed);
    this.isDisturbed = isDisturbed;
  }

  /** One conversation after the other. */
  List<Sent> talks(int count) {
    for (talk = 1; talk <= count; talk++) {
      converse(6 + random.nextInt(20));
    }
    return sent;
  }

  private void converse(int packets) {
    for (int i = 0; i < 2; i++) {
      End end = new End();
      end.next = random.nextInt() & 0xFFFF_FFFFL;
      end.window = 500 + random.nextInt(3_000);
      end.scale = random.nextInt(3) == 0 ? -1 : random.nextInt(6);
      ends[i] = end;
    }
    send(0, SYN, 0);
    send(1, SYN | ACK, 0);
    for (int i = 0; i < packets; i++) {
      int from = i == 0 ? 0 : random.nextInt(2);
      int bytes = i == 0 || ends[from].isFinished ? 0 : Math.min(room(from), random.nextInt(400));
      boolean ends = random.nextInt(packets) == 0 || this.ends[1 - from].isFinished;
      boolean isLast = i > 0 && ends && !this.ends[from].isFinished;
      send(from, isLast ? FIN | ACK : ACK, bytes);
    }
  }

  private int room(int from) {
    End to = ends[1 - from];
    return Math.clamp(to.acknowledged + to.offered - ends[from].next - 1, 0, 400);
  }

  private void send(int from, int flags, int bytes) {
    End end = ends[from];
    End other = ends[1 - from];
    long acknowledgment = (flags & ACK) != 0 ? other.next : 0;
    int scale = (flags & SYN) != 0 ? end.scale : -1;
    if (isDisturbed && random.nextInt(4) == 0) {
      disturb(from, flags, end.next, acknowledgment, bytes, scale);
    }
    add(from, flags, end.next, acknowledgment, bytes, scale, "");
    end.acknowledged = other.next;
    boolean isScaled = (flags & SYN) == 0 && end.scale >= 0 && other.scale >= 0;
    end.offered = end.window << (isScaled ? end.scale : 0);
    end.next += bytes + ((flags & (SYN | FIN)) != 0 ? 1 : 0);
    end.isFinished |= (flags & FIN) != 0;
  }

  private void disturb(
      int from, int flags, long sequence, long acknowledgment, int bytes, int scale) {
    long distance = DISTANCES[random.nextInt(DISTANCES.length)];
    long maybe = random.nextBoolean() ? distance : 0;
    switch (random.nextInt(6)) {
      case 0 ->
          add(from, flags, sequence + distance, acknowledgment, bytes, scale, "seq" + distance);
      case 1 ->
          add(from, flags, sequence, acknowledgment + distance, bytes, scale, "ack" + distance);
      case 2 -> {
        int odd = random.nextInt(64);
        add(from, odd, sequence, acknowledgment, bytes, scale, "flags" + odd);
      }
      case 3 -> add(from, RST, sequence + maybe, acknowledgment, 0, -1, "rst" + maybe);
      case 4 -> add(from, SYN, sequence + maybe, 0, 0, scale, "syn" + maybe);
      default -> add(1 - from, SYN | ACK, ends[1 - from].next, sequence + 1, 0, scale, "synack");
    }
  }

  private void add(
      int from, int flags, long sequence, long ack, int bytes, int scale, String what) {
    int headerBytes = scale < 0 ? 20 : 24;
    int first = 0x0A01_0000 | talk;
    int second = 0xC633_0000 | talk;
    ByteBuffer frame = ByteBuffer.allocate(14 + 20 + headerBytes + bytes);
    frame.put(new byte[] {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 9, 8, 0});
    frame.putShort((short) 0x4500).putShort((short) (20 + headerBytes + bytes));
    frame.putShort((short) sent.size()).putShort((short) 0x4000).putShort((short) ((64 << 8) | 6));
    frame.putShort((short) 0).putInt(from == 0 ? first : second).putInt(from == 0 ? second : first);
    frame.putShort((short) (from == 0 ? 1_000 : 80)).putShort((short) (from == 0 ? 80 : 1_000));
    frame.putInt((int) sequence).putInt((int) ack);
    frame.putShort((short) (((headerBytes / 4) << 12) | flags)).putShort((short) ends[from].window);
    frame.putInt(0);
    if (scale >= 0) {
      frame.putInt(0x0103_0300 | scale);
    }
    frame.putShort(24, (short) ~sum(frame, 14, 34, 0));
    int length = frame.capacity() - 34;
    int pseudo = sum(frame, 26, 34, 6 + length);
    frame.putShort(50, (short) ~sum(frame, 34, frame.capacity(), pseudo));
    sent.add(new Sent(frame.array(), talk, what));
  }

  private static int sum(ByteBuffer bytes, int from, int to, int before) {
    int sum = before;
    for (int i = from; i < to; i++) {
      sum += (bytes.get(i) & 0xFF) << ((i - from) % 2 == 0 ? 8 : 0);
    }
    while (sum > 0xFFFF) {
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return sum;
  }
}
