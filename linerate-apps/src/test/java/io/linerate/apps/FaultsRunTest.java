package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets lost, doubled, changed and cut on their way in, and refused on their way out. */
class FaultsRunTest {
  private static final int PACKETS = 20_000;
  private static final String FAULTS = "drop=0.1,duplicate=0.1,corrupt=0.3,truncate=0.3";

  @TempDir Path folder;
  private Path in;

  @BeforeEach
  void prepare() throws IOException {
    List<byte[]> frames = Frame.random(PACKETS, 3).stream().map(Frame::bytes).toList();
    in = PcapFile.write(folder.resolve("in.pcap"), frames);
  }

  @Test
  void shouldAccountForEveryPacketThatTheFirewallMeets() throws IOException {
    Path out = folder.resolve("out.pcap");
    Path rules =
        Files.writeString(
            folder.resolve("rules"), "drop 10.0.0.0/30 udp\ndrop fd00::/125\nnonip pass\n");
    Path config =
        Files.writeString(
            folder.resolve("f.properties"),
            "ports=in=fault:%s,port=pcap:rx=%s; out=fault:refuse=0.2,port=pcap:tx=%s\nrules=%s\n"
                .formatted(FAULTS, in, out, rules));

    Run run = Run.of("firewall", config, "--json");

    assertThat(run.status()).as(run.err()).isZero();
    assertConserved(run);
    assertThat(run.dropped("rule")).isPositive();
    assertThat(run.dropped("malformed")).isPositive();
    assertThat(run.number("sent")).isEqualTo(port(run, 1, "txPackets")).isPositive();
    assertThat(PcapFile.records(out)).hasSize((int) run.number("sent"));
  }

  @Test
  void shouldAccountForEveryPacketThatCaptureMeets() {
    Run run = Run.of("capture", "--port", "fault:" + FAULTS + ",port=pcap:rx=" + in, "--json");
    assertThat(run.status()).as(run.err()).isZero();
    assertConserved(run);
    assertThat(run.dropped("consumed")).isEqualTo(run.number("received"));
    assertThat(sum(run.json().getAsJsonObject("bySize"))).isEqualTo(run.number("received"));
    assertThat(sum(run.json().getAsJsonObject("byProtocol"))).isEqualTo(run.number("received"));
  }

  /** Faults of both directions in one configuration, with times and orders. */
  @Test
  void shouldAccountForEveryPacketThatIsSentThroughFaults() throws IOException {
    Path out = folder.resolve("out.pcap");
    Path rules = Files.writeString(folder.resolve("rules"), "default pass\nnonip pass\n");
    Path config =
        Files.writeString(
            folder.resolve("f.properties"),
            "ports=in=fault:delay=1ms,reorder=0.1,duplicate=0.05,port=pcap:rx=%s; out=fault:direction=tx,drop=0.05,duplicate=0.05,reorder=0.1,delay=2ms,jitter=1ms,port=pcap:tx=%s\nrules=%s\n"
                .formatted(in, out, rules));

    Run run = Run.of("firewall", config, "--json");

    assertThat(run.status()).as(run.err()).isZero();
    long received = run.number("received");
    long dropped = sum(run.json().getAsJsonObject("dropped"));
    assertThat(received).isBetween(PACKETS + PACKETS / 40L, PACKETS + PACKETS / 10L);
    assertThat(run.number("made")).isBetween(PACKETS / 40L, PACKETS / 10L);
    assertThat(run.dropped("tx_fault")).isBetween(PACKETS / 40L, PACKETS / 10L);
    assertThat(run.number("inFlight")).isZero();
    assertThat(received + run.number("made")).isEqualTo(run.number("sent") + dropped);
    assertThat(run.number("sent")).isEqualTo(port(run, 1, "txPackets"));
    assertThat(PcapFile.records(out)).hasSize((int) run.number("sent"));
  }

  private static void assertConserved(Run run) {
    long received = run.number("received");
    long missed = port(run, 0, "missed");
    assertThat(run.number("inFlight")).isZero();
    assertThat(received).isEqualTo(run.number("sent") + sum(run.json().getAsJsonObject("dropped")));
    assertThat(received).isEqualTo(port(run, 0, "rxPackets"));
    assertThat(missed).as("dropped by the port").isBetween(PACKETS / 20L, PACKETS / 5L);
    assertThat(received - (PACKETS - missed))
        .as("duplicates")
        .isBetween(PACKETS / 20L, PACKETS / 5L);
  }

  private static long port(Run run, int index, String member) {
    return run.json().getAsJsonArray("ports").get(index).getAsJsonObject().get(member).getAsLong();
  }

  private static long sum(JsonObject numbers) {
    return numbers.entrySet().stream()
        .map(Map.Entry::getValue)
        .mapToLong(JsonElement::getAsLong)
        .sum();
  }
}
