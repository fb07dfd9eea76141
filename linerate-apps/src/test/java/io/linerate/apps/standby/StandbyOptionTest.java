package io.linerate.apps.standby;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.apps.nat.NatCommand;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.middlebox.standby.TableHandover;
import io.linerate.program.run.CommandRun;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandbyOptionTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void shouldEndAsFailedWhereNothingCouldBeCopiedAnyMore() throws IOException {
    assertThat(run(List.of("nothing is copied to a standby any more")))
        .isEqualTo(ExitStatus.FAILED);
    assertThat(failures()).contains("nothing is copied to a standby any more");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("test: nothing is copied to a standby any more");
  }

  @Test
  void shouldEndWellWhereAllWasCopied() throws IOException {
    assertThat(run(List.of())).isEqualTo(ExitStatus.DONE);
    assertThat(failures()).isEqualTo("[]");
  }

  private String failures() {
    return JsonParser.parseString(out.toString(StandardCharsets.UTF_8))
        .getAsJsonObject()
        .get("failures")
        .toString();
  }

  /** A graph from a port to itself, of which nothing comes. */
  private int run(List<String> failures) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("p.properties"),
            "ports=a=pcap:rx=%s,tx=/dev/null".formatted(noFrames()));
    StandbyOption.Turn turn = new StandbyOption.Turn(TableHandover.NONE, 1, () -> failures);
    Console console = new Console("test", print(out), print(err));
    return new CommandRun(new NatCommand().spec(), console)
        .run(
            new String[] {config.toString(), "--json"},
            options ->
                GraphProgram.run(
                    GraphProgram.read(options, "test"),
                    turn.withFailures((g, _) ->
                        g.chain(g.add("from", new FromPort("a")), g.add("to", new ToPort("a")))),
                    options,
                    console));
  }

  private Path noFrames() throws IOException {
    ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(0xA1B2_3C4D).putShort((short) 2).putShort((short) 4);
    header.putInt(16, 262_144).putInt(20, 1);
    return Files.write(folder.resolve("none.pcap"), header.array());
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }
}
