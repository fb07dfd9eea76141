package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFileFaultTest {
  @TempDir Path folder;

  @Test
  void shouldKnowWhatTheVirtualMachineThrows() throws IOException {
    try (Arena arena = Arena.ofConfined();
        FileChannel channel =
            FileChannel.open(
                folder.resolve("file"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      MemorySegment map = channel.map(MapMode.READ_WRITE, 0, 4_096, arena);
      channel.truncate(0);
      Throwable thrown = catchThrowable(() -> map.fill((byte) 1));
      assertThat(thrown).isInstanceOf(InternalError.class);
      assertThat(MappedFileFault.is(thrown)).isTrue();
      thrown = catchThrowable(() -> map.get(ValueLayout.JAVA_LONG, 0));
      assertThat(MappedFileFault.is(thrown)).isTrue();
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
