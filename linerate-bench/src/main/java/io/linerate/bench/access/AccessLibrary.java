package io.linerate.bench.access;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** The functions of access.c, which says what each does: through JNI, and through FFM. */
@SuppressWarnings("restricted")
final class AccessLibrary {
  /** Names the library, in whichever JVM. */
  static final String PROPERTY = "linerate.bench.access";

  /** Packets in a burst, where there are bursts. */
  static final int BURST = 32;

  private static final SymbolLookup SYMBOLS = load();
  private static final MethodHandle USE =
      bind("access_use", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
  private static final MethodHandle NEXT = bind("access_next", FunctionDescriptor.of(JAVA_LONG));
  private static final MethodHandle FINISH =
      bind("access_finish", FunctionDescriptor.of(JAVA_LONG));
  private static final MethodHandle PLAIN =
      bind("access_plain", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));

  private AccessLibrary() {}

  private static SymbolLookup load() {
    String library = System.getProperty(PROPERTY);
    if (library == null) {
      throw new IllegalStateException(
          "no library: property=" + PROPERTY + "; set it to the path of access.so");
    }
    System.load(library);
    return SymbolLookup.loaderLookup();
  }

  private static MethodHandle bind(String name, FunctionDescriptor signature) {
    return Linker.nativeLinker().downcallHandle(SYMBOLS.findOrThrow(name), signature);
  }

  // --- through FFM ---

  /** Receives into the library's own struct. */
  static void useOwn() {
    use(0, 0);
  }

  /** Receives a packet into each of these structs. */
  static void use(long[] records) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment addresses = arena.allocateFrom(JAVA_LONG, records);
      use(addresses.address(), records.length);
    }
  }

  private static void use(long addresses, int count) {
    try {
      USE.invokeExact(addresses, count);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Address of the next packet, or of the first of the next burst. */
  static long next() {
    try {
      return (long) NEXT.invokeExact();
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** The checksum over all that was written back. */
  static long finish() {
    try {
      return (long) FINISH.invokeExact();
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** All of it in C. */
  static long plain(long packets) {
    try {
      return (long) PLAIN.invokeExact(packets);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static IllegalStateException failure(Throwable e) {
    return new IllegalStateException("native call failed: library=access.so", e);
  }

  // --- through JNI ---

  static native void nextBySetters(PacketObject packet);

  static native void saveByGetters(PacketObject packet);

  static native void findFields(Class<PacketObject> packets);

  static native void nextByFields(PacketObject packet);

  static native void saveByFields(PacketObject packet);

  static native void nextIntoBuffer(long buffer);

  static native void saveFromBuffer(long buffer);

  static native void nextPointer(long pointer);
}
