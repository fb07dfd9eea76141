package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.ProgramLock;
import io.linerate.dashboard.http.LivePlaces;
import io.linerate.dashboard.state.Metrics;
import io.linerate.dashboard.state.SampleTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of other processes, some of which cannot be read. */
class RunningProgramsTest {
  private static final String SAMPLE = "linerate_received_packets_total";

  @TempDir Path folder;

  private final List<ProgramLock> locks = new ArrayList<>();
  private RunningPrograms programs;

  @BeforeEach
  void start() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    programs = new RunningPrograms(new ProgramFolder(List.of(folder)), _ -> {}, new LivePlaces());
  }

  @AfterEach
  void end() {
    programs.close();
    locks.forEach(ProgramLock::close);
  }

  /** The file of a program that runs, as docs/statistics.md has it. */
  private Path program(long pid) throws IOException {
    byte[] directory =
        "name\n1\ncommand\nCOUNTER PACKETS %s\n".formatted(SAMPLE).getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(8 << 20).order(ByteOrder.LITTLE_ENDIAN);
    file.put("LINERATE".getBytes(StandardCharsets.US_ASCII)).putLong(1).putLong(2).putLong(pid);
    file.putLong(1_000 + pid).putLong(2_000).putLong(0).putLong(1);
    file.putLong(directory.length).putLong(1).putLong(0);
    file.put(4_096, directory).putLong(4 << 20, 7);
    Path path = Files.write(folder.resolve(pid + "-name.counters"), file.array());
    locks.add(ProgramLock.take(path));
    return path;
  }

  private static void put(Path path, long offset, long number) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      file.write(bytes.putLong(number).flip(), offset);
    }
  }

  private long received(String key) {
    return programs.find(key).orElseThrow().moment().table().value(SAMPLE);
  }

  @Test
  void shouldNotWaitForProgramsThatWereStoppedWhileTheyWrote() throws IOException {
    Path healthy = program(1);
    List<Path> stopped = new ArrayList<>();
    for (int pid = 2; pid < 12; pid++) {
      stopped.add(program(pid));
    }
    programs.update();
    for (Path path : stopped) {
      put(path, 16, 3);
    }
    put(healthy, 40, 3_000);
    put(healthy, 4 << 20, 8);
    long beforeNs = System.nanoTime();
    programs.update();
    // With the patience of a command, each would take 4 s.
    assertThat(System.nanoTime() - beforeNs).isLessThan(TimeUnit.SECONDS.toNanos(35));
    assertThat(received("1")).isEqualTo(8);
    assertThat(programs.all()).hasSize(11);
    assertThat(received("2")).isEqualTo(7);
  }

  /** The state and the metrics of a program are made of what nobody has checked. */
  @Test
  void shouldNotSufferFromProgramsThatWriteNonsense() throws IOException {
    List<String> names =
        List.of(
            "linerate_worker_cpu",
            "linerate_worker_bursts_total{worker=\"0\",from=\"many\"}",
            "linerate_queue_worker{port=\"in\",queue=\"x\"}",
            "linerate_element_info{element=\"a\"}",
            "linerate_element_timed_seconds_total{element=\"a\"}",
            "linerate_rule_hits_total{index=\"one\"}",
            "linerate_frame_packets_total{from=\"-\"}",
            "1{x=\"\"}",
            SAMPLE + "{a=\"1\",a=\"2\"}",
            "linerate_port_info");
    program(1);
    for (int i = 0; i < names.size(); i++) {
      Path path = program(2 + i);
      byte[] text =
          "name\n1\ncommand\nCOUNTER PACKETS %s\n"
              .formatted(names.get(i))
              .getBytes(StandardCharsets.UTF_8);
      try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
        file.write(ByteBuffer.wrap(text), 4_096);
      }
      put(path, 64, text.length);
    }
    programs.update();
    for (Map.Entry<String, FollowedProgram> program : programs.all()) {
      assertThat(new ProgramRows(List.of(program), List.of()).toBytes()).isNotEmpty();
      SampleTable table = program.getValue().moment().table();
      assertThat(table.samples()).hasSize(1);
      assertThat(Metrics.text(table)).isNotNull();
      assertThat(program.getValue().feed().state().get()).isNotNull();
    }
    assertThat(received("1")).isEqualTo(7);
  }

  @Test
  void shouldGiveUpProgramsWhoseFilesAreOverwrittenAndNoOther() throws IOException {
    Random random = new Random(5);
    program(1);
    Path noisy = program(2);
    byte[] whole = Files.readAllBytes(noisy);
    for (int i = 0; i < 200; i++) {
      byte[] noise = new byte[1 + random.nextInt(300)];
      random.nextBytes(noise);
      try (FileChannel file = FileChannel.open(noisy, StandardOpenOption.WRITE)) {
        file.write(ByteBuffer.wrap(noise), random.nextInt(4_400));
        programs.update();
        assertThat(received("1")).isEqualTo(7);
        file.truncate(random.nextInt(8 << 20));
        programs.update();
        assertThat(programs.all()).extracting(Map.Entry::getKey).containsExactly("1");
        file.truncate(0);
        file.write(ByteBuffer.wrap(whole, 0, 4_400), 0);
        file.write(ByteBuffer.wrap(whole, 4 << 20, 8), 4 << 20);
        file.write(ByteBuffer.allocate(1), whole.length - 1);
      }
      programs.update();
      assertThat(received("2")).isEqualTo(7);
    }
  }

  @Test
  void shouldGiveUpAProgramWhoseFileBecameShorterAndNoOther() throws IOException {
    Path cut = program(1);
    program(2);
    Path half = program(3);
    programs.update();
    Files.write(cut, new byte[0]);
    try (FileChannel file = FileChannel.open(half, StandardOpenOption.WRITE)) {
      file.truncate(4_096);
    }
    programs.update();
    programs.update();
    assertThat(programs.all()).extracting(Map.Entry::getKey).containsExactly("2");
  }
}
