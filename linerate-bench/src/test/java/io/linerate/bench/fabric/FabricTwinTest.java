package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The C program on libfabric: its roles, and that what it verifies can be wrong. */
class FabricTwinTest {
  /** About where messages go another way: injected, eager, fetched by the peer. */
  private static final List<String> SIZES =
      List.of(
          "--size",
          "0,1,63,64,65,4095,4096,4097,16384,65536,1048576",
          "--count",
          "3",
          "--wait",
          "yield");

  @ParameterizedTest
  @EnumSource
  void shouldReturnWhatItIsSent(Provider provider) throws IOException, InterruptedException {
    TwinPair.Ends ends = new TwinPair(provider).run("echo", SIZES, "echo", SIZES).requireGood();
    assertThat(ends.client().said()).contains("\"messages\":33,", "\"verified\":true");
  }

  @ParameterizedTest
  @EnumSource(names = {"SHM", "TCP_RXM"})
  void shouldReturnWhatItIsSentByTag(Provider provider) throws IOException, InterruptedException {
    TwinPair.Ends ends = new TwinPair(provider).run("tagged", SIZES, "tagged", SIZES).requireGood();
    assertThat(ends.server().said()).contains("\"messages\":33,", "\"verified\":true");
  }

  @ParameterizedTest
  @CsvSource({"SHM,true", "TCP,false", "TCP_RXM,true"})
  void shouldLetPeersWorkInItsMemory(Provider provider, boolean hasAtomics)
      throws IOException, InterruptedException {
    List<String> options =
        List.of("--size", "200000,1,8,4096,4097,65536", "--count", "5", "--wait", "yield");
    TwinPair.Ends ends = new TwinPair(provider).run("target", options, "rma", options);
    JsonObject client = json(ends.requireGood().client());
    assertThat(client.get("atomics").getAsBoolean()).isEqualTo(hasAtomics);
    assertThat(client.get("operations").getAsInt()).isEqualTo(hasAtomics ? 90 : 60);
    assertThat(json(ends.server()).get("checksum")).isEqualTo(client.get("checksum"));
  }

  @Test
  void shouldSeeThatBytesAreNotThoseOfTheSeed() throws IOException, InterruptedException {
    List<String> others = List.of("--seed", "2", "--size", "100", "--wait", "yield");
    TwinPair.Ends ends =
        new TwinPair(Provider.TCP)
            .run("echo", List.of("--size", "100", "--wait", "yield"), "echo", others);
    assertThat(ends.server().status()).isEqualTo(1);
    assertThat(ends.server().said()).contains("message differs: number=0, bytes=100, offset=0;");
    assertThat(ends.client().status()).isEqualTo(1);
  }

  @Test
  void shouldSeeThatARegionIsNotAsExpected() throws IOException, InterruptedException {
    List<String> others = List.of("--seed", "2", "--size", "64", "--wait", "yield");
    TwinPair.Ends ends =
        new TwinPair(Provider.SHM)
            .run("target", List.of("--size", "8192", "--timeout", "1"), "rma", others);
    assertThat(ends.client().status()).isEqualTo(1);
    assertThat(ends.client().said()).contains("differ");
  }

  @ParameterizedTest
  @CsvSource({
    "SHM,pong,ping,64",
    "TCP,sink,rate,8",
    "TCP_RXM,both,both,65536",
    "SHM,target,write,4096",
    "TCP,target,read,4096"
  })
  void shouldSayInJsonWhatItMeasures(Provider provider, String server, String role, int bytes)
      throws IOException, InterruptedException {
    List<String> options =
        List.of(
            "--size",
            String.valueOf(bytes),
            "--window",
            "16",
            "--warm-up-ms",
            "0",
            "--bytes",
            String.valueOf(320 * bytes),
            "--wait",
            "yield");
    List<String> serverOptions =
        server.equals("target")
            ? List.of("--size", String.valueOf(16 * bytes), "--wait", "yield")
            : options;
    TwinPair pair = new TwinPair(provider);
    JsonObject said = json(pair.run(server, serverOptions, role, options).requireGood().client());
    assertThat(said.get("role").getAsString()).isEqualTo(role);
    assertThat(said.get("bytes").getAsInt()).isEqualTo(bytes);
    assertThat(said.get("operations").getAsInt()).isBetween(320, 640);
    assertThat(said.get("bytesPerSecond").getAsDouble()).isPositive();
    assertThat(Files.exists(Path.of("/dev/shm", pair.address()))).isFalse();
  }

  @Test
  void shouldDoItAsUsual() throws IOException, InterruptedException {
    List<String> options = List.of("--usual", "--size", "64", "--ms", "20", "--wait", "yield");
    TwinPair.Ends ends = new TwinPair(Provider.TCP).run("sink", options, "source", options);
    assertThat(json(ends.requireGood().client()).get("mode").getAsString()).isEqualTo("usual");
  }

  private static JsonObject json(TwinPair.End end) {
    String line = end.said().lines().filter(each -> each.startsWith("{")).findFirst().orElseThrow();
    return JsonParser.parseString(line).getAsJsonObject();
  }
}
