package io.linerate.stream.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class NativeStateTest {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final long MOST_KIB = 300 << 10;

  @SuppressWarnings("UnusedVariable") // It is what nobody has.
  private static NativeState ofNobody(AtomicInteger freed) {
    return new NativeState(new Object(), freed::incrementAndGet);
  }

  @Test
  void shouldFreeOnceWhetherItIsClosedOrNot() throws Exception {
    AtomicInteger freed = new AtomicInteger();
    NativeState state = ofNobody(freed);
    while (freed.get() == 0) {
      System.gc();
      Thread.sleep(1);
    }
    state.free();
    assertThat(freed).hasValue(1);
  }

  /** Of the process, without the heap, whose size is the collector's. */
  private static long nativeKib() throws IOException {
    long heapKib = Runtime.getRuntime().totalMemory() >> 10;
    return residentKib() - heapKib;
  }

  private static long residentKib() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }

  /** A codec has 16 KiB (lz4) or 600 KiB (zstd) when it has compressed something. */
  @ParameterizedTest
  @CsvSource({"LZ4, 4096, 30000", "ZSTD, 1048576, 1500"})
  void shouldNotLeakWhatNobodyCloses(Compression compression, int bytes, int codecs)
      throws Exception {
    assumeThat(compression.problem()).isEmpty();
    assumeThat(Path.of("/proc/self/status")).exists();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(bytes);
      new Random(1)
          .ints(bytes / 2)
          .forEach(i -> source.set(BYTE, Math.floorMod(i, bytes), (byte) i));
      MemorySegment target = arena.allocate(2L * bytes);
      long before = nativeKib();
      for (int i = 0; i < codecs; i++) {
        assertThat(compression.open().compress(source, target)).isPositive();
        if (i % 100 == 0) {
          System.gc();
          Thread.sleep(1);
        }
      }
      for (int i = 0; i < 600 && nativeKib() - before >= MOST_KIB; i++) {
        System.gc(); // One thread frees them all, and may be behind.
        Thread.sleep(100);
      }
      assertThat(nativeKib() - before).isLessThan(MOST_KIB);
    }
  }
}
