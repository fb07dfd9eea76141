package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacketChainsTest {
  private static final int ROOM_BYTES = 100;

  private final PacketPools pools = new PacketPools();
  private final BufferPool pool = pools.create("chains", 16, 32, ROOM_BYTES);
  private final PacketChains chains = new PacketChains(() -> pool);
  private final MbufArray made = new MbufArray(16);

  @AfterEach
  void sendHome() {
    pools.free(made.address(), made.size());
    assertThat(pools.close()).isEmpty();
  }

  private long make(int lengthBytes) {
    long mbuf = chains.make(lengthBytes);
    if (mbuf != 0) {
      made.append(mbuf, pool);
    }
    return mbuf;
  }

  private static byte[] numbers(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 7);
    }
    return bytes;
  }

  private static byte[] bytes(long mbuf) {
    byte[] bytes = new byte[Mbuf.packetLength(mbuf)];
    SegmentCopy.read(mbuf, 0, bytes, 0, bytes.length);
    return bytes;
  }

  @Test
  void shouldTakeAsManySegmentsAsTheLengthNeeds() {
    assertThat(Mbuf.segments(make(0))).isEqualTo(1);
    assertThat(Mbuf.segments(make(ROOM_BYTES))).isEqualTo(1);
    long longer = make(2 * ROOM_BYTES + 1);
    assertThat(Mbuf.segments(longer)).isEqualTo(3);
    assertThat(Mbuf.packetLength(longer)).isEqualTo(2 * ROOM_BYTES + 1);
    assertThat(Mbuf.dataLength(Mbuf.next(Mbuf.next(longer)))).isEqualTo(1);
  }

  @Test
  void shouldTakeNoBufferWhenThereAreTooFew() {
    assertThat(make(17 * ROOM_BYTES)).isZero();
    assertThat(pool.available()).isEqualTo(16);
  }

  @Test
  void shouldCopyBytesAndTimeWhereverThePacketIsSplit() {
    byte[] bytes = numbers(3 * ROOM_BYTES);
    long original = make(bytes.length);
    Mbuf.dataLength(original, ROOM_BYTES - 30); // Of another shape than its copy will be.
    Mbuf.packetLength(original, bytes.length - 30);
    SegmentCopy.write(original, 0, bytes, 0, bytes.length - 30);
    Mbuf.timestampNs(original, 42);

    long copy = chains.copy(original);
    made.append(copy, pool);

    assertThat(bytes(copy)).startsWith(bytes(original)).hasSize(bytes.length - 30);
    assertThat(bytes(copy)).isEqualTo(Arrays.copyOf(bytes, bytes.length - 30));
    assertThat(Mbuf.timestampNs(copy)).isEqualTo(42);
  }

  @Test
  void shouldKeepOffloadsAndLinkTypeInCopiesAndClearThemInFreshPackets() {
    long original = make(60);
    for (int at = Mbuf.OFFLOADS_OFFSET; at < Mbuf.TIMESTAMP_OFFSET; at++) {
      NativeMemory.u8(original + at, at);
    }
    long copy = chains.copy(original);
    made.append(copy, pool);
    assertThat(metadata(copy)).isEqualTo(metadata(original)).doesNotContain(0);

    pools.free(made.address(), made.size());
    made.clear();
    for (int i = 0; i < pool.capacity(); i++) {
      assertThat(metadata(make(60))).containsOnly(0);
    }
  }

  private static int[] metadata(long mbuf) {
    return IntStream.range(Mbuf.OFFLOADS_OFFSET, Mbuf.TIMESTAMP_OFFSET)
        .map(at -> NativeMemory.u8(mbuf + at))
        .toArray();
  }

  @Test
  void shouldSendTheBuffersHomeOfACopyThatFails() {
    long original = make(3 * ROOM_BYTES);
    Mbuf.packetLength(original, 3 * ROOM_BYTES + 1); // Longer than its segments.

    assertThatThrownBy(() -> chains.copy(original))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("segments of a packet do not add up to its length");

    assertThat(pool.available()).isEqualTo(16 - 3);
  }

  @Test
  void shouldKeepNoBufferOfAPacketThatCannotBeRead() throws IOException {
    long packet = make(ROOM_BYTES);
    long bytes = Mbuf.bufferAddress(packet);
    try (VanishingMemory memory = new VanishingMemory(1)) {
      memory.cutTo(0);
      Mbuf.buffer(packet, memory.address(), VanishingMemory.PAGE_BYTES);
      Mbuf.inFile(packet);
      assertThatThrownBy(() -> chains.copy(packet)).isInstanceOf(InternalError.class);
      assertThat(pool.available()).isEqualTo(15);
    } finally {
      Mbuf.buffer(packet, bytes, 32 + ROOM_BYTES);
    }
  }
}
