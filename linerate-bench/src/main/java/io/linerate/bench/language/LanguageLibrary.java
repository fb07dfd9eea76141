package io.linerate.bench.language;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** The functions of language.c, which says what each does: through JNI, and through FFM. */
@SuppressWarnings("restricted")
final class LanguageLibrary {
  /** Names the library, in whichever JVM. */
  static final String PROPERTY = "linerate.bench.language";

  private static final SymbolLookup SYMBOLS = load();
  private static final FunctionDescriptor WHOLE = FunctionDescriptor.of(JAVA_INT, JAVA_INT);
  private static final FunctionDescriptor POPULATE_SIGNATURE =
      FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT);
  private static final FunctionDescriptor COLLECT_SIGNATURE =
      FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle C = bind("language_c", WHOLE);
  private static final MethodHandle MALLOC = bind("language_malloc", WHOLE);
  private static final MethodHandle START = bind("language_start", FunctionDescriptor.ofVoid());
  private static final MethodHandle POPULATE = bind("language_populate", POPULATE_SIGNATURE);
  private static final MethodHandle COLLECT = bind("language_collect", COLLECT_SIGNATURE);
  private static final MethodHandle POPULATE_CRITICAL =
      bind("language_populate", POPULATE_SIGNATURE, Linker.Option.critical(false));
  private static final MethodHandle COLLECT_CRITICAL =
      bind("language_collect", COLLECT_SIGNATURE, Linker.Option.critical(false));

  private LanguageLibrary() {}

  private static SymbolLookup load() {
    String library = System.getProperty(PROPERTY);
    if (library == null) {
      throw new IllegalStateException(
          "no library: property=" + PROPERTY + "; set it to the path of language.so");
    }
    System.load(library);
    return SymbolLookup.loaderLookup();
  }

  private static MethodHandle bind(
      String name, FunctionDescriptor signature, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(SYMBOLS.findOrThrow(name), signature, options);
  }

  // --- through FFM ---

  static int c(int packets) {
    try {
      return (int) C.invokeExact(packets);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static int malloc(int packets) {
    try {
      return (int) MALLOC.invokeExact(packets);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void start() {
    try {
      START.invokeExact();
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void populate(long packets, int count) {
    try {
      POPULATE.invokeExact(packets, count);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static int collect(long packets, int count) {
    try {
      return (int) COLLECT.invokeExact(packets, count);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void populateCritical(long packets, int count) {
    try {
      POPULATE_CRITICAL.invokeExact(packets, count);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static int collectCritical(long packets, int count) {
    try {
      return (int) COLLECT_CRITICAL.invokeExact(packets, count);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static IllegalStateException failure(Throwable e) {
    return new IllegalStateException("native call failed: library=language.so", e);
  }

  // --- through JNI ---

  static native void findFields(Class<FivePacket> packets);

  /** Populates a packet. */
  static native void populate(FivePacket packet);

  /** Leaves a result; returns the sum of all until now. */
  static native int result(int result);
}
