package io.linerate.stream;

import io.linerate.core.config.ConfigException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * States of keys in a file: 8 bytes that say what it is, the number of keys in 8 bytes, then each
 * key and its state as their codec writes them. Shared by the workers.
 */
final class SavedStates<K, S> {
  /** {@code LRSTATE} and the version of the form. */
  private static final long MAGIC = 0x4C52_5354_4154_4501L;

  private final KeyedSettings.StateFile<K, S> file;

  /** What was read, and no worker has taken yet. Guarded by this. */
  private final Map<K, S> restored;

  /** What workers have handed over, as far as not all have. Guarded by this. */
  private final Map<Integer, Part<K, S>> parts = new TreeMap<>();

  private int workers; // Guarded by this.

  private SavedStates(KeyedSettings.StateFile<K, S> file, Map<K, S> restored) {
    this.file = file;
    this.restored = restored;
  }

  /** States of one worker. */
  static final class Part<K, S> {
    private final StateCodec<K, S> codec;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private long count;

    private Part(StateCodec<K, S> codec) {
      this.codec = codec;
    }

    void add(K key, S state) {
      try {
        codec.writeKey(key, out);
        codec.writeState(state, out);
        count++;
      } catch (IOException e) { // Nothing is written to a file here.
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Reads a file, if there is one.
   *
   * @throws ConfigException if it cannot be read
   */
  static <K, S> SavedStates<K, S> read(KeyedSettings.StateFile<K, S> file) {
    Map<K, S> restored = new HashMap<>();
    if (Files.exists(file.path())) {
      try (DataInputStream in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(file.path())))) {
        if (in.readLong() != MAGIC) {
          throw unreadable(file.path(), "it is no file of states");
        }
        for (long left = in.readLong(); left > 0; left--) {
          K key = file.codec().readKey(in);
          restored.put(key, file.codec().readState(in));
        }
      } catch (EOFException e) {
        throw unreadable(file.path(), "it ends too early");
      } catch (IOException e) {
        throw unreadable(file.path(), e.toString());
      }
    }
    return new SavedStates<>(file, restored);
  }

  private static ConfigException unreadable(Path path, String why) {
    return new ConfigException(
        "saved states cannot be read: file=%s, reason=%s; remove it to start without, or name another"
            .formatted(path, why));
  }

  /** One more worker has such states. */
  synchronized void join() {
    workers++;
  }

  /** What was saved of a key: its worker has it from now on. */
  synchronized @Nullable S take(K key) {
    return restored.remove(key);
  }

  Part<K, S> part() {
    return new Part<>(file.codec());
  }

  /**
   * A worker has handed over what it has; when all have, the file is written. What was restored and
   * not taken is kept.
   */
  synchronized void write(int worker, Part<K, S> part) {
    parts.put(worker, part);
    if (parts.size() < workers) {
      return;
    }
    Part<K, S> left = part();
    restored.forEach(left::add);
    try {
      write(left);
    } catch (IOException e) {
      throw new ConfigException(
          "states cannot be saved: file=%s, reason=%s; what was saved before is as it was"
              .formatted(file.path(), e));
    } finally {
      parts.clear();
    }
  }

  private void write(Part<K, S> left) throws IOException {
    Path whole = file.path().toAbsolutePath();
    Path temporary = whole.resolveSibling(whole.getFileName() + ".new");
    try {
      try (DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(temporary)))) {
        out.writeLong(MAGIC);
        out.writeLong(left.count + parts.values().stream().mapToLong(part -> part.count).sum());
        for (Part<K, S> part : parts.values()) {
          part.bytes.writeTo(out);
        }
        left.bytes.writeTo(out);
      }
      try (FileChannel written = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        written.force(true);
      }
      Files.move(temporary, whole, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
