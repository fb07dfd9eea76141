package io.linerate.stream.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.testkit.Soak;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compressed bytes that somebody has changed. */
@Tag("sampled")
class CodecMutationTest {
  private static final int TIMES = 200_000;
  private static final byte UNTOUCHED = (byte) 0xA5;

  /** In front of the room, and behind it. */
  private static final int GUARD_BYTES = 512;

  private static final int MOST_BYTES = 4096;

  private final Random random = new Random(Soak.seed(51));
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment guard = arena.allocate(GUARD_BYTES).fill(UNTOUCHED);
  private final MemorySegment target = arena.allocate(2 * GUARD_BYTES + MOST_BYTES).fill(UNTOUCHED);

  @ParameterizedTest
  @EnumSource
  void shouldWriteNothingOutsideTheRoomWhateverIsDecompressed(Compression compression) {
    assumeTrue(compression.isAvailable(), compression::problem);
    int failed = 0;
    int times = Soak.times(TIMES, 50 * TIMES);
    try (Codec codec = compression.open()) {
      List<MemorySegment> packed = packed(codec);
      MemorySegment source = arena.allocate(2 * MOST_BYTES);
      for (int i = 0; i < times; i++) {
        int bytes = mutate(packed, source);
        int room = random.nextInt(MOST_BYTES + 1);

        int written = codec.decompress(source, 0, bytes, target, GUARD_BYTES, room);

        assertInside(written, room);
        failed += written < 0 ? 1 : 0;
      }
      assertThat(failed).isBetween(times / 10, times - 1);
      assertWorks(codec, packed.getFirst());
    }
  }

  private List<MemorySegment> packed(Codec codec) {
    List<MemorySegment> all = new ArrayList<>();
    for (int bytes : new int[] {1400, 0, 1, 20, 256, 4000}) {
      for (CodecTest.Content content : CodecTest.Content.values()) {
        MemorySegment plain = content.make(arena, bytes, bytes);
        MemorySegment room = arena.allocate(codec.maxCompressedBytes(bytes));
        all.add(room.asSlice(0, codec.compress(plain, room)));
      }
    }
    return all;
  }

  /** Copies one of them, and changes it. */
  private int mutate(List<MemorySegment> packed, MemorySegment source) {
    MemorySegment original = packed.get(random.nextInt(packed.size()));
    source.copyFrom(original);
    int bytes = (int) original.byteSize();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      bytes = mutate(packed, source, bytes);
    }
    return bytes;
  }

  private int mutate(List<MemorySegment> packed, MemorySegment source, int bytes) {
    int at = random.nextInt(bytes + 1);
    byte old = source.get(ValueLayout.JAVA_BYTE, at);
    switch (random.nextInt(6)) {
      case 0 -> source.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ (1 << random.nextInt(8))));
      case 1 -> source.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
      case 2 -> source.set(ValueLayout.JAVA_BYTE, at, (byte) -1);
      case 3 -> source.set(ValueLayout.JAVA_BYTE, random.nextInt(16), (byte) random.nextInt());
      case 4 -> {
        MemorySegment other = packed.get(random.nextInt(packed.size()));
        long from = random.nextLong(other.byteSize() + 1);
        long spliced = Math.min(other.byteSize() - from, source.byteSize() - at - 1);
        MemorySegment.copy(other, from, source, at, spliced);
        return (int) Math.min(at + spliced, MOST_BYTES);
      }
      default -> {
        return at;
      }
    }
    return bytes;
  }

  private void assertInside(int written, int room) {
    if (written < Codec.FAILED || written > room) {
      throw new AssertionError("written=%d, room=%d".formatted(written, room));
    }
    int behind = GUARD_BYTES + room;
    if (target.asSlice(0, GUARD_BYTES).mismatch(guard) >= 0
        || target.asSlice(behind, GUARD_BYTES).mismatch(guard) >= 0) {
      throw new AssertionError("written outside: written=%d, room=%d".formatted(written, room));
    }
    target.asSlice(GUARD_BYTES, room).fill(UNTOUCHED);
  }

  private void assertWorks(Codec codec, MemorySegment packed) {
    MemorySegment back = arena.allocate(1400);
    assertThat(codec.decompress(packed, back)).isEqualTo(1400);
    assertThat(back.mismatch(CodecTest.Content.ZEROES.make(arena, 1400, 0))).isEqualTo(-1);
  }
}
