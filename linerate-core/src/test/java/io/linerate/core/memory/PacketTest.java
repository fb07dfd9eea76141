package io.linerate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.linerate.core.driver.Mbuf;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketTest {
  private static final DropReason RULE = DropReason.named("rule");
  private static final int LENGTH = 24;

  private final TestBuffers buffers = new TestBuffers(32);
  private final byte[] bytes = TestBuffers.counting(LENGTH);

  @AfterEach
  void buffersAreFree() {
    buffers.close();
  }

  @Test
  void shouldReadInNetworkOrderWhereverThePacketIsSplit() {
    ByteBuffer expected = ByteBuffer.wrap(bytes);
    for (int first = 0; first <= LENGTH; first++) {
      Packet packet = buffers.append(bytes, first, 0, LENGTH - first);
      assertThat(packet.length()).isEqualTo(LENGTH);
      assertThat(packet.segments()).isEqualTo(3);
      assertThat(packet.toBytes()).isEqualTo(bytes);
      for (int at = 0; at < LENGTH; at++) {
        assertThat(packet.u8(at)).isEqualTo(expected.get(at) & 0xFF);
        if (at + 2 <= LENGTH) {
          assertThat(packet.u16(at)).isEqualTo(expected.getShort(at) & 0xFFFF);
        }
        if (at + 4 <= LENGTH) {
          assertThat(packet.i32(at)).isEqualTo(expected.getInt(at));
          assertThat(packet.u32(at)).isEqualTo(expected.getInt(at) & 0xFFFF_FFFFL);
        }
        if (at + 8 <= LENGTH) {
          assertThat(packet.u64(at)).isEqualTo(expected.getLong(at));
        }
      }
      buffers.burst.finish(buffers.freeBuffer);
    }
  }

  @Test
  void shouldReadUnsigned() {
    Packet packet = buffers.append(new byte[] {-1, -2, -3, -4, -5, -6, -7, -8}, 8);
    assertThat(packet.u8(0)).isEqualTo(0xFF);
    assertThat(packet.u16(0)).isEqualTo(0xFFFE);
    assertThat(packet.u32(0)).isEqualTo(0xFFFE_FDFCL);
    assertThat(packet.i32(0)).isEqualTo(0xFFFE_FDFC);
    assertThat(packet.u64(0)).isEqualTo(0xFFFE_FDFC_FBFA_F9F8L);
  }

  @Test
  void shouldKnowTheLengthOfPacketsThatAreAsMostAre() {
    Packet packet = buffers.append(bytes, LENGTH);
    assertThat(packet.plainLength()).isEqualTo(LENGTH);
    packet.shrinkTail(1);
    assertThat(packet.plainLength()).isEqualTo(LENGTH - 1);
    packet.linkType(LinkType.RAW);
    assertThat(packet.plainLength()).isEqualTo(-1);
    packet.linkType(LinkType.ETHERNET);
    assertThat(packet.plainLength()).isEqualTo(LENGTH - 1);
    packet.drop(RULE);
    assertThat(packet.plainLength()).isEqualTo(-1);
    assertThat(buffers.append(bytes, 1, LENGTH - 1).plainLength()).isEqualTo(-1);
    buffers.burst.finish(buffers.freeBuffer);
  }

  @Test
  void shouldWriteOnlyTheFieldWhereverThePacketIsSplit() {
    for (int first = 0; first <= LENGTH; first++) {
      for (int at = 0; at + 8 <= LENGTH; at++) {
        int offset = at;
        requireWrite(first, p -> p.u8(offset, 0xF1), at, 1);
        requireWrite(first, p -> p.u16(offset, 0xF1F2), at, 2);
        requireWrite(first, p -> p.i32(offset, 0xF1F2F3F4), at, 4);
        requireWrite(first, p -> p.u32(offset, 0xF1F2F3F4L), at, 4);
        requireWrite(first, p -> p.u64(offset, 0xF1F2F3F4F5F6F7F8L), at, 8);
      }
    }
  }

  private void requireWrite(int first, Consumer<Packet> write, int at, int size) {
    Packet packet = buffers.append(bytes, first, LENGTH - first);
    write.accept(packet);
    byte[] expected = bytes.clone();
    for (int i = 0; i < size; i++) {
      expected[at + i] = (byte) (0xF1 + i);
    }
    assertThat(packet.toBytes()).isEqualTo(expected);
    buffers.burst.finish(buffers.freeBuffer);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 24})
  void shouldRefuseEveryAccessOutsideThePacket(int length) {
    requireBounds(length, length);
    requireBounds(length, length / 2, length - length / 2);
  }

  private void requireBounds(int length, int... segmentBytes) {
    Packet packet = buffers.append(Arrays.copyOf(bytes, length), segmentBytes);
    for (int size : new int[] {1, 2, 4, 8}) {
      for (int offset : offsetsOutside(length, size)) {
        requireOutside(() -> read(packet, offset, size), offset, size, length);
        requireOutside(() -> write(packet, offset, size), offset, size, length);
        requireOutside(() -> packet.get(offset, new byte[8], 0, size), offset, size, length);
        requireOutside(() -> packet.set(offset, new byte[8], 0, size), offset, size, length);
        requireOutside(() -> packet.sum16(offset, size), offset, size, length);
      }
    }
    requireOutside(() -> packet.sum16(0, -1), 0, -1, length);
    requireOutside(() -> packet.sum16(1, Integer.MAX_VALUE), 1, Integer.MAX_VALUE, length);
    assertThat(packet.toBytes()).isEqualTo(Arrays.copyOf(bytes, length));
  }

  private static int[] offsetsOutside(int length, int size) {
    return new int[] {
      -1,
      -size,
      length - size + 1,
      length,
      length + 1,
      0xFFFF,
      0x10000,
      Integer.MAX_VALUE,
      Integer.MAX_VALUE - 1,
      Integer.MAX_VALUE - size + 1,
      Integer.MAX_VALUE - size,
      Integer.MIN_VALUE,
      Integer.MIN_VALUE + 1,
      Integer.MIN_VALUE + size
    };
  }

  private static void requireOutside(Runnable access, int offset, int size, int length) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(access::run)
        .withMessageContaining(
            "outside the packet: offset=%d, size=%d, length=%d", offset, size, length);
  }

  private static long read(Packet packet, int offset, int size) {
    return switch (size) {
      case 1 -> packet.u8(offset);
      case 2 -> packet.u16(offset);
      case 4 -> packet.i32(offset);
      default -> packet.u64(offset);
    };
  }

  private static void write(Packet packet, int offset, int size) {
    switch (size) {
      case 1 -> packet.u8(offset, 1);
      case 2 -> packet.u16(offset, 1);
      case 4 -> packet.i32(offset, 1);
      default -> packet.u64(offset, 1);
    }
  }

  @Test
  void shouldRefuseValuesThatDoNotFit() {
    Packet packet = buffers.append(bytes, LENGTH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> packet.u8(0, 256))
        .withMessage("value does not fit the field: value=256, max=255, offset=0");
    assertThatIllegalArgumentException().isThrownBy(() -> packet.u8(0, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> packet.u16(0, 0x10000));
    assertThatIllegalArgumentException().isThrownBy(() -> packet.u16(0, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> packet.u32(0, 1L << 32));
    assertThatIllegalArgumentException().isThrownBy(() -> packet.u32(0, -1));
    assertThat(packet.toBytes()).isEqualTo(bytes);
  }

  @Test
  void shouldCopyRangesAcrossSegments() {
    Packet packet = buffers.append(bytes, 5, 0, 7, 12);
    byte[] target = new byte[LENGTH + 2];
    for (int from = 0; from <= LENGTH; from++) {
      for (int count = 0; from + count <= LENGTH; count++) {
        Arrays.fill(target, (byte) 0x5A);
        packet.get(from, target, 1, count);
        assertThat(Arrays.copyOfRange(target, 1, 1 + count))
            .isEqualTo(Arrays.copyOfRange(bytes, from, from + count));
        assertThat(target[0]).isEqualTo((byte) 0x5A);
        assertThat(target[1 + count]).isEqualTo((byte) 0x5A);
      }
    }
    packet.set(3, new byte[] {90, 91, 92, 93, 94, 95, 96, 97, 98, 99}, 1, 9);
    byte[] expected = bytes.clone();
    System.arraycopy(new byte[] {91, 92, 93, 94, 95, 96, 97, 98, 99}, 0, expected, 3, 9);
    assertThat(packet.toBytes()).isEqualTo(expected);
  }

  @Test
  void shouldCopyFromAnotherPacketWhereverBothAreSplit() {
    byte[] expected = new byte[LENGTH];
    System.arraycopy(bytes, 2, expected, 5, 15);
    try (TestBuffers others = new TestBuffers(2)) {
      for (int first = 0; first <= LENGTH; first++) {
        Packet source = others.append(bytes, first, LENGTH - first);
        for (int cut = 0; cut <= LENGTH; cut++) {
          Packet packet = buffers.append(new byte[LENGTH], cut, LENGTH - cut);
          packet.set(5, source, 2, 15);
          packet.set(0, source, LENGTH, 0);
          assertThat(packet.toBytes()).isEqualTo(expected);
          buffers.burst.finish(buffers.freeBuffer);
        }
        Packet packet = buffers.append(bytes, LENGTH);
        for (int[] wrong : new int[][] {{0, 1, LENGTH}, {1, 0, LENGTH}, {-1, 0, 1}, {0, -1, 1}}) {
          assertThatExceptionOfType(IndexOutOfBoundsException.class)
              .isThrownBy(() -> packet.set(wrong[0], source, wrong[1], wrong[2]));
        }
        source.drop(DropReason.CONSUMED);
        assertThatIllegalStateException().isThrownBy(() -> packet.set(0, source, 0, 1));
        buffers.burst.finish(buffers.freeBuffer);
        others.burst.finish(others.freeBuffer);
      }
    }
  }

  @Test
  void shouldRefuseATargetThatIsTooSmall() {
    Packet packet = buffers.append(bytes, LENGTH);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> packet.get(0, new byte[4], 0, 5));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> packet.get(0, new byte[4], -1, 2));
  }

  @Test
  void shouldSumAsRfc1071() {
    // The example of RFC 1071, section 3: the words sum to 2ddf0, folded ddf2.
    byte[] example = {0, 1, (byte) 0xF2, 3, (byte) 0xF4, (byte) 0xF5, (byte) 0xF6, (byte) 0xF7};
    Packet packet = buffers.append(example, 8);
    assertThat(folded(packet.sum16(0, 8))).isEqualTo(0xDDF2);
    assertThat(folded(packet.sum16(0, 7))).isEqualTo(0xDDF2 - 0xF7);
    assertThat(packet.sum16(0, 0)).isZero();
  }

  @Test
  void shouldSumTheSameWhereverThePacketIsSplit() {
    Random random = new Random(1071);
    byte[] random41 = new byte[41];
    random.nextBytes(random41);
    for (int first = 0; first <= 41; first++) {
      for (int second = 0; first + second <= 41; second += 3) {
        Packet packet = buffers.append(random41, first, second, 41 - first - second);
        for (int from = 0; from < 5; from++) {
          assertThat(folded(packet.sum16(from, 41 - from)))
              .isEqualTo(expectedSum(random41, from, 41 - from));
          assertThat(folded(packet.sum16(from, 20))).isEqualTo(expectedSum(random41, from, 20));
        }
        buffers.burst.finish(buffers.freeBuffer);
      }
    }
  }

  private static int expectedSum(byte[] data, int from, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += (data[from + i] & 0xFFL) << (i % 2 == 0 ? 8 : 0);
    }
    return folded(sum);
  }

  private static int folded(long sum) {
    long folded = sum;
    while (folded > 0xFFFF) {
      folded = (folded & 0xFFFF) + (folded >>> 16);
    }
    return (int) folded;
  }

  @Test
  void shouldGrowAndShrinkWithinItsBuffer() {
    Packet packet = buffers.append(bytes, LENGTH);
    packet.growHead(4);
    packet.i32(0, 0x0A0B0C0D);
    packet.growTail(2);
    packet.u16(4 + LENGTH, 0x0E0F);
    assertThat(packet.length()).isEqualTo(4 + LENGTH + 2);
    assertThat(packet.headroomBytes()).isEqualTo(TestBuffers.HEADROOM_BYTES - 4);
    assertThat(packet.tailroomBytes()).isEqualTo(TestBuffers.ROOM_BYTES - LENGTH - 2);
    packet.shrinkHead(4);
    packet.shrinkTail(2);
    assertThat(packet.toBytes()).isEqualTo(bytes);
  }

  @Test
  void shouldRefuseToGrowBeyondItsBuffer() {
    Packet packet = buffers.append(bytes, LENGTH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> packet.growHead(TestBuffers.HEADROOM_BYTES + 1))
        .withMessageContaining("headroom=64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> packet.growTail(TestBuffers.ROOM_BYTES - LENGTH + 1))
        .withMessageContaining("tailroom=232");
    assertThatIllegalArgumentException().isThrownBy(() -> packet.growHead(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> packet.growTail(-1));
    packet.growHead(TestBuffers.HEADROOM_BYTES);
    packet.growTail(TestBuffers.ROOM_BYTES - LENGTH);
    assertThat(packet.length()).isEqualTo(TestBuffers.HEADROOM_BYTES + TestBuffers.ROOM_BYTES);
  }

  @Test
  void shouldShrinkByAnyCountWhereverThePacketIsSplit() {
    for (int first = 0; first <= LENGTH; first++) {
      for (int count = 0; count <= LENGTH; count++) {
        Packet packet = buffers.append(bytes, first, LENGTH - first, 0);
        packet.shrinkHead(count);
        assertThat(packet.toBytes()).isEqualTo(Arrays.copyOfRange(bytes, count, LENGTH));
        assertThat(packet.length()).isEqualTo(LENGTH - count);
        buffers.burst.finish(buffers.freeBuffer);
        packet = buffers.append(bytes, first, LENGTH - first, 0);
        packet.shrinkTail(count);
        assertThat(packet.toBytes()).isEqualTo(Arrays.copyOf(bytes, LENGTH - count));
        buffers.burst.finish(buffers.freeBuffer);
        buffers.freeBuffer.flush();
        assertThat(buffers.pool.available()).isEqualTo(buffers.pool.capacity());
      }
    }
  }

  @Test
  void shouldRefuseToShrinkBelowNothing() {
    Packet packet = buffers.append(bytes, 10, 14);
    for (int count : new int[] {LENGTH + 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> packet.shrinkHead(count));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> packet.shrinkTail(count));
    }
    assertThat(packet.toBytes()).isEqualTo(bytes);
  }

  @Test
  void shouldKeepTheTimeWhenTheFirstSegmentGoes() {
    Packet packet = buffers.append(bytes, 10, 14);
    Mbuf.timestampNs(buffers.burst.handle(0), 1_234_567_890_123_456_789L);
    packet.shrinkHead(12);
    assertThat(packet.timestampNs()).isEqualTo(1_234_567_890_123_456_789L);
    assertThat(packet.segments()).isEqualTo(1);
  }

  @Test
  void shouldRefuseEveryAccessToAPacketThatIsGone() {
    Packet packet = buffers.append(bytes, LENGTH);
    packet.drop(RULE);
    requireGone(packet, "dropped");
    packet = buffers.append(bytes, LENGTH);
    long mbuf = packet.take();
    requireGone(packet, "sent");
    buffers.burst.finish(buffers.freeBuffer);
    requireGone(packet, "ended");
    buffers.owned.array().append(mbuf);
  }

  private static void requireGone(Packet packet, String state) {
    assertThat(packet.isLive()).isFalse();
    assertThat(packet).hasToString("Packet[gone]");
    for (Consumer<Packet> access :
        List.<Consumer<Packet>>of(
            Packet::length,
            Packet::segments,
            Packet::timestampNs,
            Packet::toBytes,
            Packet::headroomBytes,
            Packet::tailroomBytes,
            Packet::take,
            p -> p.u8(0),
            p -> p.u16(Integer.MAX_VALUE),
            p -> p.i32(Integer.MAX_VALUE),
            p -> p.u64(Integer.MAX_VALUE),
            p -> p.u64(Integer.MAX_VALUE, 1),
            p -> p.u8(0, 1),
            p -> p.sum16(0, 1),
            p -> p.growHead(1),
            p -> p.shrinkHead(1),
            p -> p.growTail(1),
            p -> p.shrinkTail(1),
            p -> p.drop(RULE))) {
      assertThatIllegalStateException()
          .isThrownBy(() -> access.accept(packet))
          .withMessageContaining("packet is gone")
          .withMessageContaining("state=" + state);
    }
  }

  @Test
  void shouldAppendBytesWhateverItsSegments() {
    byte[] more = {50, 51, 52, 53, 54};
    MemorySegment source = MemorySegment.ofArray(more);
    for (int[] segments : new int[][] {{LENGTH}, {10, LENGTH - 10}, {LENGTH, 0}}) {
      Packet packet = buffers.append(bytes, segments);
      packet.append(source, 1, 4);
      byte[] expected = Arrays.copyOf(bytes, LENGTH + 4);
      System.arraycopy(more, 1, expected, LENGTH, 4);
      assertThat(packet.toBytes()).isEqualTo(expected);
      assertThat(packet.segments()).isEqualTo(segments.length);
      packet.append(source, 0, 0);
      assertThat(packet.length()).isEqualTo(LENGTH + 4);
      buffers.burst.finish(buffers.freeBuffer);
    }
  }

  @Test
  void shouldLeaveThePacketAsItIsWhenItCannotAppend() {
    MemorySegment source = MemorySegment.ofArray(new byte[1_000]);
    for (int[] segments : new int[][] {{LENGTH}, {10, LENGTH - 10}}) {
      Packet packet = buffers.append(bytes, segments);
      int tailroom = packet.tailroomBytes();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> packet.append(source, 0, tailroom + 1))
          .withMessageStartingWith("packet cannot grow: bytes=" + (tailroom + 1) + ", tailroom=");
      for (int[] wrong : new int[][] {{0, -1}, {-1, 1}, {999, 2}, {1_001, 0}}) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> packet.append(source, wrong[0], wrong[1]));
      }
      assertThat(packet.toBytes()).isEqualTo(bytes);
      packet.append(source, 0, tailroom);
      assertThat(packet.tailroomBytes()).isZero();
      buffers.burst.finish(buffers.freeBuffer);
    }
  }

  @Test
  void shouldNotAppendToAPacketThatIsGone() {
    Packet packet = buffers.append(bytes, LENGTH);
    packet.drop(RULE);
    assertThatIllegalStateException()
        .isThrownBy(() -> packet.append(MemorySegment.ofArray(bytes), 0, 1))
        .withMessageStartingWith("packet is gone");
  }
}
