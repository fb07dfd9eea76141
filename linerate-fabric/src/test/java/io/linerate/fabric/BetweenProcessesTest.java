package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each provider does between two processes, with all data looked at. */
class BetweenProcessesTest {
  private static final int THOUSANDS = 4000;
  private static final int LINKS = 8;

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldBringAllBytesOfMessagesOfAnyLength(String provider) {
    requireFabric();
    FabricAddress address = FabricAddresses.free(provider);
    try (OtherProgram program = OtherProgram.start(PeerProgram.class, address);
        Station station = Station.open(FabricAddresses.free(provider))) {
      LinkedProgram linked = new LinkedProgram(program, station);
      LinkEnd end = linked.connect(address);
      long[] lengths = lengths(station.side.domain.provider());
      program.tell("exchange", words(lengths));
      new Exchange(end).ask(lengths);
      linked.end();
    }
  }

  /** About where providers go another way: they inject, send at once, in parts, or are asked. */
  private static long[] lengths(ProviderInfo provider) {
    long inject = provider.injectBytes();
    return LongStream.concat(
            LongStream.of(inject - 1, inject, inject + 1),
            LongStream.of(
                0, 1, 3, 64, 4095, 4096, 4097, 16_383, 16_384, 16_385, 65_536, 1 << 20, 16 << 20))
        .filter(bytes -> bytes <= provider.messageBytes())
        .sorted()
        .toArray();
  }

  private static String words(long... numbers) {
    return Arrays.toString(numbers).replaceAll("[\\[\\],]", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldBringThousandsOfMessagesThatAreUnderWayAtOnce(String provider) {
    requireFabric();
    FabricAddress address = FabricAddresses.free(provider);
    try (OtherProgram program = OtherProgram.start(PeerProgram.class, address);
        Station station = Station.open(FabricAddresses.free(provider))) {
      LinkedProgram linked = new LinkedProgram(program, station);
      LinkEnd end = linked.connect(address);
      int messages = provider.equals("udp+rxd") ? 1000 : THOUSANDS; // Of 2,000 some never leave.
      Flood flood = new Flood(end, messages);
      assertThat(flood.post()).as("before the peer takes any").isGreaterThan(10);
      program.tell("flood", messages);
      flood.finish();
      linked.end();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldServeTwoThreadsAtOnceWithADomainEach(String provider)
      throws InterruptedException, ExecutionException {
    requireFabric();
    List<Future<?>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 2; i++) {
        results.add(threads.submit(() -> exchange(provider)));
      }
    }
    for (Future<?> each : results) {
      each.get();
    }
  }

  private static void exchange(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    try (OtherProgram program = OtherProgram.start(PeerProgram.class, address);
        Station station = Station.open(FabricAddresses.free(provider))) {
      LinkedProgram linked = new LinkedProgram(program, station);
      LinkEnd end = linked.connect(address);
      long[] lengths = LongStream.range(0, 300).map(n -> n * n % 20_000).toArray();
      program.tell("exchange", words(lengths));
      new Exchange(end).ask(lengths);
      linked.end();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldServeEightLinksByOneCompletionQueue(String provider) {
    requireFabric();
    try (OtherProgram program =
            OtherProgram.start(PeerProgram.class, FabricAddresses.free(provider));
        Station station = Station.listen(FabricAddresses.free(provider))) {
      program.hear("ready");
      program.tell("links", LINKS, provider, station.address);
      List<LinkEnd> ends = new ArrayList<>();
      for (int i = 0; i < LINKS; i++) {
        ends.add(station.accept());
      }
      new ManyLinks(ends).answer();
      new LinkedProgram(program, station).end();
    }
  }

  private static void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }
}
