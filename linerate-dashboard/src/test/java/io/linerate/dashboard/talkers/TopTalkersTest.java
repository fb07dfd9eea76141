package io.linerate.dashboard.talkers;

import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.B6;
import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
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
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.FrameBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
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
        String anybody = "10.%d.%d.2".formatted(1 + random.nextInt(255), random.nextInt(256));
        String source = i % 2 == 0 ? "10.0.0.1" : i % 4 == 1 ? "10.0.0.2" : anybody;
        writer.write(udp4().between(source, B4).payload(22).toPacket(packets));
      }
    }
    return "pcap:rx=" + file + ",loop=forever";
  }

  private static JsonArray written(TopTalkers talkers) {
    byte[] json = ((JsonMembers) talkers::write).toBytes();
    return JsonParser.parseString(new String(json, StandardCharsets.UTF_8)).getAsJsonArray();
  }

  private static double packets(JsonArray talkers, int index) {
    return index < talkers.size()
        ? talkers.get(index).getAsJsonObject().get("packets").getAsDouble()
        : 0;
  }

  @Test
  void shouldNameWhoSendsMostWhileSomebodyLooks() throws Exception {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      engine.worker().input(engine.port(capture()), burst -> burst.dropAll(DropReason.CONSUMED));
      TopTalkers talkers = new TopTalkers(engine);
      engine.start();
      talkers.update(false);
      assertThat(written(talkers)).isEmpty();
      JsonArray top = written(talkers);
      // Enough for what is estimated to be near, on a machine of any speed.
      for (int i = 0; i < 40 || (i < 6_000 && packets(top, 0) < 100_000); i++) {
        talkers.update(true);
        Thread.sleep(20);
        top = written(talkers);
      }
      assertThat(List.of(address(top, 0), address(top, 1))).containsExactly("10.0.0.1", "10.0.0.2");
      assertThat(packets(top, 0) / packets(top, 1)).isCloseTo(2, within(0.3));
      assertThat(packets(top, 0)).isGreaterThan(1_000);
      talkers.update(false);
      assertThat(written(talkers)).isEmpty();
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
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
      saving.add(new SpaceSaving.Address(4, 0, i % 3 == 0 ? 7 : random.nextInt(1_000)), 1, 100);
    }
    SpaceSaving.Talker first = saving.top(3).getFirst();

    assertThat(first.address().low()).isEqualTo(7);
    assertThat(first.packets()).isBetween(6_667L, 6_667L + 20_000 / 16);
    assertThat(saving.top(100)).hasSize(16);
  }

  /** Whoever sends each packet from another address costs the height of a heap, not its size. */
  @Test
  void shouldTakeFewStepsForAddressesThatNeverComeAgain() {
    int places = 512;
    SpaceSaving saving = new SpaceSaving(places);
    Random random = new Random(10);
    int addresses = 100_000;
    for (int i = 0; i < addresses; i++) {
      saving.add(new SpaceSaving.Address(6, random.nextLong(), i), 1L + random.nextInt(50), 100);
    }
    assertThat(saving.moves()).isLessThan(addresses * 11L);
    assertThat(saving.top(places)).hasSize(places);
  }

  @Test
  @Tag("sampled")
  void shouldCountAsTheDefinitionSays() {
    Random random = new Random(Soak.seed(11));
    SpaceSaving saving = new SpaceSaving(8);
    Map<SpaceSaving.Address, Long> expected = new HashMap<>();
    int packetsOfAll = Soak.times(5_000, 500_000);
    for (int i = 0; i < packetsOfAll; i++) {
      SpaceSaving.Address address = new SpaceSaving.Address(4, 0, random.nextInt(1 + i / 100));
      long packets = 1L + random.nextInt(5);
      if (!expected.containsKey(address) && expected.size() == 8) {
        long least = Collections.min(expected.values());
        SpaceSaving.Address loser = loser(saving, expected, least);
        expected.remove(loser);
        expected.put(address, least);
      }
      saving.add(address, packets, 0);
      expected.merge(address, packets, Long::sum);
      assertThat(counts(saving)).isEqualTo(expected);
    }
  }

  /** Which of the least frequent it loses is its own affair. */
  private static SpaceSaving.Address loser(
      SpaceSaving saving, Map<SpaceSaving.Address, Long> expected, long least) {
    SpaceSaving.Address top = saving.least();
    assertThat(expected).containsEntry(top, least);
    return top;
  }

  private static Map<SpaceSaving.Address, Long> counts(SpaceSaving saving) {
    return saving.top(100).stream()
        .collect(Collectors.toMap(SpaceSaving.Talker::address, SpaceSaving.Talker::packets));
  }

  @Test
  void shouldTellIpv6FromIpv4AndWeighByAllPackets() throws Exception {
    Path file = folder.resolve("mixed.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < FRAMES; i++) {
        FrameBuilder six = ipv6().between("::10.0.0.1", B6).payload(10);
        writer.write((i % 4 == 0 ? six : ethernet(0).payload(50)).toPacket(packets));
      }
    }
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      engine
          .worker()
          .input(
              engine.port("pcap:rx=" + file + ",loop=forever"),
              burst -> burst.dropAll(DropReason.CONSUMED));
      TopTalkers talkers = new TopTalkers(engine);
      engine.start();
      talkers.update(true);
      long before = engine.summary().packets().received();
      double share = 0;
      // The longer, the less it matters that both are not of the same moment.
      for (int i = 0; i < 40 || (i < 6_000 && Math.abs(share - 0.25) > 0.08); i++) {
        Thread.sleep(20);
        talkers.update(true);
        double came = engine.summary().packets().received() - before;
        share = came == 0 ? 0 : packets(written(talkers), 0) / came;
      }
      JsonArray top = written(talkers);
      assertThat(top).hasSize(1);
      assertThat(address(top, 0)).isEqualTo("::a00:1");
      assertThat(share).isCloseTo(0.25, within(0.08));
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
    }
  }
}
