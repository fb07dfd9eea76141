package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.Sample;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine with a graph says how it stands. */
class GraphSamplesTest {
  private static final int PACKETS = 1_000;

  @TempDir Path folder;

  private String capture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      List<byte[]> frames = Frames.numbered(PACKETS, 64);
      for (int i = 0; i < PACKETS; i++) {
        byte[] frame = frames.get(i);
        frame[12] = 8;
        frame[13] = (byte) (i % 4 == 0 ? 6 : 0);
        writer.write(packets.of(frame));
      }
    }
    return "pcap:rx=" + file;
  }

  private static Graph split() {
    return Graph.of(g -> {
      Node kind = g.add("kind", Classifier.of("arp 12/0806", "rest -"));
      g.chain(g.add("in", new FromPort("in")), kind.out("rest"), g.add("out", new ToPort("out")));
      g.chain(kind.out("arp"), g.add("arp", new Discard()));
    });
  }

  private static Map<String, Long> byKey(List<Sample> samples) {
    return samples.stream().collect(Collectors.toMap(Sample::key, Sample::value));
  }

  @Test
  void shouldSayTheSameAsTheSummaryAlsoAfterTheEngineIsClosed() {
    Engine engine = new Engine();
    List<Sample> running;
    try (engine) {
      engine.port("in", capture());
      engine.port("out", "ring:out,size=4096");
      GraphRunner.install(split(), engine);
      assertThat(byKey(engine.samples())).containsEntry("linerate_received_packets_total", 0L);
      engine.run();
      running = engine.samples();
    }
    assertThat(byKey(running))
        .containsEntry("linerate_received_packets_total", 1_000L)
        .containsEntry("linerate_sent_packets_total", 750L)
        .containsEntry("linerate_dropped_packets_total{reason=\"consumed\"}", 250L)
        .containsEntry("linerate_in_flight_packets", 0L)
        .containsEntry("linerate_port_received_packets_total{port=\"in\"}", 1_000L)
        .containsEntry("linerate_port_sent_bytes_total{port=\"out\"}", 48_000L)
        .containsEntry(
            "linerate_edge_packets_total{from=\"kind\",output=\"arp\",to=\"arp\",input=\"in\"}",
            250L)
        .containsEntry("linerate_element_sent_bytes_total{element=\"kind\"}", 64_000L)
        .containsEntry(
            "linerate_element_dropped_packets_total{element=\"arp\",reason=\"consumed\"}", 250L)
        .containsEntry(
            "linerate_element_info{element=\"out\",type=\"ToPort\",parameters=\"port=out\"}", 1L)
        .containsKey("linerate_worker_busy_seconds_total{worker=\"0\"}");
    assertThat(bursts(running)).isEqualTo((PACKETS + 63) / 64);
    assertThat(engine.samples()).hasSameSizeAs(running);
  }

  @Test
  void shouldSayWhatElementsTakeOfTheirWorkersTime() {
    try (Engine engine = new Engine()) {
      engine.port("in", capture());
      engine.port("out", "ring:out,size=4096");
      GraphRunner.install(split(), engine);
      engine.run();
      Map<String, Long> samples = byKey(engine.samples());
      for (String element : List.of("in", "kind", "arp", "out")) {
        String labels = "{element=\"" + element + "\",worker=\"0\"}";
        long timed = samples.get("linerate_element_timed_bursts_total" + labels);
        assertThat(timed).isBetween(1L, (PACKETS + 63) / 64L);
        assertThat(samples.get("linerate_element_timed_packets_total" + labels))
            .isBetween(timed, timed * 64);
        assertThat(samples.get("linerate_element_timed_seconds_total" + labels)).isNotNegative();
      }
      assertThat(samples.get("linerate_element_timed_seconds_total{element=\"kind\",worker=\"0\"}"))
          .isPositive();
    }
  }

  private static long bursts(List<Sample> samples) {
    return samples.stream()
        .filter(sample -> sample.name().equals("linerate_worker_bursts_total"))
        .mapToLong(Sample::value)
        .sum();
  }

  @Test
  void shouldSayEachSampleOnceAndThoseOfANameTogether() {
    try (Engine engine = new Engine()) {
      engine.port("in", capture());
      engine.port("out", "ring:out,size=4096");
      GraphRunner.install(split(), engine);
      engine.run();
      List<Sample> samples = engine.samples();
      assertThat(samples).extracting(Sample::key).doesNotHaveDuplicates();
      List<String> names = samples.stream().map(Sample::name).toList();
      long changes = 1;
      for (int i = 1; i < names.size(); i++) {
        changes += names.get(i).equals(names.get(i - 1)) ? 0 : 1;
      }
      assertThat(changes).isEqualTo(names.stream().distinct().count());
    }
  }

  @Test
  void shouldDescribeElementsWithTheirManualPages() {
    try (Engine engine = new Engine()) {
      engine.port("in", capture());
      engine.port("out", "ring:out,size=4096");
      GraphRunner runner = GraphRunner.install(split(), engine);
      GraphDescription description = runner.description();
      assertThat(description.edges()).isEqualTo(runner.graph().edges());
      ElementDescription kind = description.elements().getFirst();
      assertThat(kind.name()).isEqualTo("kind");
      assertThat(kind.type()).isEqualTo("Classifier");
      assertThat(kind.page())
          .startsWith("Sends each packet to the output of the first pattern")
          .contains("example")
          .doesNotContain("<pre>", "{@", "*/", "@param");
      assertThat(kind.handlers()).extracting(HandlerInfo::name).contains("packets", "held");
    }
  }
}
