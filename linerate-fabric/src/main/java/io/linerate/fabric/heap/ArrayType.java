package io.linerate.fabric.heap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A type of arrays: of numbers or chars, which are as many bytes on the way as in memory, in the
 * byte order of the host. There is none of booleans: Java does not say how they lie in memory.
 *
 * @param <A> arrays
 */
public final class ArrayType<A> {
  public static final ArrayType<byte[]> BYTES =
      new ArrayType<>(ValueLayout.JAVA_BYTE, byte[]::new, MemorySegment::ofArray);
  public static final ArrayType<short[]> SHORTS =
      new ArrayType<>(ValueLayout.JAVA_SHORT, short[]::new, MemorySegment::ofArray);
  public static final ArrayType<char[]> CHARS =
      new ArrayType<>(ValueLayout.JAVA_CHAR, char[]::new, MemorySegment::ofArray);
  public static final ArrayType<int[]> INTS =
      new ArrayType<>(ValueLayout.JAVA_INT, int[]::new, MemorySegment::ofArray);
  public static final ArrayType<long[]> LONGS =
      new ArrayType<>(ValueLayout.JAVA_LONG, long[]::new, MemorySegment::ofArray);
  public static final ArrayType<float[]> FLOATS =
      new ArrayType<>(ValueLayout.JAVA_FLOAT, float[]::new, MemorySegment::ofArray);
  public static final ArrayType<double[]> DOUBLES =
      new ArrayType<>(ValueLayout.JAVA_DOUBLE, double[]::new, MemorySegment::ofArray);

  private final ValueLayout element;
  private final IntFunction<A> make;
  private final Function<A, MemorySegment> memory;

  private ArrayType(ValueLayout element, IntFunction<A> make, Function<A, MemorySegment> memory) {
    this.element = element;
    this.make = make;
    this.memory = memory;
  }

  /** Bytes of an element. */
  public int elementBytes() {
    return (int) element.byteSize();
  }

  /** A new array. */
  public A make(int length) {
    return make.apply(length);
  }

  /** The memory of an array, as {@link MemorySegment#ofArray} gives it. */
  public MemorySegment memory(A array) {
    return memory.apply(array);
  }

  @Override
  public String toString() {
    return element.carrier() + "[]";
  }
}
