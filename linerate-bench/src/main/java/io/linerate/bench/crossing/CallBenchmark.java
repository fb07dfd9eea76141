package io.linerate.bench.crossing;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Calls from Java, calls into Java, and native access to a field. Names are the row of the report,
 * an underscore, and the way.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("MemberName")
public class CallBenchmark {
  /** Calls and accesses that native code makes each time it is called. */
  static final int TIMES = 1_000;

  private final Target target = new Target();
  private final MemorySegment memory = Arena.global().allocateFrom(JAVA_INT, 1);
  private int a = 1;
  private int b = 2;
  private int c = 3;

  // --- Java to native ---

  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public int empty_java() {
    return a;
  }

  @Benchmark
  public void empty_jni() {
    CrossingLibrary.jniEmpty();
  }

  @Benchmark
  public void empty_ffm() throws Throwable {
    CrossingLibrary.EMPTY.invokeExact();
  }

  @Benchmark
  public void empty_critical() throws Throwable {
    CrossingLibrary.CRITICAL_EMPTY.invokeExact();
  }

  @Benchmark
  public void one_jni() {
    CrossingLibrary.jniOne(a);
  }

  @Benchmark
  public void one_ffm() throws Throwable {
    CrossingLibrary.ONE.invokeExact(a);
  }

  @Benchmark
  public void one_critical() throws Throwable {
    CrossingLibrary.CRITICAL_ONE.invokeExact(a);
  }

  @Benchmark
  public void two_jni() {
    CrossingLibrary.jniTwo(a, b);
  }

  @Benchmark
  public void two_ffm() throws Throwable {
    CrossingLibrary.TWO.invokeExact(a, b);
  }

  @Benchmark
  public void two_critical() throws Throwable {
    CrossingLibrary.CRITICAL_TWO.invokeExact(a, b);
  }

  @Benchmark
  public void three_jni() {
    CrossingLibrary.jniThree(a, b, c);
  }

  @Benchmark
  public void three_ffm() throws Throwable {
    CrossingLibrary.THREE.invokeExact(a, b, c);
  }

  @Benchmark
  public void three_critical() throws Throwable {
    CrossingLibrary.CRITICAL_THREE.invokeExact(a, b, c);
  }

  @Benchmark
  public void reference_jni() {
    CrossingLibrary.jniReference(target);
  }

  @Benchmark
  public void reference_ffm() throws Throwable {
    CrossingLibrary.REFERENCE.invokeExact(memory);
  }

  @Benchmark
  public void reference_critical() throws Throwable {
    CrossingLibrary.CRITICAL_REFERENCE.invokeExact(memory);
  }

  // --- native to Java ---

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callNone_jni() {
    CrossingLibrary.jniCall(Target.class, 0, TIMES, false);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callNone_jniLookup() {
    CrossingLibrary.jniCall(Target.class, 0, TIMES, true);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callNone_ffm() throws Throwable {
    CrossingLibrary.CALL_NONE.invokeExact(CrossingLibrary.NONE_STUB, TIMES);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callOne_jni() {
    CrossingLibrary.jniCall(Target.class, 1, TIMES, false);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callOne_jniLookup() {
    CrossingLibrary.jniCall(Target.class, 1, TIMES, true);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callOne_ffm() throws Throwable {
    CrossingLibrary.CALL_ONE.invokeExact(CrossingLibrary.ONE_STUB, TIMES);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callTwo_jni() {
    CrossingLibrary.jniCall(Target.class, 2, TIMES, false);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callTwo_jniLookup() {
    CrossingLibrary.jniCall(Target.class, 2, TIMES, true);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void callTwo_ffm() throws Throwable {
    CrossingLibrary.CALL_TWO.invokeExact(CrossingLibrary.TWO_STUB, TIMES);
  }

  // --- native access to an int field; through FFM, to an int where native code can see it ---

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void read_jni() {
    CrossingLibrary.jniRead(target, TIMES, false);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void read_jniLookup() {
    CrossingLibrary.jniRead(target, TIMES, true);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void read_ffm() throws Throwable {
    CrossingLibrary.READ.invokeExact(memory, TIMES);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void write_jni() {
    CrossingLibrary.jniWrite(target, TIMES, false);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void write_jniLookup() {
    CrossingLibrary.jniWrite(target, TIMES, true);
  }

  @Benchmark
  @OperationsPerInvocation(TIMES)
  public void write_ffm() throws Throwable {
    CrossingLibrary.WRITE.invokeExact(memory, TIMES);
  }
}
