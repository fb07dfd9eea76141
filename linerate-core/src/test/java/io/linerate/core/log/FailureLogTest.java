package io.linerate.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Failures are counted and named whatever they, and the log, do. */
class FailureLogTest {
  /** Gives what it is to log to {@code target}. */
  private record LoggerTo(Consumer<String> target) implements System.Logger {
    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String text,
        @Nullable Throwable e) {
      target.accept(String.valueOf(text));
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... parameters) {
      target.accept(String.valueOf(format));
    }
  }

  @Test
  void shouldCountAndNameFailuresThoughTheLogThrows() {
    FailureLog log =
        new FailureLog(
            new LoggerTo(_ -> {
              throw new IllegalStateException("wanted by the test");
            }));
    log.add(() -> "handler failed: worker=0", new AssertionError("of the handler"));
    assertThat(log.count()).isEqualTo(1);
    assertThat(log.first().orElseThrow())
        .isEqualTo("handler failed: worker=0, error=java.lang.AssertionError: of the handler");
  }

  /** One that fails all the time does not hide another. */
  @Test
  void shouldCountAndLogThePlacesOfFailuresApart() {
    List<String> logged = new ArrayList<>();
    FailureLog log = new FailureLog(new LoggerTo(logged::add));
    for (int i = 0; i < 1_000; i++) {
      log.add("element=b", () -> "element failed: element=b", new AssertionError("of b"));
    }
    log.add("element=p", () -> "element failed: element=p", new AssertionError("of p"));
    log.addLogged("element=p", () -> "element failed: element=p", new AssertionError("again"));
    assertThat(logged)
        .contains(
            "element failed: element=b, failures since the last message=1",
            "element failed: element=p, failures since the last message=1");
    assertThat(logged.stream().filter(line -> line.contains("element=p"))).hasSize(1);
    assertThat(log.failures())
        .containsExactly(
            new FailureLog.Failures(
                "element=b",
                "element failed: element=b, error=java.lang.AssertionError: of b",
                1_000),
            new FailureLog.Failures(
                "element=p", "element failed: element=p, error=java.lang.AssertionError: of p", 2));
    assertThat(log.count()).isEqualTo(1_002);
  }
}
