package io.linerate.bench.crossing;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Native code looks at the first byte of an array of 1,000 on the heap. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("MemberName")
public class PinBenchmark {
  private final byte[] array = new byte[1_000];
  private final MemorySegment heap = MemorySegment.ofArray(array).fill((byte) 1);

  /** GetPrimitiveArrayCritical: the array stays where it is. */
  @Benchmark
  public void pin_jni() {
    CrossingLibrary.jniLookCritical(array);
  }

  /** GetByteArrayElements: a copy, here. */
  @Benchmark
  public void pin_jniCopy() {
    CrossingLibrary.jniLookElements(array);
  }

  /** {@code Linker.Option.critical(true)}. */
  @Benchmark
  public void pin_critical() throws Throwable {
    CrossingLibrary.LOOK_HEAP.invokeExact(heap);
  }
}
