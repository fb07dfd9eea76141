package io.linerate.apps.transfer;

import io.linerate.stream.codec.Compression;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file or directory that is sent. All that changes is guarded by its {@link SendPlan}. */
final class SentFile {
  enum State {
    /** Nobody was told of it. */
    WAITING,

    /** The receiver was asked what it has of it. */
    OPENING,

    /** What the receiver lacks is sent. */
    SENDING,

    /** The receiver has it. */
    DONE,

    /** It could not be read, or written there. */
    FAILED
  }

  final long number;
  final Path path;

  /** As the receiver is to call it. */
  final String name;

  final boolean isDirectory;
  final long modifiedNs;
  final int mode;
  final Optional<Compression> compression;

  /** Of a pipe: not known before its end. */
  long size;

  final int extentSize;
  State state = State.WAITING;

  /** What the receiver calls it; another one when it has begun anew. */
  long handle;

  /** Extents that the receiver has. */
  final BitSet arrived = new BitSet();

  /** Extents that were given to workers, or are queued. */
  final BitSet given = new BitSet();

  long askedNs;
  int asked;
  long arrivedBytes;
  @Nullable Content content;

  SentFile(
      long number,
      Path path,
      String name,
      boolean isDirectory,
      long size,
      long modifiedNs,
      int mode,
      Optional<Compression> compression) {
    this.number = number;
    this.path = path;
    this.name = name;
    this.isDirectory = isDirectory;
    this.size = size;
    this.modifiedNs = modifiedNs;
    this.mode = mode;
    this.compression = compression;
    extentSize = TransferWire.extentSize(size);
  }

  boolean isOfKnownSize() {
    return size >= 0;
  }

  int extents() {
    return TransferWire.extents(size, extentSize);
  }

  int extentBytes(int extent) {
    return (int) Math.min(extentSize, size - (long) extent * extentSize);
  }

  boolean isOver() {
    return state == State.DONE || state == State.FAILED;
  }
}
