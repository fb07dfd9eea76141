package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is killed while it has a lock of shm holds up nobody for good. */
class KeptLockTest {
  enum Whose {
    OWN,
    PEER,
    /** Whose name another one has taken since. */
    PEER_WITHOUT_FILE
  }

  @ParameterizedTest
  @EnumSource
  void shouldGoOnWhenAKilledProcessHasHadALock(Whose whose) {
    requireKnown();
    FabricAddress address = FabricAddresses.free("shm");
    try (OtherProgram program = OtherProgram.start(PeerProgram.class, address);
        LogRecords records = new LogRecords(KeptLocks.class);
        Station station = Station.listen(FabricAddresses.free("shm"))) {
      LinkEnd end = new LinkedProgram(program, station).connect(address);
      program.tell("lock", whose == Whose.OWN ? name(station) : "").hear("done");
      program.kill();
      program.awaitEnd();
      if (whose == Whose.PEER_WITHOUT_FILE) {
        Station.listen(address).close();
      }
      Descriptor send = station.side.domain.descriptor().on(station.side.region(8));
      try {
        if (end.to().send(send)) { // Where it has the lock of its own, this waits for it.
          assertThat(station.side.queue.await(send, Side.SOON)).isTrue();
        }
      } catch (FabricException e) {
        assertThat(e).hasMessageContaining("the peer's process has ended");
      }
      FabricError error = new FailureSeen(station, end, null).await("kept lock");
      assertThat(error.kind()).isEqualTo(FabricError.Kind.PEER_LOST);
      assertThat(records.awaitWarning()).isTrue(); // The lock is free before that is said.
      assertThat(records.texts).hasSize(1);
      assertThat(records.texts.getFirst())
          .startsWith(
              "WARNING a process was killed while it had the lock of an endpoint: endpoint="
                  + (whose == Whose.OWN ? name(station) : address.host() + "~"));
    }
    Station.listen(address).close();
  }

  @Test
  void shouldLeaveALockToAProcessThatIsAlive() throws InterruptedException {
    requireKnown();
    FabricAddress address = FabricAddresses.free("shm");
    try (OtherProgram program = OtherProgram.start(PeerProgram.class, address);
        LogRecords records = new LogRecords(KeptLocks.class);
        LogRecords told = new LogRecords(NativeWatch.class);
        Station station = Station.listen(FabricAddresses.free("shm"))) {
      LinkEnd _ = new LinkedProgram(program, station).connect(address);
      program.tell("lock", name(station), "until-told").hear("locked");
      Thread teller =
          Thread.ofPlatform()
              .start(() -> {
                boolean _ = told.awaitWarning();
                program.tell("unlock");
              });
      station.side.queue.progress(); // Until it is given back.
      teller.join();
      program.hear("done");
      assertThat(records.texts).isEmpty();
      assertThat(told.texts).isNotEmpty();
      program.tell("end").hear("closed");
    }
  }

  /** Also while the array of a message is injected, which no collection may move. */
  @Test
  void shouldCollectWhileAMessageWaitsForALock() {
    requireKnown();
    try (OtherProgram program = OtherProgram.start(CollectingProgram.class)) {
      program.hear("locked");
      program.hear("WARNING: a native call of the fabric has not returned");
      program.tell("collect").hear("collected");
      program.hear("injected");
      program.hear("closed");
    }
  }

  private static void requireKnown() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    assumeTrue(
        System.getProperty("os.arch").equals("amd64"), "the form of locks is not known here");
  }

  /** Of the file of its endpoint. */
  private static String name(Station station) {
    String name = new String(station.name(), StandardCharsets.ISO_8859_1);
    return name.substring(
        "fi_shm://".length(), name.indexOf(0) < 0 ? name.length() : name.indexOf(0));
  }
}
