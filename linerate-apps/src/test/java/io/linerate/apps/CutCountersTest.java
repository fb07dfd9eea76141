package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.CountersPublisher;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.counter.ProgramLock;
import io.linerate.core.counter.SampleUnit;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody makes a program's counters file shorter while commands read it. */
class CutCountersTest {
  private static final String NAME = "cut-counters-test-" + ProcessHandle.current().pid();

  @TempDir Path folder;
  private Path path = Path.of("");
  private ProgramLock lock;

  /** The file of a program that says nothing more, beside those of programs that run. */
  @BeforeEach
  void makeFile() throws Exception {
    ProgramInfo program = ProgramInfo.ofThisProcess(NAME);
    try (CountersPublisher _ =
        CountersPublisher.start(
            program,
            sink -> sink.counter("linerate_received_packets_total", SampleUnit.PACKETS, 7),
            System::nanoTime)) {
      while (Run.of("stats", NAME).status() != 0) {
        Thread.sleep(20);
      }
      Path own =
          ProgramFolder.ofUser().files(".counters").stream()
              .filter(file -> file.toString().contains(NAME))
              .findFirst()
              .orElseThrow();
      path = Files.copy(own, own.resolveSibling(program.pid() + "-copy.counters"));
      lock = ProgramLock.take(path);
    }
  }

  @AfterEach
  void removeFile() throws IOException {
    Files.deleteIfExists(path);
    lock.close();
  }

  private void cut(long bytes) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      file.truncate(bytes);
    }
  }

  @Test
  void shouldEndStatsWithASentence() throws Exception {
    try (ChildJvm stats =
        new ChildJvm(folder, Main.class.getName(), "stats", NAME, "--interval", "20ms")) {
      while (ChildJvm.text(folder, "out").lines().count() < 4) {
        Thread.sleep(20);
      }
      cut(4_100);
      assertThat(stats.status()).isLessThanOrEqualTo(1);
      assertThat(ChildJvm.text(folder, "err"))
          .matches("(linerate: counters file became shorter: file=[^;]*; see .*\n)?");
      assertThat(Run.of("stats", NAME).err()).contains("no such program runs");
    }
  }

  @Test
  void shouldEndTopAndGiveTheTerminalBack() throws Exception {
    try (Terminal top =
        new Terminal(
            24,
            100,
            Map.of(),
            ChildJvm.command(Main.class.getName(), "top", NAME, "--interval", "250ms"))) {
      top.await("received 7");
      cut(0);
      assertThat(top.end()).isEqualTo("status 0 restored");
      assertThat(top.written()).contains("gone without its last numbers");
    }
  }
}
