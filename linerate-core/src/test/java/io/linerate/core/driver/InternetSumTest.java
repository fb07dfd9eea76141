package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InternetSumTest {
  /** Enough for the second compiler, whose loop of vector instructions is another code. */
  private static final int COMPILED_CALLS = 30_000;

  private static final int BYTES = 1_600;

  @Test
  void shouldSumWhatTheStandardSaysAtEveryLength() {
    byte[] bytes = new byte[BYTES];
    new Random(1_071).nextBytes(bytes);
    try (Arena arena = Arena.ofConfined()) {
      long address = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).address();
      compile(address);
      for (int from = 0; from < 4; from++) {
        for (int count = 0; count <= BYTES - from; count++) {
          assertThat(InternetSum.fold(InternetSum.of(address + from, count)))
              .as("from=%d, count=%d", from, count)
              .isEqualTo(expected(bytes, from, count));
        }
      }
    }
  }

  @Test
  void shouldThrowWhenTheFileThatItSumsBecomesShorter() throws IOException {
    try (VanishingMemory memory = new VanishingMemory(3)) {
      compile(memory.address());
      memory.cutTo(1);
      Throwable thrown = catchThrowable(() -> InternetSum.of(memory.address() + 3_000, 2_000));
      assertThat(thrown).isInstanceOf(InternalError.class);
      assertThat(MappedFileFault.is(thrown)).isTrue();
    }
  }

  private static void compile(long address) {
    long sum = 0;
    for (int i = 0; i < COMPILED_CALLS; i++) {
      sum += InternetSum.of(address, 1_000 + (i & 255));
    }
    assertThat(sum).isNotNegative();
  }

  /** RFC 1071, section 4.1. */
  private static int expected(byte[] bytes, int from, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int value = Byte.toUnsignedInt(bytes[from + i]);
      sum += (i & 1) == 0 ? value << 8 : value;
    }
    while (sum >>> 16 != 0) {
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return (int) sum;
  }
}
