package io.linerate.bench.crossing;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Runs each benchmark method once and compares what came through: native code and Java add up the
 * arguments that they get.
 */
final class SameWork {
  /**
   * @throws IllegalStateException if two ways of a row do not do the same
   */
  void require() {
    for (Object methods :
        new Object[] {new CallBenchmark(), filled(new ArrayBenchmark()), new PinBenchmark()}) {
      Map<String, Long> sums = new LinkedHashMap<>();
      for (Method method : methods.getClass().getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers())
            && method.isAnnotationPresent(Benchmark.class)
            && isNative(method.getName())) {
          compare(sums, method.getName(), sum(methods, method));
        }
      }
    }
  }

  private static ArrayBenchmark filled(ArrayBenchmark benchmark) {
    benchmark.fill();
    return benchmark;
  }

  /** Java's own call, and Java's own copy, reach no native code. */
  private static boolean isNative(String name) {
    return !name.endsWith("_java") && !(name.startsWith("copy") && name.endsWith("_ffm"));
  }

  private static long sum(Object methods, Method method) {
    CrossingLibrary.takeSum();
    Target.takeSum();
    try {
      method.invoke(methods);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot run: method=" + method.getName(), e);
    }
    return CrossingLibrary.takeSum() + Target.takeSum();
  }

  private static void compare(Map<String, Long> sums, String name, long sum) {
    String row = name.substring(0, name.indexOf('_'));
    Long before = sums.putIfAbsent(row, sum);
    // A field may have been written before it is read; all else is the same each time.
    if (sum == 0 || (before != null && before != sum)) {
      throw new IllegalStateException(
          "ways disagree: method=" + name + ", sum=" + sum + ", another's=" + before);
    }
  }
}
