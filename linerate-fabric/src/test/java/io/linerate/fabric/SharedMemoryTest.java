package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.testkit.Soak;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two programs at once in the memory of a third one, which only polls. */
class SharedMemoryTest {
  private static final DomainOptions ATOMICS =
      DomainOptions.DEFAULT.with(Capability.MESSAGES, Capability.REMOTE_MEMORY, Capability.ATOMICS);
  private static final int PROGRAMS = 2;
  private static final int SLOTS = 64;
  private static final int ADDITIONS = 5000;

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldHaveWhatConcurrentWritersHaveWritten(String provider) {
    requireFabric();
    try (Station station = Station.listen(FabricAddresses.free(provider))) {
      long bytes = (long) SLOTS * SharedMemoryWork.SLOT;
      MemoryRegion memory = station.side.region(bytes, Access.values());
      run(station, provider, memory, "write-slots", PROGRAMS);
      SharedMemoryWork.assertWritten(memory.segment());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp+rxm"})
  void shouldAddUpExactlyWhatConcurrentProgramsAdd(String provider) {
    requireFabric();
    try (Station station = Station.listen(FabricAddresses.free(provider), ATOMICS)) {
      MemoryRegion memory = station.side.region(64, Access.values());
      List<String> sums = run(station, provider, memory, "add", ADDITIONS);
      long all = (long) PROGRAMS * ADDITIONS;
      assertThat(memory.segment().get(ValueLayout.JAVA_LONG, SharedMemoryWork.COUNTER))
          .isEqualTo(all);
      // Each number was there before one addition.
      assertThat(sums.stream().mapToLong(Long::parseLong).sum()).isEqualTo(all * (all - 1) / 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp+rxm"})
  @Tag("sampled")
  void shouldLetOneProgramAtATimeHaveALock(String provider) {
    requireFabric();
    int turns = Soak.times(10_000, 1_000_000) / PROGRAMS;
    try (Station station = Station.listen(FabricAddresses.free(provider), ATOMICS)) {
      MemoryRegion memory = station.side.region(64, Access.values());
      run(station, provider, memory, "take-turns", turns);
      assertThat(memory.segment().get(ValueLayout.JAVA_LONG, SharedMemoryWork.COUNTER))
          .isEqualTo((long) PROGRAMS * turns);
    }
  }

  private static void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  /** Has programs do something in memory, and polls meanwhile; what they say then. */
  private static List<String> run(
      Station station, String provider, MemoryRegion memory, String work, int argument) {
    RemoteRegion region = memory.publish();
    List<LinkedProgram> programs = new ArrayList<>();
    List<String> results = new ArrayList<>();
    try {
      for (int i = 0; i < PROGRAMS; i++) {
        programs.add(new LinkedProgram(start(provider, work), station));
      }
      for (LinkedProgram each : programs) {
        each.program().hear("ready");
        each.program().tell("connect", station.address);
        LinkEnd _ = station.accept();
        each.hear("done");
      }
      for (int i = 0; i < PROGRAMS; i++) {
        programs.get(i).program().tell(work, i, argument, PeerProgram.text(region));
      }
      for (LinkedProgram each : programs) {
        results.add(each.hear("result"));
        each.hear("done");
      }
      for (LinkedProgram each : programs) {
        each.program().tell("end");
        each.hear("closed");
      }
    } finally {
      programs.forEach(each -> each.program().close());
    }
    return results;
  }

  private static OtherProgram start(String provider, String work) {
    FabricAddress address = FabricAddresses.free(provider);
    return work.equals("write-slots")
        ? OtherProgram.start(PeerProgram.class, address)
        : OtherProgram.start(PeerProgram.class, address, "REMOTE_MEMORY", "ATOMICS");
  }
}
