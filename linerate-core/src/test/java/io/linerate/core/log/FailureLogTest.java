package io.linerate.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Failures are counted and named whatever they, and the log, do. */
class FailureLogTest {
  /** Throws whatever it is to log. */
  private record ThrowingLogger() implements System.Logger {
    @Override
    public String getName() {
      return "throwing";
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
      throw new IllegalStateException("wanted by the test");
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... parameters) {
      throw new IllegalStateException("wanted by the test");
    }
  }

  @Test
  void shouldCountAndNameFailuresThoughTheLogThrows() {
    FailureLog log = new FailureLog(new ThrowingLogger());
    log.add(() -> "handler failed: worker=0", new AssertionError("of the handler"));
    assertThat(log.count()).isEqualTo(1);
    assertThat(log.first().orElseThrow())
        .isEqualTo("handler failed: worker=0, error=java.lang.AssertionError: of the handler");
  }
}
