package io.linerate.core.driver;

import static io.linerate.core.driver.NativeMemory.ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedFileFaultTest {
  @Test
  void shouldKnowWhatTheVirtualMachineThrows() throws IOException {
    try (VanishingMemory memory = new VanishingMemory(1)) {
      memory.cutTo(0);
      MemorySegment map = memory.map();
      Throwable thrown = catchThrowable(() -> map.fill((byte) 1));
      assertThat(thrown).isInstanceOf(InternalError.class);
      assertThat(MappedFileFault.is(thrown)).isTrue();
      thrown = catchThrowable(() -> map.get(ValueLayout.JAVA_LONG, 0));
      assertThat(MappedFileFault.is(thrown)).isTrue();
    }
  }

  /** Calls before: the interpreter, the first compiler, the second. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2_000, 300_000})
  void shouldBeThrownWhereItIsSettled(int calls) throws IOException {
    try (Arena arena = Arena.ofConfined();
        VanishingMemory memory = new VanishingMemory(1)) {
      MemorySegment target = arena.allocate(VanishingMemory.PAGE_BYTES);
      for (int i = 0; i < calls; i++) {
        assertThat(copyFails(target.address(), target.address() + 2_048, 1 + (i & 1_023)))
            .isFalse();
      }
      memory.cutTo(0);
      for (int bytes = 1; bytes <= 1_500; bytes += 13) {
        assertThat(copyFails(memory.address(), target.address(), bytes))
            .as("bytes=%d", bytes)
            .isTrue();
      }
    }
  }

  private static boolean copyFails(long from, long to, int bytes) {
    try {
      MemorySegment.copy(ALL, from, ALL, to, bytes);
      MappedFileFault.settle();
      return false;
    } catch (InternalError e) {
      return true;
    }
  }

  @Test
  void shouldTakeNoOtherErrorForIt() {
    assertThat(MappedFileFault.is(new InternalError())).isFalse();
    assertThat(MappedFileFault.is(new InternalError("of a handler"))).isFalse();
    assertThat(MappedFileFault.is(new IllegalStateException("unsafe memory access operation")))
        .isFalse();
  }
}
