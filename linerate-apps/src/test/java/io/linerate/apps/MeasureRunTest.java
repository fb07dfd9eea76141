package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasureRunTest {
  private static final String WIRE = "ring:x,loopback";

  @TempDir Path folder;

  @Test
  void shouldFindTheRateOfALineThatADeviceCarries() throws Exception {
    Path chart = folder.resolve("chart.svg");
    Run run;
    int tries = 0;
    do {
      run =
          Run.of(
              "measure",
              "--latency",
              "--tx",
              WIRE,
              "--rx",
              WIRE,
              "--sizes",
              "64,1518",
              "--trial",
              "50ms",
              "--line",
              "1Mbps",
              "--searches",
              2,
              "--chart",
              chart,
              "--json");
      // A machine under load may keep the generator from its CPU in every trial.
    } while (run.status() == 0 && run.out().contains("\"throughputPps\":0.0") && ++tries < 20);
    assertThat(run.status()).as(run.err()).isZero();
    JsonObject small = run.json().getAsJsonArray("sizes").get(0).getAsJsonObject();
    // 1 Mbit/s carries 1,488 frames of 64 bytes in a second; a wire in memory far more.
    assertThat(small.get("mostPps").getAsDouble()).isBetween(1_488.0, 1_489.0);
    assertThat(small.get("throughputPps").getAsDouble()).isBetween(1.0, 1_489.0);
    assertThat(small.getAsJsonArray("searchesPps")).hasSize(2);
    assertThat(small.get("limitedBy").getAsString()).isIn("line", "device", "sender");
    assertThat(small.getAsJsonObject("latencyUs").keySet()).contains("median", "p99.99", "max");
    assertThat(run.json().has("stealPercent")).isTrue();
    assertThat(run.err()).contains("64 bytes: ", "1518 bytes: search 2 found");
    assertThat(Files.readString(chart)).contains("<svg", "</svg>");
  }

  @Test
  @Tag("soak")
  void shouldFindNothingWhenEveryTrialLoses() {
    String lossy = "fault:drop=0.5,port=" + WIRE;
    Run run =
        Run.of(
            "measure",
            "--throughput",
            "--tx",
            lossy,
            "--rx",
            lossy,
            "--sizes",
            64,
            "--trial",
            "200ms",
            "--line",
            "100kbps",
            "--repeats",
            0,
            "--resolution",
            "50%");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("of line", "0.0 %").contains("hypervisor");
    assertThat(run.err()).contains(": lost");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--tx W --rx W|nothing to measure;",
        "--throughput --rx W|a port is missing: option=--tx;",
        "--throughput --tx W --rx W --sizes 63|wrong value: --sizes 63;",
        "--throughput --tx W --rx W --trial 5|--trial: not a time: 5;",
        "--throughput --tx W --rx W --loss x|wrong value: --loss x;",
        "--throughput --tx W --rx W --resolution 0|wrong value: --resolution 0;",
        "--throughput --tx W --rx W --line 1Mpps|wrong value: --line 1Mpps;",
        "--throughput --tx W --rx W --stream size=64|wrong value: --stream size=64;",
        "--throughput --tx W --rx W --stream color=red|unknown key of a stream: key=color;",
        "--throughput --tx W --rx W --chart x.gif|no such chart: file=x.gif;",
        "--throughput --tx W --rx W --chart /nonexistent/x.png|no folder that a chart can be written into: file=/nonexistent/x.png; make",
        "--throughput --tx pcap:tx=/dev/null --rx pcap:tx=/dev/null|port does not receive:",
      })
  void shouldSayInOneSentenceWhatTheUserMustChange(String options, String message) {
    Run run = Run.of((Object[]) ("measure " + options.replace(" W", " " + WIRE)).split(" ", -1));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("linerate: ").contains(message).hasLineCount(1);
  }
}
