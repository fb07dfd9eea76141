package io.linerate.core.counter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 *
 * <p>The file is read, not mapped: whatever somebody else does to it meanwhile, it is an {@link
 * IOException} here, where a map that becomes shorter is a signal to the process.
 */
public final class CountersReader implements SampleSource, AutoCloseable {
  /** A program that writes has done so long before, unless it is stopped. */
  static final long USUAL_WAIT_NS = 2_000_000_000;

  private static final long RETRY_NS = 50_000;
  private static final int HEAD_LINES = 3;

  private final ProgramLock lock;
  private final FileChannel file;
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
    try {
      file = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      lock.close();
      throw e;
    }
    ByteBuffer start;
    try {
      if (file.size() != CountersLayout.FILE_BYTES) {
        throw new IOException(
            "not a counters file: file=" + path + ", bytes=" + file.size() + "; leave it out");
      }
      start = read(0, CountersLayout.START_BYTES);
      long version = at(start, CountersLayout.VERSION_OFFSET);
      if (at(start, CountersLayout.MAGIC_OFFSET) != CountersLayout.MAGIC
          || version != CountersLayout.VERSION) {
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
    }
    program =
        new ProgramInfo(
            at(start, CountersLayout.PID_OFFSET),
            head.get(0),
            head.get(1),
            at(start, CountersLayout.STARTED_OFFSET),
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
      return file.size() >= CountersLayout.FILE_BYTES
          && number(CountersLayout.ENDED_OFFSET) == 0
          && lock.isHeld();
    } catch (IOException | UncheckedIOException e) {
      return false; // Nothing tells that it is.
    }
  }

  private long number(long offset) {
    try {
      return at(read(offset, Long.BYTES), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static long at(ByteBuffer bytes, long offset) {
    return bytes.getLong((int) offset);
  }

  /** Reads so many bytes of the file. */
  private ByteBuffer read(long offset, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    int last = 0;
    while (bytes.hasRemaining() && last >= 0) {
      last = file.read(bytes, offset + bytes.position());
    }
    if (bytes.hasRemaining()) {
      throw new IOException(
          "counters file became shorter: file=%s, bytes=%d; see that nobody changes it"
              .formatted(path, offset + bytes.position()));
    }
    return bytes.flip();
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
      for (int i = 0; i < values.length; i++) {
        Sample named = directory.get(i);
        sink.add(new Sample(named.name(), named.labels(), named.kind(), named.unit(), values[i]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
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

  /** Whatever else is read between two readings of the sequence is of one moment. */
  private Copy copy() throws IOException {
    long startNs = System.nanoTime();
    do {
      long before = at(read(CountersLayout.SEQUENCE_OFFSET, Long.BYTES), 0);
      if ((before & 1) == 0) {
        Copy copy = copy(read(0, CountersLayout.START_BYTES));
        if (at(read(CountersLayout.SEQUENCE_OFFSET, Long.BYTES), 0) == before) {
          return copy;
        }
      }
      LockSupport.parkNanos(RETRY_NS);
    } while (System.nanoTime() - startNs < waitNs);
    throw new IOException(
        "program does not finish what it writes: file=%s, waitedMs=%d; it was stopped or killed, remove the file if it does not run any more"
            .formatted(path, TimeUnit.NANOSECONDS.toMillis(waitNs)));
  }

  private Copy copy(ByteBuffer start) throws IOException {
    long now = at(start, CountersLayout.GENERATION_OFFSET);
    long length = at(start, CountersLayout.DIRECTORY_LENGTH_OFFSET);
    long count = at(start, CountersLayout.VALUE_COUNT_OFFSET);
    int bytes = now == generation ? 0 : Math.clamp(length, 0, CountersLayout.MAX_DIRECTORY_BYTES);
    byte[] text = read(CountersLayout.DIRECTORY_OFFSET, bytes).array();
    long[] values = new long[Math.clamp(count, 0, CountersLayout.MAX_VALUES)];
    read(CountersLayout.VALUES_OFFSET, values.length * Long.BYTES).asLongBuffer().get(values);
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
    try {
      file.close();
    } catch (IOException e) {
      // It was read only: nothing is lost.
    }
    lock.close();
  }
}
