package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalTest {
  @TempDir Path folder;

  @Test
  void shouldDrainAndPrintTheSummaryWhenTerminated() throws Exception {
    Path in =
        PcapFile.write(folder.resolve("in.pcap"), List.of(Frame.udp(1, 64), Frame.udp(2, 99)));
    Path out = folder.resolve("out.pcap");
    try (ChildJvm child =
        new ChildJvm(
            folder,
            "io.linerate.apps.Main",
            "capture",
            "--port",
            "pcap:rx=" + in + ",loop=forever,pace=recorded",
            "--write",
            out,
            "--stats",
            "100ms",
            "--json")) {
      while (child.isAlive() && !ChildJvm.text(folder, "err").contains("received")) {
        Thread.sleep(20);
      }
      child.terminate();
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    JsonObject json = JsonParser.parseString(ChildJvm.text(folder, "out")).getAsJsonObject();
    assertThat(json.get("received").getAsLong())
        .isPositive()
        .isEqualTo(PcapFile.records(out).size());
    assertThat(json.get("inFlight").getAsLong()).isZero();
  }

  @Test
  void shouldPrintWhatWasMeasuredWhenTerminated() throws Exception {
    String wire = "ring:signal,loopback";
    try (ChildJvm child =
        new ChildJvm(
            folder,
            "io.linerate.apps.Main",
            "measure",
            "--throughput",
            "--tx",
            wire,
            "--rx",
            wire,
            "--sizes",
            "64,128",
            "--trial",
            "100ms",
            "--line",
            "1Mbps",
            "--searches",
            "100",
            "--json")) {
      while (child.isAlive() && !ChildJvm.text(folder, "err").contains("search 1 found")) {
        Thread.sleep(20);
      }
      child.terminate();
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isEqualTo(1);
    }
    assertThat(ChildJvm.text(folder, "err")).contains("measuring was stopped");
    JsonObject json = JsonParser.parseString(ChildJvm.text(folder, "out")).getAsJsonObject();
    assertThat(json.getAsJsonArray("sizes")).hasSize(1);
    JsonObject size = json.getAsJsonArray("sizes").get(0).getAsJsonObject();
    assertThat(size.getAsJsonArray("searchesPps").size()).isBetween(1, 99);
  }
}
