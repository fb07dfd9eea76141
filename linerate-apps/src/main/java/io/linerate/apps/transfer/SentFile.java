package io.linerate.apps.transfer;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory that is sent. All that changes is guarded by its {@link SendPlan}: workers
 * are told what they need of it.
 */
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
  final Treatment treatment;

  /** Of a pipe: not known before its end. */
  long size;

  /** As it is said to the receiver, which is not told of the end of a pipe by it. */
  final FileFacts facts;

  final int extentSize;
  State state = State.WAITING;

  /** What the receiver calls it; another one when it has begun anew. */
  long handle;

  /** Extents that the receiver has. */
  final BitSet arrived = new BitSet();

  /** Extents that were given to workers. */
  final BitSet given = new BitSet();

  /** Extents that workers are at. */
  final BitSet current = new BitSet();

  /** Bytes that were sent of extents that have not arrived. */
  final Map<Integer, Integer> parts = new HashMap<>();

  /** Whether it waits for a worker that sends more of it. */
  boolean isReady;

  long askedNs;
  int asked;

  /** Since when there was no news of it. */
  long newsNs;

  /** How often what had been sent was to be sent again. */
  int setbacks;

  long arrivedBytes;
  @Nullable Content content;
  private byte[] secretBound = {};

  SentFile(
      long number,
      Path path,
      String name,
      boolean isDirectory,
      long size,
      long modifiedNs,
      int mode,
      Treatment treatment) {
    this.number = number;
    this.path = path;
    this.name = name;
    this.isDirectory = isDirectory;
    this.size = size;
    this.modifiedNs = modifiedNs;
    this.mode = mode;
    this.treatment = treatment;
    extentSize = TransferWire.extentSize(size);
    facts = new FileFacts(name, size, modifiedNs, mode, extentSize, treatment.isSecret());
  }

  /** The next extent that is to be sent; -1: none, for now. */
  int nextExtent() {
    int extent = given.nextClearBit(0);
    int most = content instanceof PipeContent pipe ? pipe.extents() : extents();
    return extent < most ? extent : -1;
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

  /** What encrypted chunks of this file are bound to, so that they fit no other. */
  synchronized byte[] secretBound() {
    if (secretBound.length == 0) {
      secretBound = TransferWire.digest().digest(facts.toBytes());
    }
    return secretBound.clone();
  }

  boolean isOver() {
    return state == State.DONE || state == State.FAILED;
  }
}
