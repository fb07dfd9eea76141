package io.linerate.core.counter;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes a counters file: {@link CountersLayout}. For one thread; another one may not close it. */
final class CountersWriter implements AutoCloseable {
  private final ProgramInfo program;
  private final Path path;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment file;
  private final ProgramLock lock;
  private List<Sample> directory = List.of();
  private int written;
  private long leftOut;
  private long sequence;
  private long generation;

  /**
   * Makes the file, which its user alone may read.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one
   */
  CountersWriter(ProgramInfo program, Path path) throws IOException {
    this.program = program;
    this.path = path;
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(CREATE_NEW, READ, WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      file = channel.map(FileChannel.MapMode.READ_WRITE, 0, CountersLayout.FILE_BYTES, arena);
      lock = ProgramLock.take(path);
    } catch (IOException e) {
      arena.close();
      throw e;
    }
    CountersLayout.set(file, CountersLayout.VERSION_OFFSET, CountersLayout.VERSION);
    CountersLayout.set(file, CountersLayout.PID_OFFSET, program.pid());
    CountersLayout.set(file, CountersLayout.STARTED_OFFSET, program.startedMs());
  }

  Path path() {
    return path;
  }

  /** Writes what the program says now. */
  void write(List<Sample> samples) {
    CountersLayout.set(file, CountersLayout.SEQUENCE_OFFSET, ++sequence);
    VarHandle.storeStoreFence();
    if (!isDirectoryOf(samples)) {
      writeDirectory(samples);
    }
    for (int i = 0; i < written; i++) {
      long offset = CountersLayout.VALUES_OFFSET + (long) i * Long.BYTES;
      CountersLayout.set(file, offset, samples.get(i).value());
    }
    CountersLayout.set(file, CountersLayout.WRITTEN_OFFSET, System.currentTimeMillis());
    CountersLayout.setRelease(file, CountersLayout.SEQUENCE_OFFSET, ++sequence);
    if (sequence == 2) { // Now it is one.
      CountersLayout.setRelease(file, CountersLayout.MAGIC_OFFSET, CountersLayout.MAGIC);
    }
  }

  private boolean isDirectoryOf(List<Sample> samples) {
    if (generation == 0 || samples.size() != directory.size()) {
      return false;
    }
    for (int i = 0; i < samples.size(); i++) {
      Sample before = directory.get(i);
      Sample now = samples.get(i);
      if (!now.name().equals(before.name()) || !now.labels().equals(before.labels())) {
        return false;
      }
    }
    return true;
  }

  private void writeDirectory(List<Sample> samples) {
    StringBuilder text = new StringBuilder();
    text.append(program.name()).append('\n');
    text.append(program.version()).append('\n');
    text.append(program.command()).append('\n');
    byte[] head = text.toString().getBytes(StandardCharsets.UTF_8);
    long at = CountersLayout.DIRECTORY_OFFSET;
    MemorySegment.copy(MemorySegment.ofArray(head), 0, file, at, head.length);
    int length = head.length;
    written = 0;
    for (Sample sample : samples) {
      String line = sample.kind() + " " + sample.unit() + " " + sample.key() + "\n";
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      if (length + bytes.length > CountersLayout.MAX_DIRECTORY_BYTES
          || written == CountersLayout.MAX_VALUES) {
        break;
      }
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, file, at + length, bytes.length);
      length += bytes.length;
      written++;
    }
    leftOut = (long) samples.size() - written;
    directory = new ArrayList<>(samples);
    CountersLayout.set(file, CountersLayout.GENERATION_OFFSET, ++generation);
    CountersLayout.set(file, CountersLayout.DIRECTORY_LENGTH_OFFSET, length);
    CountersLayout.set(file, CountersLayout.VALUE_COUNT_OFFSET, written);
    CountersLayout.set(file, CountersLayout.LEFT_OUT_OFFSET, leftOut);
  }

  /** Says to readers that the numbers are the last ones, and removes the file. */
  @Override
  public void close() throws IOException {
    CountersLayout.setRelease(file, CountersLayout.ENDED_OFFSET, 1);
    Files.deleteIfExists(path);
    arena.close();
    lock.close();
  }
}
