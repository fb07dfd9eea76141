package io.linerate.bench.crossing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The functions of crossing.c, which says what each does. The handles are for the benchmark's
 * methods to call: one frame more would be measured with them.
 */
@SuppressWarnings("restricted")
final class CrossingLibrary {
  /** Names the library, in whichever JVM. */
  static final String PROPERTY = "linerate.bench.crossing";

  private static final SymbolLookup SYMBOLS = load();
  private static final Linker.Option[] PLAIN = {};
  private static final Linker.Option[] CRITICAL = {Linker.Option.critical(false)};

  /** Lets arrays on the heap be passed. */
  private static final Linker.Option[] CRITICAL_HEAP = {Linker.Option.critical(true)};

  static final MethodHandle EMPTY = bind("crossing_empty", PLAIN);
  static final MethodHandle ONE = bind("crossing_one", PLAIN, JAVA_INT);
  static final MethodHandle TWO = bind("crossing_two", PLAIN, JAVA_INT, JAVA_INT);
  static final MethodHandle THREE = bind("crossing_three", PLAIN, JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle REFERENCE = bind("crossing_reference", PLAIN, ADDRESS);

  static final MethodHandle CRITICAL_EMPTY = bind("crossing_empty", CRITICAL);
  static final MethodHandle CRITICAL_ONE = bind("crossing_one", CRITICAL, JAVA_INT);
  static final MethodHandle CRITICAL_TWO = bind("crossing_two", CRITICAL, JAVA_INT, JAVA_INT);
  static final MethodHandle CRITICAL_THREE =
      bind("crossing_three", CRITICAL, JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle CRITICAL_REFERENCE = bind("crossing_reference", CRITICAL, ADDRESS);

  static final MethodHandle READ = bind("crossing_read", PLAIN, ADDRESS, JAVA_INT);
  static final MethodHandle WRITE = bind("crossing_write", PLAIN, ADDRESS, JAVA_INT);
  static final MethodHandle COPY_HEAP =
      bind("crossing_copy", CRITICAL_HEAP, ADDRESS, ADDRESS, JAVA_INT);
  static final MethodHandle LOOK_HEAP = bind("crossing_look", CRITICAL_HEAP, ADDRESS);

  static final MethodHandle CALL_NONE = bind("crossing_call_none", PLAIN, ADDRESS, JAVA_INT);
  static final MethodHandle CALL_ONE = bind("crossing_call_one", PLAIN, ADDRESS, JAVA_INT);
  static final MethodHandle CALL_TWO = bind("crossing_call_two", PLAIN, ADDRESS, JAVA_INT);
  static final MemorySegment NONE_STUB = stub("none");
  static final MemorySegment ONE_STUB = stub("one", JAVA_INT);
  static final MemorySegment TWO_STUB = stub("two", JAVA_INT, JAVA_INT);

  private static final MethodHandle SUM =
      Linker.nativeLinker()
          .downcallHandle(SYMBOLS.findOrThrow("crossing_sum"), FunctionDescriptor.of(JAVA_LONG));

  private CrossingLibrary() {}

  private static SymbolLookup load() {
    String library = System.getProperty(PROPERTY);
    if (library == null) {
      throw new IllegalStateException(
          "no library: property=" + PROPERTY + "; set it to the path of crossing.so");
    }
    System.load(library);
    return SymbolLookup.loaderLookup();
  }

  private static MethodHandle bind(
      String name, Linker.Option[] options, MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .downcallHandle(SYMBOLS.findOrThrow(name), FunctionDescriptor.ofVoid(parameters), options);
  }

  /** A function pointer to a method of {@link Target} that takes ints. */
  private static MemorySegment stub(String name, MemoryLayout... ints) {
    FunctionDescriptor signature = FunctionDescriptor.ofVoid(ints);
    try {
      MethodType type = signature.toMethodType();
      MethodHandle method = MethodHandles.lookup().findStatic(Target.class, name, type);
      return Linker.nativeLinker().upcallStub(method, signature, Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no such method: name=" + name, e);
    }
  }

  /** The sum of the arguments of all calls since the last question. */
  static long takeSum() {
    try {
      return (long) SUM.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("native call failed: call=crossing_sum", e);
    }
  }

  // --- through JNI ---

  static native void jniEmpty();

  static native void jniOne(int a);

  static native void jniTwo(int a, int b);

  static native void jniThree(int a, int b, int c);

  static native void jniReference(Target object);

  /**
   * Calls the method of {@link Target} that takes so many ints.
   *
   * @param each whether it is looked up for each call
   */
  static native void jniCall(Class<Target> target, int ints, int times, boolean each);

  static native void jniRead(Target object, int times, boolean each);

  static native void jniWrite(Target object, int times, boolean each);

  static native void jniCopyOut(byte[] from, long to, int count);

  static native void jniCopyIn(byte[] to, long from, int count);

  static native void jniLookCritical(byte[] array);

  static native void jniLookElements(byte[] array);
}
