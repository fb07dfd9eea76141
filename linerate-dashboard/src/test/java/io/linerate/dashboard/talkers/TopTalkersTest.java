package io.linerate.dashboard.talkers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.testkit.Packets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopTalkersTest {
  private static final int FRAMES = 4_000;

  @TempDir Path folder;

  /** Half of it from 10.0.0.1, a quarter from 10.0.0.2, the rest from anywhere. */
  private String capture() {
    Random random = new Random(8);
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < FRAMES; i++) {
        byte[] frame = new byte[64];
        frame[12] = 8;
        frame[14] = 0x45;
        frame[17] = 50;
        frame[26] = 10;
        frame[29] = (byte) (i % 2 == 0 ? 1 : 2);
        if (i % 4 == 3) {
          frame[27] = (byte) (1 + random.nextInt(255));
          frame[28] = (byte) random.nextInt(256);
        }
        writer.write(packets.of(frame));
      }
    }
    return "pcap:rx=" + file + ",loop=forever";
  }

  private static JsonArray written(TopTalkers talkers) {
    byte[] json = ((JsonMembers) talkers::write).toBytes();
    return JsonParser.parseString(new String(json, StandardCharsets.UTF_8)).getAsJsonArray();
  }

  private static double packets(JsonArray talkers, int index) {
    return talkers.get(index).getAsJsonObject().get("packets").getAsDouble();
  }

  @Test
  void shouldNameWhoSendsMostWhileSomebodyLooks() throws Exception {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      engine.worker().input(engine.port(capture()), burst -> burst.dropAll(DropReason.CONSUMED));
      TopTalkers talkers = new TopTalkers(engine);
      engine.start();
      talkers.update(false);
      assertThat(written(talkers)).isEmpty();
      for (int i = 0; i < 40; i++) {
        talkers.update(true);
        Thread.sleep(20);
      }
      JsonArray top = written(talkers);
      assertThat(List.of(address(top, 0), address(top, 1))).containsExactly("10.0.0.1", "10.0.0.2");
      assertThat(packets(top, 0) / packets(top, 1)).isCloseTo(2, within(0.3));
      assertThat(packets(top, 0)).isGreaterThan(1_000);
      talkers.update(false);
      assertThat(written(talkers)).isEmpty();
      engine.stop();
      assertThat(engine.awaitEnd(10_000)).isTrue();
      assertThat(engine.summary().packets().dropped()).containsOnlyKeys("consumed");
    }
  }

  private static String address(JsonArray talkers, int index) {
    JsonObject talker = talkers.get(index).getAsJsonObject();
    return talker.get("address").getAsString();
  }

  @Test
  void shouldFindTheMostFrequentAmongMoreThanItHasPlacesFor() {
    SpaceSaving saving = new SpaceSaving(16);
    Random random = new Random(9);
    for (int i = 0; i < 20_000; i++) {
      saving.add(new SpaceSaving.Address(0, i % 3 == 0 ? 7 : random.nextInt(1_000)), 1, 100);
    }
    SpaceSaving.Talker first = saving.top(3).getFirst();

    assertThat(first.address().low()).isEqualTo(7);
    assertThat(first.packets()).isBetween(6_667L, 6_667L + 20_000 / 16);
    assertThat(saving.top(100)).hasSize(16);
  }
}
