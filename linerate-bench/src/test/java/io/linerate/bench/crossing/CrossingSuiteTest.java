package io.linerate.bench.crossing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Benchmark;

class CrossingSuiteTest {
  @TempDir Path folder;

  @BeforeEach
  void requireLibrary() {
    System.setProperty(
        CrossingLibrary.PROPERTY, RecordingSession.requireTwin("crossing.so").toString());
  }

  @Test
  void shouldDoTheSameInEveryWay() {
    assertThatNoException().isThrownBy(new SameWork()::require);
  }

  @Test
  void shouldHaveARowForEveryMethod() {
    List<String> methods =
        Stream.of(CallBenchmark.class, ArrayBenchmark.class, PinBenchmark.class)
            .flatMap(type -> Stream.of(type.getDeclaredMethods()))
            .filter(method -> method.isAnnotationPresent(Benchmark.class))
            .map(Method::getName)
            .toList();
    assertThat(methods)
        .hasSizeGreaterThan(30)
        .allSatisfy(method ->
            assertThat(Crossing.ALL)
                .anyMatch(row -> method.startsWith(row.method() + "_") && Way.of(method) != null));
  }

  @Test
  void shouldMeasurePinning() throws Exception {
    RecordingSession session = new RecordingSession(folder, "pin");
    new CrossingSuite().run(session);
    Result pin = session.results().get("pin an array of 1,000 B");
    assertThat(pin.contestants()).containsOnlyKeys("jni", "jni with copy", "ffm critical");
    assertThat(pin.contestants().values())
        .allSatisfy(ns -> assertThat(ns.median()).isBetween(0.5, 1_000_000.0));
    assertThat(pin.theirs()).isNotEmpty();
  }
}
