package io.linerate.core.counter;

import io.linerate.core.driver.MappedFileFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a counters file while its program runs, and its last numbers when it has ended. For one
 * thread at a time.
 */
public final class CountersReader implements SampleSource, AutoCloseable {
  /** A program that writes has done so long before, unless it is stopped. */
  static final long USUAL_WAIT_NS = 2_000_000_000;

  private static final long RETRY_NS = 50_000;
  private static final int HEAD_LINES = 3;

  private final Arena arena = Arena.ofShared();
  private final ProgramLock lock;
  private final MemorySegment file;
  private final ProgramInfo program;
  private final Path path;
  private final long waitNs;
  private long generation;
  private List<Sample> directory = List.of();
  private List<String> head = List.of();

  /** What was read at one moment. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares or keeps it.
  private record Copy(long generation, byte[] directory, long[] values) {}

  /**
   * Opens a file.
   *
   * @throws IOException if it is not there, or none of a version that is known
   */
  public CountersReader(Path path) throws IOException {
    this(path, USUAL_WAIT_NS);
  }

  /**
   * The same.
   *
   * @param waitNs to wait, at each reading, for a program that just writes
   */
  CountersReader(Path path, long waitNs) throws IOException {
    this.path = path;
    this.waitNs = waitNs;
    lock = ProgramLock.open(path);
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.size() != CountersLayout.FILE_BYTES) {
        throw new IOException(
            "not a counters file: file=" + path + ", bytes=" + channel.size() + "; leave it out");
      }
      file = channel.map(FileChannel.MapMode.READ_ONLY, 0, CountersLayout.FILE_BYTES, arena);
      long magic = CountersLayout.getAcquire(file, CountersLayout.MAGIC_OFFSET);
      long version = CountersLayout.get(file, CountersLayout.VERSION_OFFSET);
      if (magic != CountersLayout.MAGIC || version != CountersLayout.VERSION) {
        throw new IOException(
            "not a counters file of a known version: file=%s, version=%d; use the linerate of its program"
                .formatted(path, version));
      }
      read();
      if (head.isEmpty()) {
        throw new IOException(
            "counters file has no directory yet: file="
                + path
                + "; try again when its program runs");
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    } catch (InternalError e) {
      close();
      throw unreadable(e);
    }
    program =
        new ProgramInfo(
            CountersLayout.get(file, CountersLayout.PID_OFFSET),
            head.get(0),
            head.get(1),
            CountersLayout.get(file, CountersLayout.STARTED_OFFSET),
            head.get(2));
  }

  public ProgramInfo program() {
    return program;
  }

  /**
   * When the program last wrote, in ms since 1970.
   *
   * @throws UncheckedIOException if the file became shorter
   */
  public long writtenMs() {
    return number(CountersLayout.WRITTEN_OFFSET);
  }

  /** Whether the program has ended in order: the samples are its last ones. */
  public boolean hasEnded() {
    try {
      return number(CountersLayout.ENDED_OFFSET) != 0;
    } catch (UncheckedIOException e) {
      return false; // Somebody has cut the file.
    }
  }

  /**
   * Whether the program that writes is there, and its file whole. It may be stopped, or in another
   * PID namespace.
   */
  public boolean isAlive() {
    try {
      long _ = number(CountersLayout.FILE_BYTES - Long.BYTES); // Throws if the file is cut.
      return number(CountersLayout.ENDED_OFFSET) == 0 && lock.isHeld();
    } catch (IOException | UncheckedIOException e) {
      return false; // Nothing tells that it is.
    }
  }

  private long number(long offset) {
    try {
      long number = CountersLayout.getAcquire(file, offset);
      MappedFileFault.settle();
      return number;
    } catch (InternalError e) {
      throw new UncheckedIOException(unreadable(e));
    }
  }

  /**
   * Reads the samples.
   *
   * @throws UncheckedIOException if there are none that could be trusted: the program was stopped
   *     or killed while it wrote, or the file became shorter
   */
  @Override
  public void collect(SampleSink sink) {
    try {
      long[] values = read();
      MappedFileFault.settle();
      for (int i = 0; i < values.length; i++) {
        Sample named = directory.get(i);
        sink.add(new Sample(named.name(), named.labels(), named.kind(), named.unit(), values[i]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InternalError e) {
      throw new UncheckedIOException(unreadable(e));
    }
  }

  private IOException unreadable(InternalError e) {
    if (!MappedFileFault.is(e)) {
      throw e;
    }
    return new IOException(
        "counters file cannot be read any more: file=%s, error=%s"
            .formatted(path, MappedFileFault.SENTENCE),
        e);
  }

  private long[] read() throws IOException {
    Copy copy = copy();
    if (copy.generation() != generation) {
      parse(List.of(new String(copy.directory(), StandardCharsets.UTF_8).split("\n")));
      generation = copy.generation();
    }
    if (copy.values().length > directory.size()) {
      throw new IOException(
          "counters file has numbers without names: file=%s, numbers=%d, names=%d; use the linerate of its program"
              .formatted(path, copy.values().length, directory.size()));
    }
    return copy.values();
  }

  private Copy copy() throws IOException {
    long startNs = System.nanoTime();
    do {
      long before = CountersLayout.getAcquire(file, CountersLayout.SEQUENCE_OFFSET);
      if ((before & 1) == 0) {
        Copy copy = copyNow();
        VarHandle.loadLoadFence();
        if (CountersLayout.get(file, CountersLayout.SEQUENCE_OFFSET) == before) {
          return copy;
        }
      }
      LockSupport.parkNanos(RETRY_NS);
    } while (System.nanoTime() - startNs < waitNs);
    throw new IOException(
        "program does not finish what it writes: file=%s, waitedMs=%d; it was stopped or killed, remove the file if it does not run any more"
            .formatted(path, TimeUnit.NANOSECONDS.toMillis(waitNs)));
  }

  private Copy copyNow() {
    long now = CountersLayout.get(file, CountersLayout.GENERATION_OFFSET);
    long length = CountersLayout.get(file, CountersLayout.DIRECTORY_LENGTH_OFFSET);
    long count = CountersLayout.get(file, CountersLayout.VALUE_COUNT_OFFSET);
    int bytes = Math.clamp(length, 0, CountersLayout.MAX_DIRECTORY_BYTES);
    long[] values = new long[Math.clamp(count, 0, CountersLayout.MAX_VALUES)];
    byte[] text =
        now == generation
            ? new byte[0]
            : file.asSlice(CountersLayout.DIRECTORY_OFFSET, bytes).toArray(ValueLayout.JAVA_BYTE);
    for (int i = 0; i < values.length; i++) {
      values[i] = CountersLayout.get(file, CountersLayout.VALUES_OFFSET + (long) i * Long.BYTES);
    }
    return new Copy(now, text, values);
  }

  private void parse(List<String> lines) throws IOException {
    if (lines.size() < HEAD_LINES) {
      throw new IOException(
          "counters file has no directory: file=%s, lines=%d; use the linerate of its program"
              .formatted(path, lines.size()));
    }
    head = List.copyOf(lines.subList(0, HEAD_LINES));
    List<Sample> named = new ArrayList<>();
    try {
      for (String line : lines.subList(HEAD_LINES, lines.size())) {
        String[] parts = line.split(" ", 3);
        SampleKey key = SampleKey.parse(parts[2]);
        named.add(
            new Sample(
                key.name(),
                key.labels(),
                SampleKind.valueOf(parts[0]),
                SampleUnit.valueOf(parts[1]),
                0));
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(
          "counters file has a bad directory: file=%s, error=%s; use the linerate of its program"
              .formatted(path, e.getMessage()),
          e);
    }
    directory = named;
  }

  @Override
  public void close() {
    arena.close();
    lock.close();
  }
}
