package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.numbers;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.testkit.graph.ElementHarness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureTest {
  private static final int PCAP_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;

  @TempDir Path folder;

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void shouldWriteAndPassOnWhatComes() throws IOException {
    byte[] frame = udp4().payload(20).toBytes();
    try (var harness = new ElementHarness(new Capture(file("seen.pcap")))) {
      harness.push(frame, new byte[0], numbers(3_000));
      assertThat(harness.out("out")).hasSize(3);
      assertThat(harness.read("written")).isEqualTo("3");
      assertThat(harness.read("lost")).isEqualTo("0");
    }
    byte[] content = Files.readAllBytes(folder.resolve("seen.pcap"));
    assertThat(content).hasSize(PCAP_HEADER_BYTES + 3 * RECORD_HEADER_BYTES + frame.length + 3_000);
    int at = PCAP_HEADER_BYTES + RECORD_HEADER_BYTES;
    assertThat(Arrays.copyOfRange(content, at, at + frame.length)).isEqualTo(frame);
  }

  @Test
  void shouldWriteTheFirstBytesWhenAsked() throws IOException {
    try (var harness = new ElementHarness(new Capture(file("short.pcap"), 10))) {
      harness.push(udp4().payload(20));
    }
    assertThat(Files.size(folder.resolve("short.pcap")))
        .isEqualTo(PCAP_HEADER_BYTES + RECORD_HEADER_BYTES + 10);
  }

  @Test
  void shouldShowPacketsInTheFileAfterASecond() throws IOException {
    try (var harness = new ElementHarness(new Capture(file("live.pcap")))) {
      harness.round();
      harness.push(new byte[60]);
      harness.advance(1_000_000_000);
      assertThat(Files.size(folder.resolve("live.pcap")))
          .isEqualTo(PCAP_HEADER_BYTES + RECORD_HEADER_BYTES + 60);
    }
  }

  @Test
  void shouldPassPacketsOnWhenTheDiskIsFull() {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.isWritable(full), "skipped: needs /dev/full");
    try (var harness = new ElementHarness(new Capture(full.toString()))) {
      harness.push(new byte[60], new byte[61]);
      harness.round();
      harness.advance(1_000_000_000);
      harness.push(new byte[62]);
      assertThat(harness.out("out")).hasSize(3);
      assertThat(harness.read("lost")).isEqualTo("3");
      assertThat(harness.read("written")).isEqualTo("0");
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldSayWhichFileCannotBeWritten() {
    String file = file("missing/seen.pcap");
    assertThatThrownBy(() -> new ElementHarness(new Capture(file)).close())
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("file=" + file, "no such directory");
    assertThatThrownBy(() -> new ElementHarness(new Capture("a\0b")).close())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("not the path of a file");
    assertThat(new Capture(" ", -1).problems()).hasSize(2);
  }

  @Test
  void shouldWriteAFileForEachWorker() throws IOException {
    Graph graph =
        Graph.of(g -> {
          Node in = g.add("in", new FromPort("in"));
          Node first = g.add("first", new Capture(file("tap.pcap")));
          Node second = g.add("second", new Capture(file("tap.pcap")));
          Node end = g.add("end", new Discard());
          g.chain(in, first, g.add("queue", new Queue(256)), second, end);
          g.on(0, in, first).on(1, second, end);
        });
    try (var harness = new ElementHarness(new Capture(file("in.pcap")))) {
      harness.push(new byte[60]);
    }
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      engine.port("in", "pcap:rx=" + file("in.pcap"));
      GraphRunner runner = GraphRunner.install(graph, engine);
      assertThat(engine.run().packets().isConserved()).isTrue();
      assertThat(runner.read("second.written").sum()).isEqualTo(1);
    } // Closes the files, too.
    assertThat(Files.readAllBytes(folder.resolve("tap-1.pcap")))
        .hasSize(PCAP_HEADER_BYTES + RECORD_HEADER_BYTES + 60)
        .isEqualTo(Files.readAllBytes(folder.resolve("tap.pcap")));
  }
}
