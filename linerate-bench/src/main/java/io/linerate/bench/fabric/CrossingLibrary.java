package io.linerate.bench.fabric;

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
import java.nio.file.Path;

/**
 * The functions of crossing.c, which says what each does, bound in several ways: calls that leave
 * Java's state, critical ones that do not, and critical ones that may be given arrays of the heap.
 */
@SuppressWarnings("restricted")
final class CrossingLibrary {
  /** The property that names the library. */
  static final String PROPERTY = "linerate.bench.crossing";

  private static final SymbolLookup SYMBOLS =
      SymbolLookup.libraryLookup(Path.of(System.getProperty(PROPERTY)), Arena.global());
  private static final Linker.Option[] PLAIN = {};
  private static final Linker.Option[] CRITICAL = {Linker.Option.critical(false)};
  private static final Linker.Option[] CRITICAL_HEAP = {Linker.Option.critical(true)};

  static final MethodHandle NONE = bind("crossing_none", PLAIN);
  static final MethodHandle ONE = bind("crossing_one", PLAIN, JAVA_INT);
  static final MethodHandle TWO = bind("crossing_two", PLAIN, JAVA_INT, JAVA_INT);
  static final MethodHandle LONG = bind("crossing_address", PLAIN, JAVA_LONG);
  static final MethodHandle SEGMENT = bind("crossing_address", PLAIN, ADDRESS);
  static final MethodHandle CRITICAL_NONE = bind("crossing_none", CRITICAL);
  static final MethodHandle CRITICAL_ONE = bind("crossing_one", CRITICAL, JAVA_INT);
  static final MethodHandle CRITICAL_TWO = bind("crossing_two", CRITICAL, JAVA_INT, JAVA_INT);
  static final MethodHandle CRITICAL_LONG = bind("crossing_address", CRITICAL, JAVA_LONG);
  static final MethodHandle CRITICAL_SEGMENT = bind("crossing_address", CRITICAL, ADDRESS);

  static final MethodHandle CALL = bind("crossing_call", PLAIN, ADDRESS, JAVA_INT);
  static final MethodHandle READ = bind("crossing_read", PLAIN, ADDRESS, JAVA_INT);
  static final MethodHandle READ_HEAP = bind("crossing_read", CRITICAL_HEAP, ADDRESS, JAVA_INT);
  static final MethodHandle WRITE = bind("crossing_write", PLAIN, ADDRESS, JAVA_INT);
  static final MethodHandle WRITE_HEAP = bind("crossing_write", CRITICAL_HEAP, ADDRESS, JAVA_INT);
  static final MethodHandle TAKE = bind("crossing_take", PLAIN, ADDRESS, JAVA_INT);
  static final MethodHandle TAKE_CRITICAL = bind("crossing_take", CRITICAL, ADDRESS, JAVA_INT);
  static final MethodHandle TAKE_HEAP = bind("crossing_take", CRITICAL_HEAP, ADDRESS, JAVA_INT);
  static final MethodHandle LOOK = bind("crossing_look", PLAIN, ADDRESS);
  static final MethodHandle LOOK_HEAP = bind("crossing_look", CRITICAL_HEAP, ADDRESS);

  private static final MethodHandle TAKE_SUM =
      Linker.nativeLinker()
          .downcallHandle(
              SYMBOLS.findOrThrow("crossing_take_sum"), FunctionDescriptor.of(JAVA_LONG));

  private CrossingLibrary() {}

  private static MethodHandle bind(
      String name, Linker.Option[] options, MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .downcallHandle(SYMBOLS.findOrThrow(name), FunctionDescriptor.ofVoid(parameters), options);
  }

  /** A function pointer to a static method that takes an int. */
  static MemorySegment stub(MethodHandles.Lookup lookup, String method) {
    FunctionDescriptor signature = FunctionDescriptor.ofVoid(JAVA_INT);
    try {
      MethodHandle target =
          lookup.findStatic(lookup.lookupClass(), method, signature.toMethodType());
      return Linker.nativeLinker().upcallStub(target, signature, Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no such method: name=" + method, e);
    }
  }

  /** What all calls since the last question have added. */
  static long takeSum() throws Throwable {
    return (long) TAKE_SUM.invokeExact();
  }
}
