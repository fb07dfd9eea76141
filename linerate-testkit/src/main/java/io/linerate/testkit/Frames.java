package io.linerate.testkit;

import io.linerate.core.memory.Packet;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.RandomAccess;
import java.util.TreeSet;

/**
 * Frames for tests of ports: Ethernet frames of a local experimental ethertype, so that nobody
 * answers them.
 */
public final class Frames {
  /** IEEE Std 802: local experimental ethertype 1. */
  private static final int ETHERTYPE = 0x88B5;

  private static final int HEADER_BYTES = 14;
  private static final int[] EDGES = {
    0, 1, 2, 13, 14, 15, 60, 61, 62, 63, 64, 65, 66, 67, 68, 127, 128, 129, 255, 256, 257, 511, 512,
    513, 1_023, 1_024, 1_025, 1_513, 1_514, 1_515, 1_516, 1_517, 1_518, 1_519, 2_047, 2_048, 2_049,
    4_095, 4_096, 4_097, 8_999, 9_000
  };
  private static final int STEP_BYTES = 97;

  private Frames() {}

  /**
   * Frames of the lengths at which ports have been seen to fail, and of every 97th, from {@code
   * minBytes} to {@code maxBytes}, with bytes that differ from frame to frame.
   */
  public static List<byte[]> ofOddSizes(int minBytes, int maxBytes) {
    TreeSet<Integer> sizes = new TreeSet<>();
    for (int edge : EDGES) {
      sizes.add(edge);
    }
    for (int size = 0; size <= 9_000; size += STEP_BYTES) {
      sizes.add(size);
    }
    List<byte[]> frames = new ArrayList<>();
    for (int size : sizes.subSet(minBytes, true, maxBytes, true)) {
      frames.add(random(size, size));
    }
    return frames;
  }

  private static byte[] random(int lengthBytes, int seed) {
    byte[] frame = new byte[lengthBytes];
    new Random(seed).nextBytes(frame);
    writeHeader(frame);
    return frame;
  }

  /** {@code count} frames of one length, at least 22 bytes, each with its number in it. */
  public static List<byte[]> numbered(int count, int lengthBytes) {
    return new Numbered(count, lengthBytes);
  }

  /** The number of a frame of {@link #numbered}. */
  public static long number(Packet frame) {
    return frame.u64(HEADER_BYTES);
  }

  /** Broadcast from a locally administered address: no switch learns it, no host takes it up. */
  private static void writeHeader(byte[] frame) {
    byte[] header = {
      -1, -1, -1, -1, -1, -1, 2, 0, 0, 0, 0, 1, (byte) (ETHERTYPE >>> 8), (byte) ETHERTYPE
    };
    System.arraycopy(header, 0, frame, 0, Math.min(header.length, frame.length));
  }

  /** Made when asked for: a hundred thousand need no memory. */
  private static final class Numbered extends AbstractList<byte[]> implements RandomAccess {
    private final int count;
    private final int lengthBytes;

    Numbered(int count, int lengthBytes) {
      this.count = count;
      this.lengthBytes = lengthBytes;
    }

    @Override
    public byte[] get(int index) {
      byte[] frame = new byte[lengthBytes];
      writeHeader(frame);
      for (int i = 0; i < 8; i++) {
        frame[HEADER_BYTES + i] = (byte) ((long) index >>> (56 - 8 * i));
      }
      return frame;
    }

    @Override
    public int size() {
      return count;
    }
  }
}
