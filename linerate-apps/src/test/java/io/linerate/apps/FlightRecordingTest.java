package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.Sample;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that Flight Recorder records tells it what happens; so does the virtual machine. */
class FlightRecordingTest {
  private static final String NAME = "flight-recording-test-" + ProcessHandle.current().pid();

  @TempDir Path folder;

  private Path configuration(String settings) throws Exception {
    Path capture = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(capture, 0)) {
      for (byte[] frame : Frames.numbered(1_000, 64)) {
        writer.write(packets.of(frame));
      }
    }
    Path rules = Files.writeString(folder.resolve("rules"), "nonip drop\n");
    return Files.writeString(
        folder.resolve("fw.properties"),
        """
        programname=%s
        ports=in=pcap:rx=%s,loop=forever; out=pcap:tx=/dev/null
        rules=%s
        %s
        """
            .formatted(NAME, capture, rules, settings));
  }

  private static Run ctl(Object... order) {
    Object[] arguments = new Object[order.length + 2];
    System.arraycopy(new Object[] {"ctl", NAME}, 0, arguments, 0, 2);
    System.arraycopy(order, 0, arguments, 2, order.length);
    return Run.of(arguments);
  }

  /** The numbers of the program that have this name, summed up; none before it has any. */
  private static long sample(String name) {
    long sum = 0;
    for (CountersReader reader : ProgramFolder.ofUser().running()) {
      try (reader) {
        if (reader.program().name().equals(NAME)) {
          sum +=
              reader.samples().stream()
                  .filter(sample -> sample.name().equals(name))
                  .mapToLong(Sample::value)
                  .sum();
        }
      }
    }
    return sum;
  }

  private static void awaitSample(String name) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (sample(name) == 0) {
      assertThat(System.nanoTime()).as("still no " + name).isLessThan(endNs);
      Thread.sleep(50);
    }
  }

  @Test
  void shouldTellFlightRecorderOfSlowBurstsDropsAndChanges() throws Exception {
    Path recording = folder.resolve("flight.jfr");
    try (ChildJvm child =
        new ChildJvm(
            folder,
            "-XX:StartFlightRecording:filename=" + recording,
            Main.class.getName(),
            "firewall",
            "--dashboard",
            "127.0.0.1:0",
            configuration("duration=1h\nslowburstus=200"))) {
      awaitSample("linerate_dropped_packets_total");
      awaitSample("linerate_worker_allocated_bytes_total");
      awaitSample("linerate_jvm_deoptimisations_total");
      assertThat(ctl("add-rule", "drop 10.0.0.0/8", "0").err()).isEmpty();
      assertThat(ctl("tap", "in0", "rules0", "10").err()).isEmpty();
      assertThat(ctl("reload").err()).isEmpty();
      assertThat(ctl("stop").status()).isZero();
      assertThat(child.status()).isZero();
    }
    Map<String, List<RecordedEvent>> events =
        RecordingFile.readAllEvents(recording).stream()
            .filter(event -> event.getEventType().getCategoryNames().contains("Linerate"))
            .collect(Collectors.groupingBy(event -> event.getEventType().getLabel()));
    assertThat(events).containsOnlyKeys("Slow Burst", "Drops", "Live Change");
    RecordedEvent slow = events.get("Slow Burst").getFirst();
    assertThat(slow.getInt("worker")).isZero();
    assertThat(slow.getDuration("took")).isPositive();
    assertThat(events.get("Slow Burst"))
        .anySatisfy(event -> assertThat(event.getLong("packets")).isPositive());
    assertThat(events.get("Drops"))
        .anySatisfy(event -> {
          assertThat(event.getString("reason")).isEqualTo("non_ip");
          assertThat(event.getLong("packets")).isPositive();
        });
    assertThat(events.get("Live Change"))
        .extracting(event -> event.getString("what"))
        .contains("rules", "graph");
    assertThat(events.get("Live Change"))
        .extracting(event -> event.getString("text"))
        .contains("rule added: rule=drop 10.0.0.0/8")
        .anySatisfy(text -> assertThat(text).startsWith("rules read again: file="));
  }

  /** Of one that ends within the quarter of a second after which others have a counters file. */
  @Test
  void shouldTellFlightRecorderOfTheDropsOfAShortProgram() throws Exception {
    Path recording = folder.resolve("flight.jfr");
    configuration("");
    try (ChildJvm child =
        new ChildJvm(
            folder,
            "-XX:StartFlightRecording:filename=" + recording,
            Main.class.getName(),
            "capture",
            "--port",
            "pcap:rx=" + folder.resolve("in.pcap"))) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(RecordingFile.readAllEvents(recording))
        .filteredOn(event -> event.getEventType().getName().equals("io.linerate.Drops"))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.getString("reason")).isEqualTo("consumed");
          assertThat(event.getLong("packets")).isEqualTo(1_000);
        });
  }

  /** Its loading takes long: nothing that a worker should wait for, whoever reads its numbers. */
  @Test
  void shouldLoadTheEventOfSlowBurstsOnNoWorker() throws Exception {
    Path recording = folder.resolve("flight.jfr");
    try (ChildJvm child =
        new ChildJvm(
            folder,
            "-XX:StartFlightRecording:filename=" + recording + ",jdk.ClassLoad#enabled=true",
            Main.class.getName(),
            "firewall",
            configuration("duration=1s\nslowburstus=1\ncounters=false"))) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
    assertThat(events)
        .anyMatch(event -> event.getEventType().getName().equals("io.linerate.SlowBurst"));
    assertThat(events)
        .filteredOn(event -> event.getEventType().getName().equals("jdk.ClassLoad"))
        .filteredOn(event -> event.getClass("loadedClass").getName().endsWith(".SlowBurstEvent"))
        .extracting(event -> event.getThread().getJavaName())
        .containsOnly("main");
  }
}
