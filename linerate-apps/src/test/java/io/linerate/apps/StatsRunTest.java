package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.Sample;
import io.linerate.testkit.VethPair;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers of a program in another process. */
class StatsRunTest {
  private static final String NAME = "stats-run-test-" + ProcessHandle.current().pid();

  @TempDir Path folder;

  private CountersReader reader() throws InterruptedException {
    while (true) {
      CountersReader found = null;
      for (CountersReader reader : ProgramFolder.ofUser().running()) {
        if (reader.program().name().equals(NAME)) {
          found = reader;
        } else {
          reader.close();
        }
      }
      if (found != null) {
        return found;
      }
      Thread.sleep(20);
    }
  }

  @Test
  void shouldTellOfTheSteeringRulesOfARunningProgram() throws Exception {
    String near = "lad" + ProcessHandle.current().pid();
    try (VethPair _ = VethPair.make(near, "lae" + ProcessHandle.current().pid());
        ChildJvm _ =
            new ChildJvm(
                folder,
                Main.class.getName(),
                "capture",
                "--port",
                "packet:" + near,
                "--set",
                "queues=2",
                "--set",
                "steer=port0=udp dport 53 queue 1; port0=vlan 100 queue 0",
                "--duration",
                "1h",
                "--set",
                "programname=" + NAME);
        CountersReader reader = reader()) {
      assertThat(Run.of("doctor").out())
          .contains(
              "steering of %s (%d), port0".formatted(NAME, reader.program().pid()),
              "  udp dport 53 queue 1; vlan 100 queue 0\n");
    }
  }

  private static long sum(List<Sample> samples, String name) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name))
        .mapToLong(Sample::value)
        .sum();
  }

  @Test
  void shouldPrintWhatAnotherProcessCountsAndKeepItsLastNumbers() throws Exception {
    try (ChildJvm child =
        new ChildJvm(
            folder,
            Main.class.getName(),
            "generate",
            "--port",
            "ring:nobody,size=64",
            "--rate",
            "10kpps",
            "--duration",
            "1h",
            "--json",
            "--set",
            "programname=" + NAME)) {
      try (CountersReader reader = reader()) {
        Run text = Run.of("stats", NAME);
        assertThat(text.status()).isZero();
        assertThat(text.out())
            .contains("# " + NAME, "\nlinerate_worker_busy_seconds_total{worker=\"0\"} ");
        Run csv =
            Run.of("stats", reader.program().pid(), "--csv", "--interval", "10ms", "--count", "3");
        assertThat(csv.out()).startsWith("timeMs,pid,sample,kind,value\n");
        assertThat(csv.out().split("\"linerate_received_packets_total\",counter,", -1)).hasSize(4);
        JsonObject json = Run.of("stats", NAME, "--json").json();
        assertThat(json.get("program").getAsString()).isEqualTo(NAME);
        assertThat(json.getAsJsonArray("samples"))
            .extracting(JsonElement::getAsJsonObject)
            .extracting(sample -> sample.get("name").getAsString())
            .contains("linerate_port_info", "linerate_jvm_heap_used_bytes");

        child.terminate();
        assertThat(child.status()).isZero();
        JsonObject last = JsonParser.parseString(ChildJvm.text(folder, "out")).getAsJsonObject();
        assertThat(reader.hasEnded()).isTrue();
        List<Sample> samples = reader.samples();
        assertThat(sum(samples, "linerate_received_packets_total"))
            .isEqualTo(last.get("received").getAsLong());
        assertThat(sum(samples, "linerate_sent_packets_total"))
            .isEqualTo(last.get("sent").getAsLong());
        assertThat(sum(samples, "linerate_port_sent_packets_total"))
            .isEqualTo(last.get("sent").getAsLong());
      }
    }
  }

  @Test
  void shouldSayWhichProgramsThereAreWhenNoneIsMeant() {
    Run run = Run.of("stats", "no-such-program");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("no such program runs: program=no-such-program, running=");
    assertThat(Run.of("stats", "--csv", "--json").status()).isEqualTo(2);
  }
}
