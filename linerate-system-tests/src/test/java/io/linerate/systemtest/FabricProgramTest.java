package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code linerate fabric} between processes. */
class FabricProgramTest {
  @TempDir Path folder;

  @BeforeEach
  void requireFabric() {
    FabricLab.requireFabric();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldMeasureRoundTripsAndBandwidth(String provider) throws IOException {
    String address = FabricLab.address(provider);
    Path chart = folder.resolve("chart.svg");
    try (Command server = Command.start(Command.linerate("fabric", "serve", address))) {
      server.awaitError(said -> said.contains("serves at"));
      JsonArray pings = measure("ping", address, "--chart", chart.toString());
      assertThat(pings).hasSize(2);
      JsonObject ping = pings.get(0).getAsJsonObject();
      assertThat(ping.get("bytes").getAsInt()).isEqualTo(4);
      JsonObject times = ping.getAsJsonObject("halfRoundTripUs");
      assertThat(times.get("least").getAsDouble())
          .isPositive()
          .isLessThanOrEqualTo(times.get("median").getAsDouble());
      assertThat(Files.readString(chart)).contains("<svg", "</svg>").hasSizeGreaterThan(5000);
      JsonArray rates = measure("bandwidth", address);
      JsonObject rate = rates.get(1).getAsJsonObject();
      double messages = rate.get("messages").getAsLong();
      assertThat(messages).isPositive();
      assertThat(rate.get("bytesPerSecond").getAsDouble())
          .isCloseTo(4096 * messages / rate.get("seconds").getAsDouble(), withinPercentage(0.1));
      server.terminate();
      assertThat(server.awaitExit()).as(server.errors()).isZero();
    }
    if (provider.equals("shm")) {
      String name = address.substring(address.lastIndexOf(':') + 1);
      assertThat(Path.of("/dev/shm").resolve(name)).doesNotExist();
    }
  }

  private static JsonArray measure(String what, String address, String... more) {
    String[] all = new String[8 + more.length];
    System.arraycopy(
        new String[] {"fabric", what, address, "--sizes", "4,4096", "--time", "100ms", "--json"},
        0,
        all,
        0,
        8);
    System.arraycopy(more, 0, all, 8, more.length);
    String result = Command.run(Command.linerate(all).toArray(String[]::new));
    return JsonParser.parseString(result).getAsJsonObject().getAsJsonArray("sizes");
  }

  @Test
  void shouldPingFromAnExample() throws IOException {
    String address = FabricLab.address("tcp");
    try (Command server = Command.start(Command.example("FabricPing", "serve", address))) {
      // It says nothing before a peer comes: whoever is too early is refused.
      String said = "";
      while (!said.contains("1000 round trips")) {
        assertThat(server.isAlive()).as(server.errors()).isTrue();
        try (Command client = Command.start(Command.example("FabricPing", "ping", address))) {
          said = client.output();
        }
      }
      assertThat(said).contains("the last brought: text 1999");
      assertThat(server.awaitExit()).as(server.errors()).isZero();
    }
  }

  @Test
  void shouldTellThatNobodyServes() {
    try (Command client =
        Command.start(Command.linerate("fabric", "ping", FabricLab.address("tcp")))) {
      assertThat(client.awaitExit()).isEqualTo(1);
      assertThat(client.errors())
          .contains("the peer does not answer: address=fabric:tcp:127.0.0.1:")
          .contains("start 'linerate fabric serve fabric:tcp:");
    }
  }
}
