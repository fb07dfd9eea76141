package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.host.PeerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What killed processes leave in /dev/shm, and who takes the name next. */
class StaleFilesTest {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private final FabricAddress address = FabricAddresses.free("shm");
  private final Path link = SHARED_MEMORY.resolve(address.host());
  private Path endpoint = link;

  @Test
  void shouldRemoveWhatSeveralKilledProcessesHaveLeftAtItsName() throws IOException {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    try (OtherProgram first = start();
        OtherProgram second = start();
        OtherProgram third = start()) {
      Files.createSymbolicLink(link, Path.of(link.getFileName() + "~1~1~1")); // Nobody's.
      Stream.of(first, second, third).forEach(OtherProgram::kill);
    }
    Path ofALongMessage = Path.of(endpoint + "_7");
    Files.createFile(ofALongMessage);
    assertThat(files()).hasSize(5); // Three endpoints, a long message, a link.
    try (Station station = Station.listen(address)) {
      assertThat(files()).hasSize(2).contains(link);
      try (Station other = Station.open(FabricAddresses.free("shm"))) {
        Descriptor receive = station.side.domain.descriptor().on(station.side.region(256));
        LinkEnd end = other.ask(address);
        Descriptor send = other.side.domain.descriptor().on(other.side.pattern(8, 1));
        assertThat(station.receive(receive)).isTrue();
        Link.until(() -> {
          station.side.queue.progress();
          other.side.queue.progress();
          return end.to().send(send);
        });
        station.side.await(receive, other.side);
        other.side.await(send, station.side);
        assertThat(receive.length()).isEqualTo(8);
      }
    }
    assertThat(files()).isEmpty();
  }

  /**
   * libfabric maps the memory of who has asked for a link, and does not look whether it is there.
   */
  @ParameterizedTest
  @ValueSource(strings = {"KILL", "end", "exit"})
  void shouldLetAProgramGoOnThatWasAskedForALinkBySomebodyWhoIsGone(String how) throws Exception {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    FabricAddress asker = FabricAddress.parse(address + "-2-ab0123456789");
    try (OtherProgram program = OtherProgram.start(PeerProgram.class, address)) {
      program.hear("ready");
      program.signal("STOP");
      try (OtherProgram other = OtherProgram.start(PeerProgram.class, asker)) {
        other.hear("ready");
        other.tell("knock " + address);
        other.hear("done");
        if (how.equals("KILL")) {
          other.kill();
        } else {
          other.tell(how);
          other.hear("closed");
        }
        other.awaitEnd();
      }
      try (Station station = Station.open(FabricAddress.parse(address + "-1-0123456789ab"))) {
        assertThat(station.side.queue.expected()).isZero(); // It removes what others have left.
        program.signal("CONT");
        LinkEnd end = station.ask(address);
        program.tell("accept");
        station.complete(end);
        new LinkedProgram(program, station).end();
      }
    }
    Station.listen(address).close(); // Nobody waits for it any more.
    assertThat(files()).isEmpty();
  }

  @Test
  void shouldRemoveWhatAKilledPeerHasLeftThatItHasMet() throws IOException {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    FabricAddress other = FabricAddresses.free("shm");
    try (Station station = Station.open(other);
        OtherProgram program = OtherProgram.start(PeerProgram.class, address)) {
      LinkEnd end = new LinkedProgram(program, station).connect(address);
      Files.createFile(Path.of(SHARED_MEMORY.resolve(Files.readSymbolicLink(link)) + "_3"));
      assertThat(files()).hasSize(3); // An endpoint, a long message, a link.
      program.kill();
      program.awaitEnd();
      Link.until(() -> {
        station.side.queue.progress();
        return ((Destination.ByPeer) end.to()).peer().lost() != null;
      });
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void shouldRemoveWhatKilledClientsHaveLeftThatHadReachedTheSameName() throws IOException {
    String client = link + "-99999999-0123456789ab";
    String ofAnother = link + ".0-99999999-0123456789ab";
    String living = "%s-%d-0123456789ab".formatted(link, ProcessHandle.current().pid());
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    Path kept = Path.of(ofAnother + "~99999999~1~1");
    Path own = Path.of("%s~%d~%d~1".formatted(living, ProcessHandle.current().pid(), ownStart()));
    FabricAddress next = new FabricAddress("shm", address.host() + "-7-00000000cafe", -1);
    try {
      for (FabricAddress each : List.of(address, next)) {
        Files.createFile(Path.of(client + "~99999999~1~1"));
        Files.createFile(Path.of(client + "~99999999~1~1_4"));
        Files.createSymbolicLink(
            Path.of(client), Path.of(address.host() + "-99999999-0123456789ab~99999999~1~1"));
        if (each.equals(address)) {
          Files.createFile(kept);
          Files.createFile(own);
        }
        Station.listen(each).close();
        assertThat(files()).containsExactlyInAnyOrder(kept, own);
      }
    } finally {
      for (Path each : files()) {
        Files.delete(each);
      }
    }
  }

  @Test
  void shouldKeepWhatIsNotLeftByAnEndpointOfItsName() throws IOException {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    List<Path> others =
        List.of(
            Path.of(link + "~notes"),
            Path.of(link + "~1~2"),
            Path.of("%s~%d~%d~1000000".formatted(link, ProcessHandle.current().pid(), ownStart())));
    for (Path each : others) {
      Files.createFile(each);
    }
    try {
      Station.listen(address).close();
      assertThat(files()).containsExactlyInAnyOrderElementsOf(others);
    } finally {
      for (Path each : others) {
        Files.delete(each);
      }
    }
  }

  private static long ownStart() {
    return PeerProcess.own().started();
  }

  @Test
  void shouldNotReachAnEndpointThatIsNotMadeYet() throws IOException {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    try (OtherProgram program = OtherProgram.start(PeerProgram.class, FabricAddresses.free("shm"));
        Station station = Station.open(FabricAddresses.free("shm"))) {
      PeerProcess process = PeerProcess.of((int) program.pid());
      assertThat(process).isNotNull();
      Path file = Path.of("%s~%d~%d~1".formatted(link, process.pid(), process.started()));
      Files.createSymbolicLink(link, file.getFileName());
      Files.createFile(file); // As when it was about to make it, or was killed there.
      LinkEnd end = station.ask(address);
      assertThat(end.to().send(station.side.domain.descriptor())).isFalse();
      program.hear("ready");
      program.tell("end").hear("closed");
    } finally {
      for (Path each : files()) {
        Files.delete(each);
      }
    }
  }

  /** One that has the name, and loses it as if it had been killed before its endpoint is closed. */
  private OtherProgram start() throws IOException {
    OtherProgram program = OtherProgram.start(PeerProgram.class, address);
    program.hear("ready");
    endpoint = SHARED_MEMORY.resolve(Files.readSymbolicLink(link));
    Files.delete(link);
    return program;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(SHARED_MEMORY)) {
      return all.filter(each -> each.toString().startsWith(link.toString())).toList();
    }
  }
}
