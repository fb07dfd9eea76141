package io.linerate.systemtest;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Crossing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Calls public methods at random: in any order, with arguments from the edges, of what the caller
 * has and of what was kept from earlier calls, of other threads too. Whatever is thrown is counted.
 */
final class RandomCalls {
  private static final int KEPT = 64;
  private static final int CROSSING_CLOSED_EVERY = 10_000;
  private static final int[] NUMBERS = {
    -1,
    0,
    1,
    2,
    13,
    14,
    31,
    32,
    33,
    63,
    64,
    127,
    1_500,
    2_048,
    65_535,
    65_536,
    100_000,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE
  };
  private static final List<String> NAMES = List.of("in", "out", "wire", "left", "queue", "x", "");

  /** Ends the program, waits for what does not come, or leads to what only drivers may have. */
  private static final Set<String> LEFT_ALONE =
      Set.of("wait", "notify", "notifyAll", "steering", "drivers");

  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong thrown = new AtomicLong();
  private final Map<Class<?>, Method[]> methods = new LinkedHashMap<>();
  private final AtomicReferenceArray<Object> kept = new AtomicReferenceArray<>(KEPT);
  private final MemorySegment closed;
  private final MemorySegment lent = Arena.ofShared().allocate(4_096);

  /**
   * @param types whose methods are called, beside those of iterators
   */
  RandomCalls(Set<Class<?>> types) {
    types.forEach(this::type);
    type(Iterator.class);
    try (Arena arena = Arena.ofShared()) {
      closed = arena.allocate(64);
    }
  }

  private void type(Class<?> type) {
    methods.put(
        type,
        HandlerTypes.methods(type)
            .filter(method -> !LEFT_ALONE.contains(method.getName()))
            .toArray(Method[]::new));
  }

  long calls() {
    return calls.get();
  }

  long thrown() {
    return thrown.get();
  }

  /** Other calls may use it from now on, for a while. */
  void keep(Object object, SplittableRandom random) {
    kept.setRelease(random.nextInt(KEPT), object);
  }

  /** Calls a method of something that was kept. */
  void callKept(SplittableRandom random) {
    call(kept.getAcquire(random.nextInt(KEPT)), random, List.of());
  }

  /** Calls a method of one of these, or of something that was kept, with others as arguments. */
  void call(SplittableRandom random, List<Object> own) {
    call(any(8, random, own), random, own);
  }

  private Object any(int oneKeptIn, SplittableRandom random, List<Object> own) {
    return own.isEmpty() || random.nextInt(oneKeptIn) == 0
        ? kept.getAcquire(random.nextInt(KEPT))
        : own.get(random.nextInt(own.size()));
  }

  private void call(Object target, SplittableRandom random, List<Object> own) {
    Method[] possible = target == null ? new Method[0] : methodsOf(target);
    if (possible.length == 0) {
      return;
    }
    Method method = possible[random.nextInt(possible.length)];
    if (target instanceof Crossing
        && method.getName().equals("dropAll")
        && random.nextInt(CROSSING_CLOSED_EVERY) > 0) {
      return; // Closes it for good.
    }
    calls.incrementAndGet();
    try {
      Object result = method.invoke(target, arguments(method, random, own));
      if (result instanceof Packet || result instanceof Iterator<?>) {
        keep(result, random);
      }
    } catch (InvocationTargetException | IllegalArgumentException e) {
      thrown.incrementAndGet();
    } catch (IllegalAccessException e) {
      throw new AssertionError(method.toString(), e);
    }
  }

  private Method[] methodsOf(Object target) {
    for (Map.Entry<Class<?>, Method[]> type : methods.entrySet()) {
      if (type.getKey().isInstance(target)) {
        return type.getValue();
      }
    }
    return new Method[0];
  }

  private Object[] arguments(Method method, SplittableRandom random, List<Object> own) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = argument(types[i], random, own);
    }
    return arguments;
  }

  private Object argument(Class<?> type, SplittableRandom random, List<Object> own) {
    if (type == int.class) {
      return random.nextInt(4) == 0 ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextInt(70);
    }
    if (type == long.class) {
      return random.nextInt(4) == 0 ? random.nextLong() : random.nextLong(70);
    }
    if (type == boolean.class) {
      return random.nextBoolean();
    }
    if (type == String.class) {
      return NAMES.get(random.nextInt(NAMES.size()));
    }
    if (type == byte[].class) {
      return new byte[random.nextInt(100)];
    }
    if (type == int[].class) {
      return new int[random.nextInt(100)];
    }
    if (type == long[].class) {
      return new long[random.nextInt(100)];
    }
    if (type == MemorySegment.class) {
      return switch (random.nextInt(3)) {
        case 0 -> closed;
        case 1 -> lent;
        default -> MemorySegment.ofArray(new byte[random.nextInt(100)]);
      };
    }
    if (type == DropReason.class) {
      return random.nextInt(10) == 0 ? null : DropReason.named("reason_" + random.nextInt(400));
    }
    Object some = any(4, random, own);
    return type.isInstance(some) ? some : type.isInterface() ? proxy(type) : null;
  }

  /** Does nothing, and throws where something is to be returned. */
  private static Object proxy(Class<?> type) {
    return Proxy.newProxyInstance(
        RandomCalls.class.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) -> {
          if (method.getReturnType() == void.class) {
            return null;
          }
          throw new IllegalStateException("wanted by the test");
        });
  }
}
