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
  /** Forwards packets for ever; says when it is running, and at the end what it did. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      try (Engine engine = new Engine();
          StopSignal signal = StopSignal.install(engine::stop)) {
        signal.exitStatus(Integer.parseInt(arguments[0]));
        Output output = engine.worker().output(engine.port("ring:out,size=64"));
        engine.worker().input(engine.port("ring:loop,loopback"), output::sendAll);
        engine
            .worker()
            .input(
                new PacketSource(engine.drivers().pools(), Frames.numbered(50, 64)),
                output::sendAll);
        engine.start();
        while (engine.worker().counts().received() < 50) {
          Thread.sleep(1);
        }
        System.out.println("running");
        while (!engine.awaitEnd(100)) {
          // A signal ends this.
        }
        System.out.println(engine.summary());
      }
    }
  }

  private static Process start(int exitStatus) throws IOException {
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
            String.valueOf(exitStatus))
        .redirectErrorStream(true)
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void shouldDrainAndSayWhatItDidOnSignal(String signal) throws Exception {
    assertThat(outputAfter(signal, start(0), 0)).contains("50 received, 50 sent, 0 dropped");
  }

  @Test
  void shouldExitWithTheStatusThatTheProgramSet() throws Exception {
    outputAfter("TERM", start(3), 3);
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
