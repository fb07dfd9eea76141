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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * States of keys that no worker has, or that are saved. In a file they are 8 bytes that say what it
 * is, the number of keys in 8 bytes, then each key and its state as their codec writes them. Shared
 * by the workers.
 */
final class SavedStates<K, S> {
  /** {@code LRSTATE} and the version of the form. */
  private static final long MAGIC = 0x4C52_5354_4154_4501L;

  private final Optional<KeyedSettings.StateFile<K, S>> file;
  private final int most;

  /** What was read, or workers have left that have ended, and none has taken yet. */
  private final Map<K, S> left; // Guarded by this.

  /** What is in {@link #left}: nobody locks to find nothing. */
  private volatile int leftCount;

  /** What workers have handed over to be saved, as far as not all have. */
  private final Map<Integer, Part<K, S>> parts = new TreeMap<>(); // Guarded by this.

  private int workers; // Guarded by this.

  private SavedStates(Optional<KeyedSettings.StateFile<K, S>> file, int mostKeys, Map<K, S> left) {
    this.file = file;
    this.left = left;
    most = Math.max(mostKeys, left.size());
    leftCount = left.size();
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
   * Reads what was saved, if there is a file.
   *
   * @throws ConfigException if it cannot be read
   */
  static <K, S> SavedStates<K, S> of(KeyedSettings<K, S> settings) {
    Map<K, S> left = new LinkedHashMap<>();
    settings.file().ifPresent(file -> read(file, left));
    return new SavedStates<>(settings.file(), settings.mostKeys(), left);
  }

  private static <K, S> void read(KeyedSettings.StateFile<K, S> file, Map<K, S> left) {
    if (!Files.exists(file.path())) {
      return;
    }
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file.path())))) {
      if (in.readLong() != MAGIC) {
        throw unreadable(file.path(), "it is no file of states");
      }
      for (long count = in.readLong(); count > 0; count--) {
        K key = file.codec().readKey(in);
        left.put(key, file.codec().readState(in));
      }
    } catch (EOFException e) {
      throw unreadable(file.path(), "it ends too early");
    } catch (IOException e) {
      throw unreadable(file.path(), e.toString());
    }
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

  /** What was kept of a key: its worker has it from now on. */
  @Nullable S take(K key) {
    return leftCount == 0 ? null : takeLeft(key);
  }

  private synchronized @Nullable S takeLeft(K key) {
    S state = left.remove(key);
    leftCount = left.size();
    return state;
  }

  /**
   * A worker ends: others may have what it has kept. When all have, it is saved.
   *
   * @param kept its own, which it has no longer
   */
  synchronized void leave(int worker, Map<K, S> kept) {
    left.putAll(kept);
    Iterator<K> oldest = left.keySet().iterator();
    while (left.size() > most) {
      oldest.next();
      oldest.remove();
    }
    leftCount = left.size();
    parts.remove(worker);
    workers--;
    if (parts.size() == workers) {
      write();
    }
  }

  /**
   * A worker says what it keeps; when all have, it is saved, with what none has taken.
   *
   * @param kept its own, which it goes on with
   */
  void save(int worker, Map<K, S> kept) {
    file.ifPresent(some -> {
      Part<K, S> part = new Part<>(some.codec());
      kept.forEach(part::add);
      add(worker, part);
    });
  }

  private synchronized void add(int worker, Part<K, S> part) {
    parts.put(worker, part);
    if (parts.size() == workers) {
      write();
    }
  }

  /** All that is known. */
  private void write() {
    file.ifPresent(some -> {
      Part<K, S> rest = new Part<>(some.codec());
      left.forEach(rest::add);
      try {
        write(some.path(), rest);
      } catch (IOException e) {
        throw new ConfigException(
            "states cannot be saved: file=%s, reason=%s; what was saved before is as it was"
                .formatted(some.path(), e));
      } finally {
        parts.clear();
      }
    });
  }

  private void write(Path path, Part<K, S> rest) throws IOException {
    Path whole = path.toAbsolutePath();
    Path temporary = whole.resolveSibling(whole.getFileName() + ".new");
    try {
      try (DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(temporary)))) {
        out.writeLong(MAGIC);
        out.writeLong(rest.count + parts.values().stream().mapToLong(part -> part.count).sum());
        for (Part<K, S> part : parts.values()) {
          part.bytes.writeTo(out);
        }
        rest.bytes.writeTo(out);
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
