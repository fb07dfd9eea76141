package io.linerate.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.Sample;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramLogTest {
  private final ProgramLog log = new ProgramLog();
  private final System.Logger logger = log.getLogger("one", ProgramLogTest.class.getModule());

  @Test
  void shouldKeepWhatIsLoggedFromTheLevelOn() {
    log.printer((_, _) -> {});
    logger.log(Level.DEBUG, "not this");
    logger.log(Level.WARNING, "queue {0} is {1}", 3, "full");
    log.level(Level.DEBUG);
    logger.log(Level.DEBUG, "now {this", new IllegalStateException("why"));
    List<LogEntry> entries = log.entries();
    assertThat(entries).extracting(LogEntry::id).containsExactly(1L, 2L);
    assertThat(entries.getFirst().text()).isEqualTo("queue 3 is full");
    assertThat(entries.getFirst().logger()).isEqualTo("one");
    assertThat(entries.getLast().text()).contains("now {this", "why");
    log.level(Level.OFF);
    logger.log(Level.ERROR, "nor this");
    assertThat(log.entries()).hasSize(2);
    assertThat(log.samples())
        .extracting(Sample::toString)
        .containsExactly(
            "linerate_log_messages_total{level=\"debug\"} 1",
            "linerate_log_messages_total{level=\"warning\"} 1");
  }

  /** Its server tells of each request, and the end of a program where it was asked for. */
  @Test
  void shouldLeaveOutWhatTheJdkTellsForItself() {
    System.Logger jdk = log.getLogger("java.lang.Runtime", Runtime.class.getModule());
    log.printer((_, _) -> {});
    log.level(Level.DEBUG);
    assertThat(jdk.isLoggable(Level.DEBUG)).isFalse();
    jdk.log(Level.DEBUG, "Runtime.exit() called", new Throwable("stack"));
    jdk.log(Level.INFO, "this");
    logger.log(Level.DEBUG, "and this");
    log.level(Level.TRACE);
    jdk.log(Level.DEBUG, "all that there is");
    assertThat(log.entries())
        .extracting(LogEntry::text)
        .containsExactly("this", "and this", "all that there is");
  }

  @Test
  void shouldShowEntriesWhereItIsTold() {
    List<String> shown = new ArrayList<>();
    log.printer((entry, thrown) -> shown.add(entry.line() + (thrown == null ? "" : " and stack")));
    logger.log(Level.INFO, "one");
    logger.log(Level.WARNING, "two");
    logger.log(Level.DEBUG, "not this");
    logger.log(Level.ERROR, "three", new IllegalStateException("why"));
    assertThat(shown)
        .containsExactly(
            "one", "warning: two", "error: three: java.lang.IllegalStateException: why and stack");
    assertThat(log.entries(2)).extracting(LogEntry::id).containsExactly(2L, 3L);
    assertThat(log.entries(9)).hasSize(3);
  }

  @Test
  void shouldKeepABoundedNumber() {
    log.printer((_, _) -> {});
    log.level(Level.TRACE);
    for (int i = 0; i < 600; i++) {
      log.add(Level.TRACE, "one", "entry " + i, null);
    }
    assertThat(log.entries()).hasSize(500);
    assertThat(log.entries().getFirst().text()).isEqualTo("entry 100");
    assertThat(log.entries().getLast().id()).isEqualTo(600);
  }
}
