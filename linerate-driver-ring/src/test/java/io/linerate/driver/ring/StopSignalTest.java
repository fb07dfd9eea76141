package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.StopSignal;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals to a real process. */
@Timeout(240)
final class StopSignalTest {
  /** Forwards packets for ever; says when it is running, and at the end what it did, or throws. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      try (StopSignal _ = StopSignal.install(Program::stop)) {
        how = arguments[0];
        run();
      }
      if (how.equals("exits")) {
        StopSignal.exit(3);
      }
    }

    private static volatile Engine engine;
    private static volatile String how;

    private static void stop() {
      engine.stop();
      if (how.equals("stops badly")) {
        throw new IllegalStateException("stop went wrong");
      }
    }

    private static void run() throws InterruptedException {
      engine = new Engine();
      try (Engine used = engine) {
        Output output = used.worker().output(used.port("ring:out,size=64"));
        used.worker().input(used.port("ring:loop,loopback"), output::sendAll);
        used.worker()
            .input(
                new PacketSource(used.drivers().pools(), Frames.numbered(50, 64)), output::sendAll);
        used.start();
        while (used.worker().counts().received() < 50) {
          Thread.sleep(1);
        }
        System.out.println("running");
        while (!used.awaitEnd(100)) {
          // A signal ends this.
        }
        System.out.println(used.summary());
      }
      if (how.equals("throws")) {
        throw new IllegalStateException("program went wrong");
      }
    }
  }

  private static Process start(String how) throws IOException {
    // A shell without job control lets what it starts in the background ignore SIGINT.
    return new ProcessBuilder(
            "env",
            "--default-signal=INT",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName(),
            how)
        .redirectErrorStream(true)
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void shouldDrainAndSayWhatItDidOnSignal(String signal) throws Exception {
    assertThat(outputAfter(signal, start("returns"), 0))
        .contains("50 received, 50 sent, 0 dropped");
  }

  @Test
  void shouldExitWithTheStatusThatTheProgramTells() throws Exception {
    outputAfter("TERM", start("exits"), 3);
  }

  @Test
  void shouldSayWhatTheProgramThrewAndExitWithOne() throws Exception {
    assertThat(outputAfter("TERM", start("throws"), 1)).contains("program went wrong");
  }

  @Test
  void shouldEndAlsoIfStoppingThrows() throws Exception {
    assertThat(outputAfter("TERM", start("stops badly"), 1)).contains("stop went wrong");
  }

  private static String outputAfter(String signal, Process process, int status) throws Exception {
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(reader.readLine()).isEqualTo("running");
      new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
      String output = reader.readAllAsString();
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(output).isTrue();
      assertThat(process.exitValue()).as(output).isEqualTo(status);
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
