package io.linerate.bench.access;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * Memory by address through {@code sun.misc.Unsafe}, in network byte order, unchecked.
 *
 * <p>Its methods are called through constant method handles, which compile to the same
 * instructions: the compiler's warning of the class itself cannot be suppressed.
 */
final class RawMemory {
  private static final Class<?> TYPE = type();
  private static final Object UNSAFE = instance();
  private static final MethodHandle ALLOCATE = bind("allocateMemory", long.class, long.class);
  private static final MethodHandle FREE = bind("freeMemory", void.class, long.class);
  private static final MethodHandle GET_LONG = bind("getLong", long.class, long.class);
  private static final MethodHandle GET_BYTE = bind("getByte", byte.class, long.class);
  private static final MethodHandle PUT_BYTE = bind("putByte", void.class, long.class, byte.class);
  private static final MethodHandle GET_SHORT = bind("getShort", short.class, long.class);
  private static final MethodHandle PUT_SHORT =
      bind("putShort", void.class, long.class, short.class);
  private static final MethodHandle GET_INT = bind("getInt", int.class, long.class);
  private static final MethodHandle PUT_INT = bind("putInt", void.class, long.class, int.class);

  private RawMemory() {}

  private static Class<?> type() {
    try {
      return Class.forName("sun.misc.Unsafe");
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("no sun.misc.Unsafe; use a JDK that still has it", e);
    }
  }

  private static Object instance() {
    try {
      Field field = TYPE.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("sun.misc.Unsafe has no instance", e);
    }
  }

  private static MethodHandle bind(String name, Class<?> result, Class<?>... parameters) {
    try {
      return MethodHandles.lookup()
          .findVirtual(TYPE, name, MethodType.methodType(result, parameters))
          .bindTo(UNSAFE);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("sun.misc.Unsafe has no such method: name=" + name, e);
    }
  }

  static long allocate(long bytes) {
    try {
      return (long) ALLOCATE.invokeExact(bytes);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static long pointer(long address) {
    try {
      return (long) GET_LONG.invokeExact(address);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static int u8(long address) {
    try {
      return (byte) GET_BYTE.invokeExact(address) & 0xFF;
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void u8(long address, int value) {
    try {
      PUT_BYTE.invokeExact(address, (byte) value);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static int u16(long address) {
    try {
      return Short.reverseBytes((short) GET_SHORT.invokeExact(address)) & 0xFFFF;
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void u16(long address, int value) {
    try {
      PUT_SHORT.invokeExact(address, Short.reverseBytes((short) value));
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static int i32(long address) {
    try {
      return Integer.reverseBytes((int) GET_INT.invokeExact(address));
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void i32(long address, int value) {
    try {
      PUT_INT.invokeExact(address, Integer.reverseBytes(value));
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static IllegalStateException failure(Throwable e) {
    return new IllegalStateException("sun.misc.Unsafe failed", e);
  }
}
