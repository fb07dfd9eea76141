package io.linerate.stream.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.CFunction;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
  @Test
  void shouldSayWhatToInstallWhenALibraryIsAbsent() {
    NativeLibrary absent = NativeLibrary.load("zstd", "libabsent.so.9", "deflate");
    String problem = "zstd is not available: library=libabsent.so.9; install it, or choose deflate";

    assertThat(absent.problem()).isEqualTo(problem);
    assertThatThrownBy(() -> CFunction.call(absent.function("ZSTD_createCCtx")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(problem);
    MethodHandle function = absent.holdingFunction("ZSTD_compress2");
    assertThatThrownBy(
            () -> {
              long _ =
                  (long)
                      function.invokeExact(
                          0L, 0L, 0L, 0L, 0L, 0L, MemorySegment.NULL, MemorySegment.NULL);
            })
        .isInstanceOf(ConfigException.class)
        .hasMessage(problem);
  }

  @Test
  void shouldSayWhatIsMissingWhenALibraryIsTooOld() {
    NativeLibrary present = NativeLibrary.load("C", "libc.so.6", "another");

    assertThat(present.problem()).isEmpty();
    assertThatThrownBy(() -> CFunction.call(present.function("not_there")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("a library is too old: missing function=not_there; install a newer one");
    assertThatThrownBy(
            () -> {
              long _ =
                  (long)
                      present
                          .holdingFunction("not_there")
                          .invokeExact(
                              0L, 0L, 0L, 0L, 0L, 0L, MemorySegment.NULL, MemorySegment.NULL);
            })
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void shouldAlwaysHaveWhatTheJdkHas() {
    assertThat(Compression.DEFLATE.problem()).isEmpty();
    assertThat(AeadLibrary.JDK.isAvailable()).isTrue();
    for (Compression compression : Compression.values()) {
      assertThat(compression.problem().isEmpty()).isEqualTo(compression.isAvailable());
    }
  }
}
