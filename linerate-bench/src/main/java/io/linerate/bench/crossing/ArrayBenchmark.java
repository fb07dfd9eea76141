package io.linerate.bench.crossing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * An array on the heap and native memory: bytes copied out and in by native code, or by Java
 * itself; and native code that looks at the array itself.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("MemberName")
public class ArrayBenchmark {
  private static final int MAX_BYTES = 1_000;

  @Param({"10", "100", "1000"})
  int bytes = MAX_BYTES;

  private final byte[] array = new byte[MAX_BYTES];
  private final MemorySegment heap = MemorySegment.ofArray(array);
  private final MemorySegment memory = Arena.global().allocate(MAX_BYTES, 64);
  private final long address = memory.address();

  @Setup
  public void fill() {
    heap.fill((byte) 1);
    memory.fill((byte) 1);
  }

  @Benchmark
  public void copyOut_jni() {
    CrossingLibrary.jniCopyOut(array, address, bytes);
  }

  /** In Java, with no call at all. */
  @Benchmark
  public void copyOut_ffm() {
    MemorySegment.copy(array, 0, memory, JAVA_BYTE, 0, bytes);
  }

  @Benchmark
  public void copyOut_critical() throws Throwable {
    CrossingLibrary.COPY_HEAP.invokeExact(memory, heap, bytes);
  }

  @Benchmark
  public void copyIn_jni() {
    CrossingLibrary.jniCopyIn(array, address, bytes);
  }

  @Benchmark
  public void copyIn_ffm() {
    MemorySegment.copy(memory, JAVA_BYTE, 0, array, 0, bytes);
  }

  @Benchmark
  public void copyIn_critical() throws Throwable {
    CrossingLibrary.COPY_HEAP.invokeExact(heap, memory, bytes);
  }
}
