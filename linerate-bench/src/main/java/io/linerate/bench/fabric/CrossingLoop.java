package io.linerate.bench.fabric;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * A program under measurement: crosses into C by one variant, again and again. Arguments: library,
 * variant, bytes that are passed, crossings at a time.
 */
public final class CrossingLoop {
  private static final int ROOM = 4_096;
  private static final int CHECKED = 1_000;

  private static long calls;

  private final Variant variant;
  private final int times;

  /** Crosses so many times. */
  @FunctionalInterface
  private interface Variant {
    void cross(int times) throws Throwable;
  }

  private CrossingLoop(Variant variant, int times) {
    this.variant = variant;
    this.times = times;
  }

  public static void main(String[] arguments) {
    System.setProperty(CrossingLibrary.PROPERTY, arguments[0]);
    CrossingLoop loop =
        new CrossingLoop(
            variant(arguments[1], Integer.parseInt(arguments[2])), Integer.parseInt(arguments[3]));
    new StoppableLoop(loop::round, loop.times).serve(loop::digest);
  }

  private void round() {
    try {
      variant.cross(times);
    } catch (Throwable e) {
      throw new IllegalStateException("native call failed", e);
    }
  }

  /** What C and calls back have added up in as many crossings. */
  private long digest() {
    try {
      long _ = CrossingLibrary.takeSum();
      calls = 0;
      variant.cross(CHECKED);
      return CrossingLibrary.takeSum() + calls;
    } catch (Throwable e) {
      throw new IllegalStateException("native call failed", e);
    }
  }

  @SuppressWarnings("unused") // C calls it.
  private static void calledBack(int a) {
    calls += a;
  }

  private static Variant variant(String name, int bytes) {
    MemorySegment memory = Arena.global().allocate(ROOM, Long.BYTES).fill((byte) 1);
    MemorySegment heap = MemorySegment.ofArray(new long[ROOM / Long.BYTES]).fill((byte) 1);
    byte[] array = heap.toArray(JAVA_BYTE);
    return switch (name) {
      case "call", "read", "read-heap", "write", "write-heap" -> inside(name, memory, heap);
      case "take-copied", "take-copied-critical", "take-pinned", "look-copied", "look-pinned" ->
          passed(name, bytes, array, memory);
      default -> downcall(name, memory);
    };
  }

  private static Variant downcall(String name, MemorySegment memory) {
    long address = memory.address();
    return switch (name) {
      case "none" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.NONE.invokeExact();
            }
          };
      case "none-critical" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.CRITICAL_NONE.invokeExact();
            }
          };
      case "one" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.ONE.invokeExact(i);
            }
          };
      case "one-critical" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.CRITICAL_ONE.invokeExact(i);
            }
          };
      case "two" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.TWO.invokeExact(i, 1);
            }
          };
      case "two-critical" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.CRITICAL_TWO.invokeExact(i, 1);
            }
          };
      case "long" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.LONG.invokeExact(address);
            }
          };
      case "long-critical" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.CRITICAL_LONG.invokeExact(address);
            }
          };
      case "segment" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.SEGMENT.invokeExact(memory);
            }
          };
      case "segment-critical" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.CRITICAL_SEGMENT.invokeExact(memory);
            }
          };
      default -> throw new IllegalArgumentException("no such variant: variant=" + name);
    };
  }

  /** One call, in which C does it so many times. */
  private static Variant inside(String name, MemorySegment memory, MemorySegment heap) {
    MemorySegment stub = CrossingLibrary.stub(MethodHandles.lookup(), "calledBack");
    memory.set(JAVA_INT, 0, 1);
    heap.set(JAVA_INT, 0, 1);
    return switch (name) {
      case "call" ->
          times -> {
            CrossingLibrary.CALL.invokeExact(stub, times);
          };
      case "read" ->
          times -> {
            CrossingLibrary.READ.invokeExact(memory, times);
          };
      case "read-heap" ->
          times -> {
            CrossingLibrary.READ_HEAP.invokeExact(heap, times);
          };
      case "write" ->
          times -> {
            CrossingLibrary.WRITE.invokeExact(memory, times);
          };
      default ->
          times -> {
            CrossingLibrary.WRITE_HEAP.invokeExact(heap, times);
          };
    };
  }

  /** An array of the heap for C: copied into native memory first, or as it lies. */
  private static Variant passed(String name, int bytes, byte[] array, MemorySegment memory) {
    MemorySegment pinned = MemorySegment.ofArray(array);
    return switch (name) {
      case "take-copied" ->
          times -> {
            for (int i = 0; i < times; i++) {
              MemorySegment.copy(array, 0, memory, JAVA_BYTE, 0, bytes);
              CrossingLibrary.TAKE.invokeExact(memory, bytes);
            }
          };
      case "take-copied-critical" ->
          times -> {
            for (int i = 0; i < times; i++) {
              MemorySegment.copy(array, 0, memory, JAVA_BYTE, 0, bytes);
              CrossingLibrary.TAKE_CRITICAL.invokeExact(memory, bytes);
            }
          };
      case "take-pinned" ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.TAKE_HEAP.invokeExact(pinned, bytes);
            }
          };
      case "look-copied" ->
          times -> {
            for (int i = 0; i < times; i++) {
              MemorySegment.copy(array, 0, memory, JAVA_BYTE, 0, bytes);
              CrossingLibrary.LOOK.invokeExact(memory);
            }
          };
      default ->
          times -> {
            for (int i = 0; i < times; i++) {
              CrossingLibrary.LOOK_HEAP.invokeExact(pinned);
            }
          };
    };
  }
}
