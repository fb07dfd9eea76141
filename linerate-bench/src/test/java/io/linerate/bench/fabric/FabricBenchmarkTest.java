package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import io.linerate.fabric.Fabric;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The benchmark of fabrics: what it is asked for, and one case of each kind. */
class FabricBenchmarkTest {
  @TempDir Path folder;

  @Test
  void shouldRefuseWhatItDoesNotHave() {
    assertThat(FabricChoice.ALL.mistake()).isEmpty();
    assertThat(choice("latency,reed", "shm", 4).mistake())
        .startsWith("no such part: part=reed; known are latency, bandwidth, ");
    assertThat(choice("latency", "verbs", 4).mistake())
        .isEqualTo("no such provider: provider=verbs; known are shm, tcp, tcp+rxm, udp+rxd");
    FabricChoice layered = choice("latency", "tcp+rxm", 4);
    assertThat(layered.mistake()).isEmpty();
    assertThat(layered.wants(Provider.TCP_RXM)).isTrue();
    assertThat(layered.wants(Provider.TCP)).isFalse();
    assertThat(choice("latency", "tcp;ofi_rxm", 4).wants(Provider.TCP_RXM)).isTrue();
    assertThat(choice("latency", "shm", 0).mistake()).startsWith("no such size: size=0; ");
  }

  private static FabricChoice choice(String parts, String provider, int size) {
    return new FabricChoice(List.of(parts.split(",", -1)), List.of(provider), List.of(size));
  }

  @Test
  void shouldMeasureProgramsOnBothSides() {
    Result result =
        measure(new Exchange(Part.RATE, Provider.TCP, 64), List.of("c", "java", "nio"), 6_000);
    assertThat(result.ratioOf()).isEqualTo("java/c");
    assertThat(result.figures()).containsKey("nio/c");
  }

  @ParameterizedTest
  @EnumSource(Provider.class)
  void shouldHaveLibfabricsOwnProgramBesideALatency(Provider provider) {
    assumeTrue(Yardstick.lack().isEmpty(), Yardstick::lack);
    assertThat(
            Yardstick.measure(
                new RecordingSession(folder, ""), new Exchange(Part.LATENCY, provider, 64)))
        .isPositive();
  }

  /** Each role of Linerate's programs, and each variant. */
  @ParameterizedTest
  @CsvSource({
    "LATENCY,SHM,4,java copy copy+alloc",
    "LATENCY,TCP,4,java pin pin+alloc",
    "BANDWIDTH,TCP,65536,java copy copy+alloc",
    "TRANSFER_15_MB,SHM,4096,c java copy",
    "TRANSFER_1_GB,TCP,1048576,c java copy+alloc",
    "BOTH,SHM,16384,java copy",
    "BOTH,TCP_RXM,64,java copy",
    "RATE,UDP_RXD,64,java copy",
    "WRITE,SHM,4096,java",
    "READ,TCP,4096,java"
  })
  @Tag("soak")
  void shouldMeasureLinerateInEachVariant(Part part, Provider provider, int bytes, String names) {
    List<String> all = List.of(names.split(" ", -1));
    Result result = measure(new Exchange(part, provider, bytes), all, 4_000 * all.size());
    assertThat(result.caseName()).startsWith(part.title() + " " + provider.title());
  }

  private Result measure(Exchange exchange, List<String> names, int budgetMs) {
    RecordingSession.requireTwin(FabricTwin.PROGRAM);
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    RecordingSession session = new RecordingSession(folder, "");
    List<Contender> contenders =
        Contender.ALL.stream().filter(one -> names.contains(one.name())).toList();
    Result result = new ExchangeDuel(session, contenders).fight(exchange, budgetMs);
    assertThat(result.contestants()).containsOnlyKeys(names.toArray(new String[0]));
    result.contestants().values().forEach(one -> assertThat(one.median()).isPositive());
    assertThat(session.results()).containsOnlyKeys(exchange.title());
    return result;
  }

  @Test
  void shouldMeasureAnArrayWhereItIsOnlyIfTheProviderTakesItAtOnceAndWaitsForNobody() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    LineratePeers pinned = new LineratePeers("pin");
    assertThat(pinned.takes(new Exchange(Part.LATENCY, Provider.TCP, 4))).isTrue();
    assertThat(pinned.takes(new Exchange(Part.LATENCY, Provider.TCP, 1 << 20))).isFalse();
    for (Provider waiting : List.of(Provider.SHM, Provider.TCP_RXM, Provider.UDP_RXD)) {
      assertThat(pinned.takes(new Exchange(Part.LATENCY, waiting, 4))).isFalse();
    }
    assertThat(new LineratePeers("copy").takes(new Exchange(Part.LATENCY, Provider.SHM, 1 << 20)))
        .isTrue();
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
  void shouldMeasureHowMemoryIsMadeReady() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    RecordingSession session = new RecordingSession(folder, "registration tcp 65,536 B");
    new FabricBenchmark(choice("registration", "tcp", 4)).run(session);
    Result result = session.results().get("registration tcp 65,536 B");
    assertThat(result.contestants())
        .containsOnlyKeys("registered", "copied", "copied from the heap", "cached");
    assertThat(result.contestants().get("cached").median()).isPositive();
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
