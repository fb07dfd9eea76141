package io.linerate.core.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersFileTest {
  private static final ProgramInfo PROGRAM = ProgramInfo.ofThisProcess("the test");

  @TempDir Path folder;

  private static List<Sample> samples(long value, int count) {
    List<Sample> samples = new ArrayList<>();
    SampleSink sink = samples::add;
    sink.info("linerate_port_info", "port", "in", "address", "pcap:rx=a \"b\"\n.pcap");
    for (int i = 0; i < count; i++) {
      sink.counter("linerate_x_total", SampleUnit.NANOSECONDS, value, "i", "" + i);
    }
    return samples;
  }

  @Test
  void shouldReadWhatWasWrittenAlsoWhenThereIsMoreOfIt() throws IOException {
    Path path = folder.resolve("1-a.counters");
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      writer.write(samples(5, 3));
      try (CountersReader reader = new CountersReader(path)) {
        assertThat(reader.program()).isEqualTo(PROGRAM);
        assertThat(reader.isAlive()).isTrue();
        assertThat(reader.samples()).isEqualTo(samples(5, 3));
        writer.write(samples(Long.MAX_VALUE, 100));
        assertThat(reader.samples()).isEqualTo(samples(Long.MAX_VALUE, 100));
        writer.write(List.of());
        assertThat(reader.samples()).isEmpty();
      }
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void shouldKeepTheLastNumbersForThoseWhoHaveItOpen() throws IOException {
    Path path = folder.resolve("1-a.counters");
    CountersWriter writer = new CountersWriter(PROGRAM, path);
    writer.write(samples(1, 1));
    try (CountersReader reader = new CountersReader(path)) {
      writer.write(samples(2, 2));
      writer.close();
      assertThat(reader.hasEnded()).isTrue();
      assertThat(reader.isAlive()).isFalse();
      assertThat(reader.samples()).isEqualTo(samples(2, 2));
    }
  }

  @Test
  void shouldNameTheFileThatBecameShorter() throws IOException {
    Path path = folder.resolve("1-a.counters");
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      writer.write(samples(1, 1));
      try (CountersReader reader = new CountersReader(path);
          FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
        file.truncate(0);
        assertThatThrownBy(reader::samples)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContainingAll("file=" + path, "became shorter");
        file.write(ByteBuffer.allocate(1), CountersLayout.FILE_BYTES - 1); // For the writer's end.
      }
    }
  }

  @Test
  void shouldLeaveOutWhatHasNoRoom() throws IOException {
    Path path = folder.resolve("1-a.counters");
    List<Sample> many = samples(7, 200_000);
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      writer.write(many);
      try (CountersReader reader = new CountersReader(path)) {
        List<Sample> read = reader.samples();
        assertThat(read).hasSizeBetween(10_000, many.size() - 1);
        assertThat(read).isEqualTo(many.subList(0, read.size()));
      }
    }
  }

  /** All values of one reading are of the same moment, while a thread writes without a pause. */
  @Test
  void shouldReadOneMomentWhateverTheWriterDoes() throws Exception {
    Path path = folder.resolve("1-a.counters");
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicLong writes = new AtomicLong();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
                for (long n = 0; !isOver.get(); n++) {
                  writer.write(samples(n, (int) (1 + n % 3 * 50)));
                  writes.set(n);
                  Thread.sleep(0, 100_000);
                }
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    while (writes.get() < 1) {
      Thread.sleep(1);
    }
    try (CountersReader reader = new CountersReader(path)) {
      for (int i = 0; i < 500; i++) {
        List<Sample> read = reader.samples();
        long value = read.getLast().value();
        assertThat(read).isEqualTo(samples(value, (int) (1 + value % 3 * 50)));
      }
    } finally {
      isOver.set(true);
      thread.join();
    }
  }

  @Test
  void shouldRefuseWhatIsNoCountersFile() throws IOException {
    Path path = folder.resolve("1-a.counters");
    Files.write(path, new byte[100]);
    assertThatThrownBy(() -> new CountersReader(path))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a counters file");
    Files.write(path, new byte[(int) CountersLayout.FILE_BYTES]);
    assertThatThrownBy(() -> new CountersReader(path)).hasMessageContaining("version=0");
  }

  @Test
  void shouldRefuseFilesWithoutNamesForTheirNumbers() throws IOException {
    Path path = folder.resolve("1-a.counters");
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      writer.write(samples(5, 3));
      Path copy = folder.resolve("1-b.counters");
      byte[] bytes = Files.readAllBytes(path);
      ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
      file.putLong((int) CountersLayout.VALUE_COUNT_OFFSET, 1_000);
      Files.write(copy, bytes);
      assertThatThrownBy(() -> new CountersReader(copy))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("numbers=1000, names=4");
      file.putLong((int) CountersLayout.GENERATION_OFFSET, 0);
      Files.write(copy, bytes);
      assertThatThrownBy(() -> new CountersReader(copy)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldSayThatThereIsNothingToReadWhenTheFileBecameShorter() throws IOException {
    Path path = folder.resolve("1-a.counters");
    Path cut = folder.resolve("1-b.counters");
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      writer.write(samples(5, 3));
      Files.copy(path, cut);
    }
    try (ProgramLock _ = ProgramLock.take(cut);
        CountersReader reader = new CountersReader(cut)) {
      assertThat(reader.isAlive()).isTrue();
      assertThat(reader.samples()).isEqualTo(samples(5, 3));
      Files.write(cut, new byte[0]);
      assertThatThrownBy(reader::writtenMs).isInstanceOf(UncheckedIOException.class);
      assertThatThrownBy(reader::samples).hasMessageContaining("became shorter");
      assertThat(reader.hasEnded()).isFalse();
      assertThat(reader.isAlive()).isFalse();
    }
  }

  /** Whatever is left of a file, its reader says so or reads what there is: it never waits. */
  @Test
  void shouldReadOnWhereverTheFileIsCut() throws IOException {
    Path path = folder.resolve("1-a.counters");
    byte[] whole;
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      writer.write(samples(5, 3));
      whole = Files.readAllBytes(path);
    }
    Path cut = folder.resolve("1-b.counters");
    Files.write(cut, whole);
    int directoryEnd = (int) CountersLayout.DIRECTORY_OFFSET + 600;
    int valuesEnd = (int) CountersLayout.VALUES_OFFSET + 4 * Long.BYTES;
    try (ProgramLock _ = ProgramLock.take(cut);
        FileChannel file = FileChannel.open(cut, StandardOpenOption.WRITE)) {
      for (int length = whole.length - 1; length >= 0; length--) {
        boolean isHole =
            length > valuesEnd + 5
                || (length > directoryEnd && length < CountersLayout.VALUES_OFFSET - 5)
                || (length > 100 && length < CountersLayout.DIRECTORY_OFFSET - 5);
        if (isHole && length % 99_991 != 0) {
          continue;
        }
        writeAgain(file, whole);
        try (CountersReader reader = new CountersReader(cut)) {
          file.truncate(length);
          assertThat(reader.isAlive()).as("%d bytes", length).isFalse();
          if (length >= valuesEnd) {
            assertThat(reader.samples()).isEqualTo(samples(5, 3));
          } else {
            assertThatThrownBy(reader::samples)
                .as("%d bytes", length)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("counters file became shorter: file=" + cut);
          }
          assertThatThrownBy(() -> new CountersReader(cut)).isInstanceOf(IOException.class);
          file.write(ByteBuffer.allocate(1), whole.length - 1); // Zeroes where it was cut.
          try {
            assertThat(reader.samples()).hasSizeLessThanOrEqualTo(4);
          } catch (UncheckedIOException e) {
            assertThat(e).hasMessageStartingWith("counters file ");
          }
        }
      }
    }
  }

  /** What is in a file: the rest are holes. */
  private static void writeAgain(FileChannel file, byte[] whole) throws IOException {
    file.truncate(0);
    for (int at : new int[] {0, (int) CountersLayout.VALUES_OFFSET, whole.length - 6_000}) {
      file.write(ByteBuffer.wrap(whole, at, 6_000), at);
    }
  }

  @Test
  void shouldRefuseRandomBytesAndReadOn() throws IOException {
    Path path = folder.resolve("1-a.counters");
    byte[] whole;
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      writer.write(samples(5, 3));
      whole = Files.readAllBytes(path);
    }
    Path bad = folder.resolve("1-b.counters");
    Random random = new Random(11);
    int refused = 0;
    Files.write(bad, whole);
    try (FileChannel file = FileChannel.open(bad, StandardOpenOption.WRITE)) {
      for (int i = 0; i < 500; i++) {
        writeAgain(file, whole);
        CountersReader reader = new CountersReader(bad, 1_000_000);
        byte[] noise = new byte[1 + random.nextInt(400)];
        random.nextBytes(noise);
        int at = random.nextInt(random.nextBoolean() ? 100 : 5_000);
        file.write(ByteBuffer.wrap(noise), at);
        try (reader) {
          assertThat(reader.samples()).isNotNull();
        } catch (UncheckedIOException e) {
          refused++;
        }
        try (CountersReader again = new CountersReader(bad, 1_000_000)) {
          assertThat(again.samples()).isNotNull();
        } catch (IOException | UncheckedIOException e) {
          refused++;
        }
      }
    }
    assertThat(refused).isBetween(100, 1_000);
  }

  @Test
  void shouldNotWaitForAProgramThatWasKilledWhileItWrote() throws IOException {
    Path own = Files.createDirectory(folder.resolve("run"));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
    Path path = own.resolve("1-a.counters");
    byte[] whole;
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      writer.write(samples(5, 3));
      whole = Files.readAllBytes(path);
    }
    whole[(int) CountersLayout.SEQUENCE_OFFSET] = 3;
    Files.write(own.resolve("1-b.counters"), whole);
    assertThat(new ProgramFolder(List.of(own)).running(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void shouldReadLabelsWithCarriageReturns() throws IOException {
    Path path = folder.resolve("1-a.counters");
    try (CountersWriter writer = new CountersWriter(PROGRAM, path)) {
      List<Sample> samples = new ArrayList<>();
      SampleSink sink = samples::add;
      sink.counter("linerate_x_total", SampleUnit.PACKETS, 1, "rule", "a\r\nb\u2028c");
      writer.write(samples);
      try (CountersReader reader = new CountersReader(path)) {
        assertThat(reader.samples()).isEqualTo(samples);
      }
    }
  }

  @Test
  void shouldLeaveOutWhatSomebodyElseMayHavePutThere() throws Exception {
    Path own = folder.resolve("run");
    ProgramFolder counters = new ProgramFolder(List.of(own));
    try (CountersWriter one = counters.create(PROGRAM)) {
      one.write(samples(1, 1));
      Path pipe = own.resolve(PROGRAM.pid() + "-pipe.counters");
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
      Path link = own.resolve(PROGRAM.pid() + "-link.counters");
      Files.createSymbolicLink(link, own.resolve("nowhere"));
      assertThat(running(counters)).isEqualTo(1);
      Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
      assertThat(running(counters)).isZero();
      Path linked = Files.createSymbolicLink(folder.resolve("linked"), own);
      Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
      assertThat(running(new ProgramFolder(List.of(linked)))).isZero();
    }
  }

  private static int running(ProgramFolder counters) {
    List<CountersReader> running = counters.running();
    running.forEach(CountersReader::close);
    return running.size();
  }

  @Test
  void shouldFindProgramsThatRunAndRemoveWhatKilledOnesLeft() throws IOException {
    Path own = folder.resolve("run");
    ProgramFolder counters = new ProgramFolder(List.of(folder.resolve("no/such"), own));
    try (CountersWriter one = counters.create(PROGRAM);
        CountersWriter two = counters.create(PROGRAM)) {
      one.write(samples(1, 1));
      two.write(samples(2, 1));
      assertThat(Files.getPosixFilePermissions(own))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
      Path dead = own.resolve("999999999-dead.counters");
      Path reused = own.resolve(PROGRAM.pid() + "-old.counters");
      Path foreign = own.resolve("notes.counters");
      for (Path left : List.of(dead, reused, foreign)) {
        Files.write(left, new byte[10]);
        Files.setLastModifiedTime(left, FileTime.fromMillis(0));
      }
      List<CountersReader> running = counters.running();
      assertThat(running)
          .hasSize(2)
          .allSatisfy(reader -> assertThat(reader.program()).isEqualTo(PROGRAM));
      running.forEach(CountersReader::close);
      assertThat(dead).doesNotExist();
      assertThat(reused).doesNotExist();
      assertThat(foreign).exists();
    }
    assertThat(counters.running()).isEmpty();
  }

  /** The number of a process in another PID namespace means another process here, or none. */
  @Test
  void shouldKnowByTheLockAndNotByItsNumberThatAProgramRuns() throws Exception {
    Path own = folder.resolve("run");
    ProgramFolder counters = new ProgramFolder(List.of(own));
    ProgramInfo elsewhere = new ProgramInfo(999_999_999, "elsewhere", "1", 1, "linerate");
    Path path = own.resolve("999999999-elsewhere.counters");
    Path killed = own.resolve(PROGRAM.pid() + "-killed.counters");
    try (CountersWriter writer = counters.create(elsewhere)) {
      writer.write(samples(1, 1));
      Files.copy(path, killed);
      Files.setLastModifiedTime(path, FileTime.fromMillis(0));
      for (int i = 0; i < 2; i++) { // Who has read it and closed it has not unlocked it.
        List<CountersReader> running = counters.running();
        assertThat(running).extracting(CountersReader::program).containsExactly(elsewhere);
        assertThat(isLockedForOtherProcesses(path)).isTrue();
        running.forEach(CountersReader::close);
      }
      assertThat(killed).as("may have begun just now").exists();
      Files.setLastModifiedTime(killed, FileTime.fromMillis(0));
      assertThat(running(counters)).isEqualTo(1);
      assertThat(killed).doesNotExist();
    }
  }

  private static boolean isLockedForOtherProcesses(Path path) throws Exception {
    String[] command = {"flock", "--shared", "--nonblock", path.toString(), "true"};
    return new ProcessBuilder(command).start().waitFor() == 1;
  }

  @Test
  void shouldNotWriteWhereOthersMay() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> new ProgramFolder(List.of(open)).create(PROGRAM))
        .isInstanceOf(IOException.class);
    assertThat(open).isEmptyDirectory();
  }

  @Test
  void shouldPublishTheLastNumbersWhenItEnds() throws Exception {
    AtomicLong value = new AtomicLong();
    ProgramFolder counters = new ProgramFolder(List.of(folder.resolve("run")));
    CountersPublisher publisher =
        CountersPublisher.start(
            PROGRAM, sink -> samples(value.get(), 1).forEach(sink::add), value::get, counters);
    List<CountersReader> running = List.of();
    while (running.isEmpty()) {
      Thread.sleep(10);
      running = counters.running();
    }
    try (CountersReader reader = running.getFirst()) {
      value.set(42);
      publisher.close();
      assertThat(reader.hasEnded()).isTrue();
      assertThat(reader.samples().getLast().value()).isEqualTo(42);
    }
    assertThat(folder.resolve("run")).isEmptyDirectory();
  }

  @Test
  void shouldNotPublishAProgramThatEndsAtOnce() {
    Path run = folder.resolve("run");
    CountersPublisher.start(PROGRAM, _ -> {}, () -> 0, new ProgramFolder(List.of(run))).close();
    assertThat(run).doesNotExist();
  }

  @Test
  void shouldSayHowTheVirtualMachineStands() {
    List<Sample> samples = new JvmSamples().samples();
    assertThat(samples)
        .extracting(Sample::name)
        .contains("linerate_jvm_heap_used_bytes", "linerate_jvm_heap_max_bytes");
    assertThat(samples).allSatisfy(sample -> assertThat(sample.value()).isNotNegative());
  }
}
