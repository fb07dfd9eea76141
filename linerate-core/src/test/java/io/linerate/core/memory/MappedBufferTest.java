package io.linerate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MappedBufferTest {
  private static final DropReason RULE = DropReason.named("rule");
  private static final int LENGTH = 24;

  private final TestBuffers buffers = new TestBuffers(64);
  private final byte[] bytes = TestBuffers.counting(LENGTH);
  private final MappedBuffer buffer = new MappedBuffer();

  @AfterEach
  void buffersAreFree() {
    buffers.close();
  }

  @Test
  void shouldReadAcrossPacketsAndSegments() {
    for (int first = 0; first <= LENGTH; first++) {
      for (int second = first; second <= LENGTH; second += 5) {
        buffers.burst.finish(buffers.freeBuffer);
        buffer.clear();
        append(0, first);
        append(first, second);
        append(second, LENGTH);
        requireAll(ByteBuffer.wrap(bytes));
      }
    }
  }

  /** A packet with others' bytes around what is mapped, in two segments. */
  private void append(int from, int to) {
    byte[] framed = new byte[3 + to - from + 2];
    System.arraycopy(bytes, from, framed, 3, to - from);
    int half = framed.length / 2;
    Packet packet = buffers.append(framed, half, framed.length - half);
    buffer.append(packet, 3, to - from);
  }

  private void requireAll(ByteBuffer expected) {
    int length = expected.capacity();
    assertThat(buffer.length()).isEqualTo(length);
    for (int at = length - 1; at >= 0; at--) {
      assertThat(buffer.u8(at)).isEqualTo(expected.get(at) & 0xFF);
      if (at + 2 <= length) {
        assertThat(buffer.u16(at)).isEqualTo(expected.getShort(at) & 0xFFFF);
      }
      if (at + 4 <= length) {
        assertThat(buffer.i32(at)).isEqualTo(expected.getInt(at));
      }
      if (at + 8 <= length) {
        assertThat(buffer.u64(at)).isEqualTo(expected.getLong(at));
      }
    }
    byte[] copy = new byte[length + 2];
    buffer.get(0, copy, 1, length);
    assertThat(ByteBuffer.wrap(copy, 1, length).slice()).isEqualTo(expected);
  }

  @Test
  void shouldThrowOutside() {
    buffer.wrap(buffers.append(bytes, LENGTH));
    for (int size : new int[] {1, 2, 4, 8}) {
      for (int offset : new int[] {-1, Integer.MIN_VALUE, LENGTH - size + 1, Integer.MAX_VALUE}) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> read(offset, size));
      }
    }
    buffer.clear();
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> buffer.u8(0));
    Packet packet = buffers.append(bytes, LENGTH);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> buffer.append(packet, 1, LENGTH));
  }

  private long read(int offset, int size) {
    return switch (size) {
      case 1 -> buffer.u8(offset);
      case 2 -> buffer.u16(offset);
      case 4 -> buffer.i32(offset);
      default -> buffer.u64(offset);
    };
  }

  @Test
  void shouldReadNothingOfWhatIsGone() {
    Packet first = buffers.append(bytes, LENGTH);
    buffer.append(first, 0, 4);
    buffer.append(buffers.append(bytes, LENGTH), 4, 4);
    buffers.burst.packet(0).drop(RULE);
    assertThatIllegalStateException().isThrownBy(() -> buffer.u8(0));
    assertThat(buffer.u8(4)).isEqualTo(5);
    buffers.burst.dropAll(RULE);
    assertThatIllegalStateException().isThrownBy(() -> buffer.u8(4));
  }

  @Test
  void shouldReadNothingOfPacketsThatCameToTheSamePlace() {
    buffer.wrap(buffers.append(bytes, LENGTH));
    assertThat(buffer.u8(0)).isEqualTo(1);
    long before = buffers.owned.handle(0);
    buffers.burst.finish(buffers.freeBuffer);
    buffers.freeBuffer.flush();
    buffers.append(bytes, LENGTH);
    assertThat(buffers.owned.handle(0)).as("the same buffer").isEqualTo(before);
    assertThatIllegalStateException().isThrownBy(() -> buffer.u8(0));
  }

  @Test
  void shouldReadNothingThatWasTakenOff() {
    Packet packet = buffers.append(bytes, LENGTH / 2, LENGTH / 2);
    buffer.wrap(packet);
    packet.shrinkTail(2);
    assertThat(buffer.u8(0)).isEqualTo(1);
    assertThatIllegalStateException().isThrownBy(() -> buffer.u8(LENGTH - 3));
    packet.shrinkHead(LENGTH / 2);
    assertThatIllegalStateException().isThrownBy(() -> buffer.u8(0));
  }

  @Test
  void shouldReadOnTheOwnersThreadOnly() {
    buffer.wrap(buffers.append(bytes, LENGTH));
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> CompletableFuture.supplyAsync(() -> buffer.u16(0)).join())
        .withCauseInstanceOf(WrongThreadException.class);
  }

  @Test
  void shouldKeepReadingPacketsThatAreHeld() {
    var held =
        new HeldPackets(8, 0, new DropCounts(), buffers.freeBuffer, () -> 0, buffers.owned.owner());
    long[] numbers = new long[6];
    for (int i = 0; i < numbers.length; i++) {
      buffers.append(new byte[] {(byte) i, 7}, 2);
      held.add(buffers.burst.packet(buffers.burst.size() - 1));
      numbers[i] = held.lastNumber();
      buffer.append(held.packet(numbers[i]), 0, 2);
    }
    held.packet(numbers[0]).drop(RULE);
    held.packet(numbers[2]).drop(RULE);
    for (int i = 0; i < 16; i++) { // Until the others have moved.
      buffers.append(new byte[] {9}, 1);
      held.add(buffers.burst.packet(buffers.burst.size() - 1));
      held.packet(held.lastNumber()).drop(RULE);
    }
    assertThat(held.packet(numbers[2])).isNull();
    assertThatIllegalStateException().isThrownBy(() -> buffer.u8(4));
    assertThat(buffer.u8(2)).isEqualTo(1);
    assertThat(buffer.u16(10)).isEqualTo(0x507);
    held.dropAll(RULE);
    assertThatIllegalStateException().isThrownBy(() -> buffer.u8(2));
  }

  @Test
  void shouldSlideOverAStream() {
    var window = new SlidingWindowBuffer();
    for (int i = 0; i < 40; i++) {
      if (i % 20 == 0) {
        buffers.burst.finish(buffers.freeBuffer);
        window.clear();
      }
      int start = i % 20 * 3;
      byte[] next = {(byte) start, (byte) (start + 1), (byte) (start + 2)};
      window.append(buffers.append(next, 3), 0, 3);
      if (start >= 6) {
        window.slideTo(start - 4);
        assertThat(window.u16(0)).isEqualTo((start - 4) << 8 | (start - 3));
        assertThat(window.u8At(start + 2)).isEqualTo(start + 2);
        assertThat(window.length()).isEqualTo(7);
        assertThat(window.parts()).isEqualTo(3);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> window.u8At(start - 5));
      }
    }
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> window.slideTo(window.end() + 1));
    assertThatIllegalStateException().isThrownBy(() -> window.skipTo(1_000));
    window.slideTo(window.end());
    window.skipTo(1_000);
    assertThat(window.start()).isEqualTo(1_000);
  }

  @Test
  void shouldNotGrowWithWhatHasLeft() {
    var window = new SlidingWindowBuffer();
    int room = window.partRoom();
    Packet packet = buffers.append(bytes, LENGTH);
    for (int i = 0; i < 1_000; i++) {
      window.append(packet, 0, LENGTH);
      window.slideTo(window.end());
    }
    assertThat(window.partRoom()).isEqualTo(room);
    for (int i = 0; i < 1_000; i++) { // Of which nine are left each time.
      window.append(packet, i % LENGTH, 1);
      window.slideTo(Math.max(window.end() - 9, window.start()));
      assertThat(window.u8(0)).isEqualTo(1 + Math.max(i - 8, 0) % LENGTH);
      assertThat(window.u8(window.length() - 1)).isEqualTo(1 + i % LENGTH);
    }
    assertThat(window.partRoom()).isLessThan(33);
  }

  @Test
  void shouldLetGoOfRoom() {
    Packet packet = buffers.append(bytes, LENGTH);
    int room = buffer.partRoom();
    for (int i = 0; i < 300; i++) {
      buffer.append(packet, i % LENGTH, 1);
    }
    assertThat(buffer.partRoom()).isGreaterThan(299);
    buffer.removeFirst(290);
    buffer.trim();
    assertThat(buffer.partRoom()).isBetween(10, 20);
    for (int i = 0; i < 10; i++) {
      assertThat(buffer.u8(i)).isEqualTo(1 + (290 + i) % LENGTH);
    }
    buffer.removeFirst(10);
    buffer.trim();
    assertThat(buffer.partRoom()).isEqualTo(room);
  }

  @Test
  void shouldFollowAPacketFromAnOffsetOn() {
    var held =
        new HeldPackets(8, 0, new DropCounts(), buffers.freeBuffer, () -> 0, buffers.owned.owner());
    Packet packet = buffers.append(bytes, LENGTH);
    buffer.append(packet, 0, 4);
    buffer.append(packet, 4, 4);
    held.add(packet);
    buffer.follow(held.packet(held.lastNumber()), 4);
    assertThatIllegalStateException().isThrownBy(() -> buffer.u8(0));
    assertThat(buffer.u8(4)).isEqualTo(5);
    buffer.follow(held.packet(held.lastNumber()), 0);
    assertThat(buffer.u8(0)).isEqualTo(1);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> buffer.follow(held.packet(held.lastNumber()), 9));
    held.dropAll(RULE);
  }
}
