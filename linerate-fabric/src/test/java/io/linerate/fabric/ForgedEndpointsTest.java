package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.host.PeerProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that say that they are an endpoint of shm, of a process that is there. */
class ForgedEndpointsTest {
  private static final int PROCESS = 4;

  private final FabricAddress address = FabricAddresses.free("shm");
  private final Path file = Path.of("/dev/shm", address.host());
  private Station station;
  private ByteBuffer memory;

  @BeforeEach
  void copyAnEndpoint() throws IOException {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    assumeTrue(Fabric.version().equals("1.17"), "another form of shared memory");
    station = Station.open(FabricAddresses.free("shm"));
    byte[] name = station.name();
    String own = new String(name, StandardCharsets.ISO_8859_1).split("//|\\x00", -1)[1];
    memory = ByteBuffer.wrap(Files.readAllBytes(Path.of("/dev/shm", own)));
    memory.order(ByteOrder.nativeOrder());
    memory.putInt(PROCESS, Math.toIntExact(ProcessHandle.current().parent().orElseThrow().pid()));
  }

  @AfterEach
  void delete() throws IOException {
    Files.deleteIfExists(file);
    if (station != null) {
      station.close();
    }
  }

  @Test
  void shouldSendToWhatIsAsItMustBe() throws IOException {
    write(memory.array());
    assertThat(station.side.domain.peer(address).number()).isNotEqualTo(Peer.ANY);
  }

  @ParameterizedTest
  @CsvSource({
    "0,5", // version
    "40,33554432", // longer than the file
    "40,1",
    "64,0", // commands
    "64,129",
    "64,16777216",
    "64,-8",
    "72,140000000000", // answers
    "80,136", // buffers
    "88,16777000", // long messages
    "96,9223372036854775800", // peers
    "104,12864392", // name
    "112,16777224",
    "128,0", // the queue
    "128,1048576",
    "128,1000",
    "136,2047",
    "278720,1", // the pool
    "278720,16000000",
    "278728,0",
    "278728,8192",
    "278736,-1",
    "278736,30000"
  })
  void shouldRefuseWhatWouldLeadOutOfTheFile(int at, long value) throws IOException {
    memory.putLong(at, at == 0 ? (memory.getLong(0) & ~0xFF) | value : value);
    write(memory.array());
    assertRefused("not the memory of an endpoint");
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 40, 119, 130, 300_000, 12_864_384})
  void shouldRefuseWhatIsCutOff(int length) throws IOException {
    write(Arrays.copyOf(memory.array(), length));
    assertRefused("not the memory of an endpoint");
  }

  @Test
  void shouldRefuseAllOnes() throws IOException {
    byte[] ones = new byte[1 << 20];
    Arrays.fill(ones, (byte) -1);
    write(ones);
    LinkEnd end = station.ask(address); // Of no process.
    assertThat(end.to().send(station.side.domain.descriptor())).isFalse();
    assertThatThrownBy(() -> station.side.domain.peer(name()))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("not the memory of an endpoint");
  }

  @Test
  void shouldNotReachWhatIsEmpty() throws IOException {
    write(new byte[1 << 20]);
    LinkEnd end = station.ask(address);
    assertThat(end.to().send(station.side.domain.descriptor())).isFalse();
    assertThatThrownBy(() -> station.side.domain.peer(name()))
        .hasMessageContaining("a peer is not there");
  }

  @Test
  void shouldRefuseWhatOthersHaveMade() throws IOException {
    write(memory.array());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertRefused("not an endpoint of this user");
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root gives files to others");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.setAttribute(file, "unix:uid", 65_534);
    assertRefused("not an endpoint of this user");
    PeerProcess parent = PeerProcess.of(memory.getInt(PROCESS));
    assertThat(parent).isNotNull();
    Path named = Path.of("%s~%d~%d~1".formatted(file, parent.pid(), parent.started()));
    Files.move(file, named);
    try {
      Files.createSymbolicLink(file, named.getFileName());
      assertRefused("not an endpoint of this user");
      Files.setAttribute(named, "unix:uid", 0);
      assertThat(station.side.domain.peer(address).number()).isNotEqualTo(Peer.ANY);
    } finally {
      Files.delete(named);
    }
  }

  private void assertRefused(String cause) {
    Consumer<String> isTold = text -> assertThat(text).contains("a peer cannot be reached", cause);
    assertThatThrownBy(() -> station.ask(address))
        .isInstanceOf(FabricException.class)
        .satisfies(thrown -> isTold.accept(thrown.getMessage()));
    if (!Files.isSymbolicLink(file)) {
      assertThatThrownBy(() -> station.side.domain.peer(name()))
          .isInstanceOf(FabricException.class)
          .satisfies(thrown -> isTold.accept(thrown.getMessage()));
    }
  }

  private byte[] name() {
    return ("fi_shm://" + address.host() + "\0").getBytes(StandardCharsets.ISO_8859_1);
  }

  private void write(byte[] bytes) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(file, bytes);
  }
}
