package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FragmentPiecesTest {
  private static final int CAPACITY = 5;
  private static final int UNITS = 8;

  private final Packets packets = new Packets();
  private final HeaderScanner scanner = new HeaderScanner();
  private final FragmentView fragment = new FragmentView(9);
  private final FragmentPieces pieces = new FragmentPieces(CAPACITY);

  @AfterEach
  void buffersAreFree() {
    packets.close();
  }

  private static byte[] frame(int id, int offset, boolean hasMore, int bytes) {
    ByteBuffer frame = ByteBuffer.allocate(34 + bytes);
    frame.put(new byte[12]).putShort((short) 0x0800).putShort((short) 0x4500);
    frame.putShort((short) (20 + bytes)).putShort((short) id);
    frame.putShort((short) ((hasMore ? 0x2000 : 0) | offset / 8)).putShort((short) 0x4011);
    frame.putShort((short) 0).putInt(0x0A000001).putInt(0x0A000002);
    return frame.array();
  }

  private FragmentDefect read(byte[] frame) {
    Packet packet = packets.of(frame);
    assertThat(scanner.scan(packet)).isTrue();
    return fragment.read(packet, scanner);
  }

  private void read(int offset, boolean hasMore, int bytes) {
    assertThat(read(frame(1, offset, hasMore, bytes))).isEqualTo(FragmentDefect.NONE);
  }

  /** Beside a datagram that is looked at unit by unit. */
  @Test
  void shouldSayHowEachFragmentFits() {
    Random random = new Random(1);
    int complete = 0;
    for (int round = 0; round < 3_000; round++) {
      int[] owner = new int[UNITS]; // The number of the piece that each unit is of, from 1 on.
      int[][] added = new int[CAPACITY][];
      int count = 0;
      for (int i = 0; i < 12; i++) {
        int from = random.nextInt(UNITS);
        int end = from + 1 + random.nextInt(Math.min(3, UNITS - from));
        boolean hasMore = end < UNITS ? random.nextInt(20) > 0 : random.nextInt(4) == 0;
        int[] piece = {from, end, hasMore ? 1 : 0};
        read(8 * from, hasMore, 8 * (end - from));
        if (count == 0) {
          pieces.begin(fragment);
        }
        FragmentFit expected = expected(piece, Arrays.copyOf(added, count), owner);
        assertThat(pieces.fit(fragment)).isEqualTo(expected);
        if (expected == FragmentFit.NEW) {
          added[count++] = piece;
          Arrays.fill(owner, from, end, count);
          boolean isAll = isAll(owner, Arrays.copyOf(added, count));
          assertThat(pieces.add(fragment)).isEqualTo(isAll);
          complete += isAll ? 1 : 0;
          requireOrder(owner, count);
        }
      }
    }
    assertThat(complete).isPositive();
  }

  private static FragmentFit expected(int[] piece, int[][] added, int[] owner) {
    for (int[] other : added) {
      if (Arrays.equals(other, piece)) {
        return FragmentFit.REPETITION;
      }
    }
    for (int[] other : added) {
      boolean isBehindLast = other[2] == 0 && (piece[1] > other[1] || piece[2] == 0);
      boolean isLastBefore = piece[2] == 0 && other[1] > piece[1];
      if (isBehindLast || isLastBefore) {
        return FragmentFit.CONTRADICTION;
      }
    }
    for (int unit = piece[0]; unit < piece[1]; unit++) {
      if (owner[unit] != 0) {
        return FragmentFit.CONTRADICTION;
      }
    }
    return added.length == CAPACITY ? FragmentFit.NO_ROOM : FragmentFit.NEW;
  }

  private static boolean isAll(int[] owner, int[][] added) {
    int end = Arrays.stream(added).filter(piece -> piece[2] == 0).mapToInt(p -> p[1]).sum();
    return end > 0 && Arrays.stream(owner, 0, end).allMatch(number -> number > 0);
  }

  private void requireOrder(int[] owner, int count) {
    int[] expected = Arrays.stream(owner).filter(n -> n > 0).map(n -> n - 1).distinct().toArray();
    int[] order = new int[pieces.count()];
    Arrays.setAll(order, pieces::inOrder);
    assertThat(order).isEqualTo(expected).hasSize(count);
    for (int number : order) {
      long units = Arrays.stream(owner).filter(n -> n == number + 1).count();
      assertThat(pieces.bytes(number)).isEqualTo((int) (8 * units));
      assertThat(pieces.payloadOffset(number)).isEqualTo(34);
    }
  }

  @Test
  void shouldTellPacketsApart() {
    read(0, true, 8);
    pieces.begin(fragment);
    long hash = fragment.hash();
    read(8, false, 3);
    assertThat(pieces.isOf(fragment)).isTrue();
    assertThat(fragment.hash()).isEqualTo(hash);
    assertThat(read(frame(2, 8, false, 3))).isEqualTo(FragmentDefect.NONE);
    assertThat(pieces.isOf(fragment)).isFalse();
    assertThat(fragment.hash()).isNotEqualTo(hash);
    assertThat(fragment.identification()).isEqualTo(2);
    assertThat(fragment.protocol()).isEqualTo(IpProtocol.UDP);
  }

  @Test
  void shouldSayHowLongTheWholeIs() {
    read(8, false, 3);
    pieces.begin(fragment);
    assertThat(pieces.add(fragment)).isFalse();
    read(0, true, 8);
    assertThat(pieces.add(fragment)).isTrue();
    assertThat(pieces.totalBytes()).isEqualTo(11);
    assertThat(pieces.lengthField()).isEqualTo(31);
    assertThat(pieces.isTooLong()).isFalse();
    pieces.clear();
    assertThat(pieces.count()).isZero();
  }

  @Test
  void shouldRefuseFragmentsThatCannotBe() {
    assertThat(read(frame(1, 0, true, 7))).isEqualTo(FragmentDefect.MALFORMED);
    assertThat(read(frame(1, 8, false, 0))).isEqualTo(FragmentDefect.MALFORMED);
    assertThat(read(frame(1, 65_528, false, 8))).isEqualTo(FragmentDefect.MALFORMED);
    assertThat(read(Arrays.copyOf(frame(1, 0, true, 16), 49))).isEqualTo(FragmentDefect.TRUNCATED);
  }
}
