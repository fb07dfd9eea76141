package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Bytes of messages, and checksums, as fabric.c says them. */
final class TwinPattern {
  private static final long STEP = 0x9E37_79B9_7F4A_7C15L;
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private TwinPattern() {}

  static long u64(MemorySegment memory, long offset) {
    return memory.get(U64, offset);
  }

  static void u64(MemorySegment memory, long offset, long value) {
    memory.set(U64, offset, value);
  }

  /** Bytes of a message of a seed. */
  static byte[] of(long seed, long message, int bytes) {
    byte[] pattern = new byte[bytes];
    long state = seed ^ (message + 1) * STEP;
    for (int at = 0; at < bytes; at += Long.BYTES) {
      state += STEP;
      long word = state;
      word = (word ^ (word >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
      word = (word ^ (word >>> 27)) * 0x94D0_49BB_1331_11EBL;
      word ^= (word >>> 31);
      for (int i = at; i < Math.min(bytes, at + Long.BYTES); i++) {
        pattern[i] = (byte) (word >>> (Byte.SIZE * (i - at)));
      }
    }
    return pattern;
  }

  static void fill(MemorySegment memory, long seed, long message, int bytes) {
    memory.asSlice(0, bytes).copyFrom(MemorySegment.ofArray(of(seed, message, bytes)));
  }

  static void assertThere(MemorySegment memory, long seed, long message, int bytes) {
    long differs =
        memory.asSlice(0, bytes).mismatch(MemorySegment.ofArray(of(seed, message, bytes)));
    assertThat(differs).as("first byte that differs of message %d", message).isEqualTo(-1);
  }

  /** FNV-1a of 64 bits. */
  static long checksum(MemorySegment memory) {
    long sum = 0xCBF2_9CE4_8422_2325L;
    for (long i = 0; i < memory.byteSize(); i++) {
      sum = (sum ^ (memory.get(ValueLayout.JAVA_BYTE, i) & 0xFF)) * 0x100_0000_01B3L;
    }
    return sum;
  }
}
