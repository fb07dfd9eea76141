package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of fabrics: what it is asked for, and one case of each kind. */
class FabricBenchmarkTest {
  @TempDir Path folder;

  @Test
  void shouldRefuseWhatItDoesNotHave() {
    assertThat(FabricChoice.ALL.mistake()).isEmpty();
    assertThat(choice("latency,reed", "shm", 4).mistake())
        .startsWith("no such part: part=reed; known are latency, bandwidth, ");
    assertThat(choice("latency", "verbs", 4).mistake())
        .isEqualTo(
            "no such provider: provider=verbs; known are shm, tcp, tcp;ofi_rxm, udp;ofi_rxd");
    assertThat(choice("latency", "shm", 0).mistake()).startsWith("no such size: size=0; ");
  }

  private static FabricChoice choice(String parts, String provider, int size) {
    return new FabricChoice(List.of(parts.split(",", -1)), List.of(provider), List.of(size));
  }

  @Test
  void shouldMeasureProgramsOnBothSides() {
    RecordingSession.requireTwin(FabricTwin.PROGRAM);
    RecordingSession session = new RecordingSession(folder, "");
    List<Contender> two =
        Contender.ALL.stream().filter(one -> List.of("c", "nio").contains(one.name())).toList();
    Result result =
        new ExchangeDuel(session, two).fight(new Exchange(Part.RATE, Provider.TCP, 64), 4_000);
    assertThat(result.contestants()).containsOnlyKeys("c", "nio");
    assertThat(result.contestants().get("c").median()).isPositive();
    assertThat(result.contestants().get("nio").median()).isPositive();
    assertThat(result.ratioOf()).isEqualTo("nio/c");
    assertThat(session.results()).containsOnlyKeys("rate tcp 64 B");
  }

  @Test
  void shouldMakeBytesOfAnObjectAndAnObjectOfThem() {
    for (boolean isWhole : new boolean[] {false, true}) {
      Order order = new Order();
      Order copy = new Order();
      order.fill(Long.MAX_VALUE / 3);
      byte[] bytes = new byte[(int) OrderLayout.BYTES + 1];
      MemorySegment memory = MemorySegment.ofArray(bytes).fill((byte) 0xA5);
      if (isWhole) {
        OrderLayout.writeWhole(order, memory);
        OrderLayout.read(memory, copy);
      } else {
        OrderLayout.write(order, memory);
        OrderLayout.readWhole(memory, copy);
      }
      assertThat(copy.digest()).isEqualTo(order.digest());
      assertThat(bytes[bytes.length - 1]).isEqualTo((byte) 0xA5);
    }
  }

  @Test
  @Tag("soak")
  void shouldMeasureWaysThatComeToTheSame() {
    RecordingSession.requireTwin("crossing.so");
    RecordingSession session = new RecordingSession(folder, "takes an array of 10 B");
    new FabricBenchmark(choice("crossing", "shm", 4)).run(session);
    Result result = session.results().get("crossing C takes an array of 10 B");
    assertThat(result.contestants()).containsOnlyKeys("pinned", "copied", "copied critical");
    assertThat(result.contestants().get("pinned").median()).isPositive();
    assertThat(result.theirs()).hasSize(2);
  }
}
