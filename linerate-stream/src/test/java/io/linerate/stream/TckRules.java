package io.linerate.stream;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** The rules of Reactive Streams as their TCK verifies them: a test for each. */
final class TckRules {
  /** What is waited for comes in that time on any machine. */
  private static final long MAX_WAIT_MS = 20_000;

  /** How long it is looked whether something comes that must not. */
  private static final long NO_SIGNAL_MS = 20;

  private TckRules() {}

  /** One that is closed after each rule. */
  interface Verification extends AutoCloseable {
    @Override
    void close();
  }

  static TestEnvironment environment() {
    return new TestEnvironment(MAX_WAIT_MS, NO_SIGNAL_MS, NO_SIGNAL_MS, false);
  }

  static long maxWaitMs() {
    return MAX_WAIT_MS;
  }

  /** Those that it verifies; one that need not hold and does not is skipped. */
  static Stream<DynamicTest> of(Class<?> type, Supplier<? extends Verification> verification) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .filter(method -> !method.getName().startsWith("untested_"))
        .sorted(Comparator.comparing(Method::getName))
        .map(rule -> DynamicTest.dynamicTest(rule.getName(), () -> verify(verification, rule)));
  }

  private static void callAll(Verification verification, Class<? extends Annotation> when)
      throws ReflectiveOperationException {
    for (Method method : verification.getClass().getMethods()) {
      if (method.isAnnotationPresent(when)) {
        method.invoke(verification);
      }
    }
  }

  private static void verify(Supplier<? extends Verification> verification, Method rule)
      throws Throwable {
    try (Verification fresh = verification.get()) {
      callAll(fresh, BeforeClass.class);
      callAll(fresh, BeforeMethod.class);
      try {
        rule.invoke(fresh);
      } finally {
        callAll(fresh, AfterClass.class);
      }
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SkipException skipped) {
        throw new TestAbortedException(rule.getName() + ": " + skipped.getMessage());
      }
      throw new AssertionError(rule.getName() + ": " + e.getCause(), e.getCause());
    }
  }
}
