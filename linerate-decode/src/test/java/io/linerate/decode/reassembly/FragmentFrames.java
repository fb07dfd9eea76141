package io.linerate.decode.reassembly;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Frames of Ethernet with fragments of IPv4 or IPv6 in them, behind VLAN tags. */
final class FragmentFrames {
  static final int UDP = 17;
  private static final int DESTINATION_OPTIONS = 60;
  private static final int FRAGMENT_HEADER = 44;

  private final boolean isIpv4;
  private final int id;
  private final int tags;
  private final int optionBytes;

  /**
   * @param optionBytes of IPv4, or in a header before IPv6's fragment header; a multiple of 8
   */
  FragmentFrames(boolean isIpv4, int id, int tags, int optionBytes) {
    this.isIpv4 = isIpv4;
    this.id = id;
    this.tags = tags;
    this.optionBytes = optionBytes;
  }

  static FragmentFrames ipv4(int id) {
    return new FragmentFrames(true, id, 0, 0);
  }

  static FragmentFrames ipv6(int id) {
    return new FragmentFrames(false, id, 0, 0);
  }

  /** A fragment of a payload: of its bytes {@code from} up to {@code end}. */
  byte[] piece(byte[] payload, int from, int end) {
    return frame(from, end < payload.length, Arrays.copyOfRange(payload, from, end));
  }

  byte[] frame(int offset, boolean hasMore, byte[] piece) {
    return frame(offset, hasMore, UDP, piece);
  }

  byte[] frame(int offset, boolean hasMore, int protocol, byte[] piece) {
    ByteBuffer frame = ByteBuffer.allocate(200 + piece.length);
    frame.put(new byte[12]);
    for (int i = 0; i < tags; i++) {
      frame.putShort((short) 0x8100).putShort((short) (10 + i));
    }
    if (isIpv4) {
      putIpv4(frame, offset, hasMore, protocol, piece.length);
    } else {
      putIpv6(frame, offset, hasMore, protocol, piece.length);
    }
    frame.put(piece);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  private void putIpv4(ByteBuffer frame, int offset, boolean hasMore, int protocol, int bytes) {
    int headerBytes = 20 + optionBytes;
    frame.putShort((short) 0x0800).put((byte) (0x40 | headerBytes / 4)).put((byte) 0);
    frame.putShort((short) (headerBytes + bytes)).putShort((short) id);
    frame.putShort((short) ((hasMore ? 0x2000 : 0) | offset / 8));
    frame.put((byte) 64).put((byte) protocol).putShort((short) 0);
    frame.putInt(0x0A000001).putInt(0x0A000002).put(new byte[optionBytes]);
  }

  private void putIpv6(ByteBuffer frame, int offset, boolean hasMore, int protocol, int bytes) {
    frame.putShort((short) 0x86DD).putInt(0x60000000).putShort((short) (optionBytes + 8 + bytes));
    frame.put((byte) (optionBytes > 0 ? DESTINATION_OPTIONS : FRAGMENT_HEADER)).put((byte) 64);
    frame.putLong(0x20010DB8_00000000L).putLong(1).putLong(0x20010DB8_00000000L).putLong(2);
    if (optionBytes > 0) {
      frame.put((byte) FRAGMENT_HEADER).put((byte) (optionBytes / 8 - 1));
      frame.put(new byte[optionBytes - 2]);
    }
    frame.put((byte) protocol).put((byte) 0);
    frame.putShort((short) (offset | (hasMore ? 1 : 0))).putInt(id);
  }

  /** Fragments of a payload, in order, at random places. */
  List<byte[]> cut(byte[] payload, int mostBytes, Random random) {
    List<byte[]> frames = new ArrayList<>();
    int from = 0;
    while (from < payload.length) {
      int end = Math.min(payload.length, from + 8 * (1 + random.nextInt(mostBytes / 8)));
      if (from == 0 && end == payload.length) {
        end = 8;
      }
      frames.add(piece(payload, from, end));
      from = end;
    }
    return frames;
  }
}
