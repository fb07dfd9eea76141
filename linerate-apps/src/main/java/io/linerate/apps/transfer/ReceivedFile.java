package io.linerate.apps.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file that is being received: it lies beside the others under another name until all of it is
 * there. Any thread: chunks come in any order, by several workers. Nothing is written to an extent
 * that is complete, and each chunk of another one once.
 */
final class ReceivedFile {
  /** Of one file: senders are at as many as they have workers, and what is on its way. */
  private static final int MOST_ARRIVING = 64;

  /** What has become of what was said of a file. */
  enum Fate {
    /** It is as it was to be, or too late. */
    TAKEN,

    /** It cannot be so. */
    UNSOUND,

    /** With it, its extent is there. */
    RIGHT,

    /** Its extent is not what was sent: all of it is to be sent again. */
    WRONG
  }

  final long handle;
  final long transfer;
  final FileFacts facts;
  private final PartsDirectory parts;
  private final String part;
  private final TargetPath target;
  private final AtomicLong arrivingBytes;
  private final Journal journal;
  private final boolean isJournaled;
  private final BitSet extents;
  private final FileChannel channel;
  private final Map<Integer, Arriving> arriving = new HashMap<>();
  private byte[] secretBound = {};
  private long size;
  private boolean isClosed;
  private volatile long usedNs;

  /** An extent of which some has come: the checksums of its chunks. */
  private static final class Arriving {
    final byte[] digests;
    final BitSet begun = new BitSet();
    int written;
    int bytes;

    /** Of all; empty: it has not been said. */
    byte[] expected = new byte[0];

    Arriving(int mostBytes) {
      digests = new byte[TransferWire.chunks(mostBytes) * TransferWire.DIGEST_BYTES];
    }
  }

  /**
   * Opens it, with what is there of it from before.
   *
   * @param name of what lies among the parts
   * @param arrivingBytes memory for extents of all files that have come in part, which has a bound
   */
  ReceivedFile(
      long handle,
      long transfer,
      FileFacts facts,
      PartsDirectory parts,
      String name,
      TargetPath target,
      AtomicLong arrivingBytes)
      throws IOException {
    this.handle = handle;
    this.transfer = transfer;
    this.facts = facts;
    this.parts = parts;
    this.target = target;
    this.arrivingBytes = arrivingBytes;
    part = name + PartsDirectory.PART;
    size = facts.size();
    journal = new Journal(parts, name + PartsDirectory.JOURNAL, facts);
    // What comes by a pipe begins anew in any case, and the only extent has all.
    isJournaled = size >= 0 && facts.extents() > 1;
    extents = isJournaled ? journal.read(facts.extents()) : new BitSet();
    if (!extents.isEmpty() && begin(extents.length() - 1) >= parts.size(part)) {
      extents.clear();
    }
    if (isJournaled && extents.isEmpty()) {
      journal.delete();
    }
    channel = parts.open(part);
    if (extents.isEmpty()) {
      channel.truncate(0);
    }
  }

  synchronized BitSet extents() {
    return (BitSet) extents.clone();
  }

  long usedNs() {
    return usedNs;
  }

  void use(long nowNs) {
    usedNs = nowNs;
  }

  /** What encrypted chunks of this file are bound to, so that they fit no other. */
  synchronized byte[] secretBound() {
    if (secretBound.length == 0) {
      secretBound = TransferWire.digest().digest(facts.toBytes());
    }
    return secretBound.clone();
  }

  private long begin(int extent) {
    return (long) extent * facts.extentSize();
  }

  /** The longest that an extent can be. */
  private int mostBytes(int extent) {
    return size < 0 ? facts.extentSize() : (int) Math.min(facts.extentSize(), size - begin(extent));
  }

  private boolean has(int extent) {
    return extent >= 0 && extent < facts.extents() && (size < 0 || begin(extent) < size);
  }

  /**
   * Writes a chunk that has come.
   *
   * @param digest its checksum
   */
  Fate write(long offset, ByteBuffer bytes, byte[] digest) throws IOException {
    int count = bytes.remaining();
    int extent;
    int chunk;
    Arriving one;
    synchronized (this) {
      if (offset < 0 || offset / facts.extentSize() >= facts.extents()) {
        return Fate.UNSOUND;
      }
      extent = (int) (offset / facts.extentSize());
      long inside = offset - begin(extent);
      chunk = (int) (inside / TransferWire.CHUNK_SIZE);
      boolean isSound =
          has(extent)
              && inside % TransferWire.CHUNK_SIZE == 0
              && count <= TransferWire.CHUNK_SIZE
              && inside + count <= mostBytes(extent);
      if (!isSound) {
        return Fate.UNSOUND;
      }
      if (isClosed || extents.get(extent)) {
        return Fate.TAKEN;
      }
      @Nullable Arriving found = arriving(extent);
      if (found == null || found.begun.get(chunk)) {
        return Fate.TAKEN;
      }
      one = found;
      one.begun.set(chunk);
    }
    long at = offset;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
    synchronized (this) {
      System.arraycopy(
          digest, 0, one.digests, chunk * TransferWire.DIGEST_BYTES, TransferWire.DIGEST_BYTES);
      one.written++;
      one.bytes += count;
      return fate(extent, one);
    }
  }

  /** Those that have come in part; null: there are too many. */
  private @Nullable Arriving arriving(int extent) {
    Arriving one = arriving.get(extent);
    if (one == null && arriving.size() < MOST_ARRIVING) {
      one = new Arriving(mostBytes(extent));
      if (arrivingBytes.addAndGet(one.digests.length) > Incoming.MOST_ARRIVING_BYTES) {
        arrivingBytes.addAndGet(-one.digests.length);
        return null;
      }
      arriving.put(extent, one);
    }
    return one;
  }

  /** Whether extents of it have come in part. */
  synchronized boolean isArriving() {
    return !arriving.isEmpty();
  }

  /** An extent was sent as a whole, with that checksum of its chunks' ones. */
  synchronized Fate complete(int extent, int bytes, byte[] digest) throws IOException {
    if (!has(extent)
        || bytes <= 0
        || bytes > mostBytes(extent)
        || (size >= 0 && bytes != mostBytes(extent))) {
      return Fate.UNSOUND;
    }
    if (isClosed) {
      return Fate.TAKEN;
    }
    if (extents.get(extent)) {
      return Fate.RIGHT;
    }
    Arriving one = arriving(extent);
    if (one == null) {
      return Fate.WRONG;
    }
    one.expected = expected(bytes, digest);
    return fate(extent, one);
  }

  private static byte[] expected(int bytes, byte[] digest) {
    return ByteBuffer.allocate(Integer.BYTES + digest.length).putInt(bytes).put(digest).array();
  }

  private Fate fate(int extent, Arriving one) throws IOException {
    if (isClosed || one.expected.length == 0) {
      return Fate.TAKEN;
    }
    int bytes = ByteBuffer.wrap(one.expected).getInt();
    int chunks = TransferWire.chunks(bytes);
    if (one.written < chunks) {
      return Fate.TAKEN;
    }
    if (one.begun.cardinality() > one.written) {
      return Fate.TAKEN; // One too many is being written.
    }
    arriving.remove(extent);
    arrivingBytes.addAndGet(-one.digests.length);
    MessageDigest all = TransferWire.digest();
    all.update(one.digests, 0, chunks * TransferWire.DIGEST_BYTES);
    boolean isRight =
        one.bytes == bytes && MessageDigest.isEqual(expected(bytes, all.digest()), one.expected);
    if (!isRight) {
      return Fate.WRONG;
    }
    if (isJournaled) {
      journal.add(extent);
    }
    extents.set(extent);
    return Fate.RIGHT;
  }

  /** How long it is: known at the end of a pipe. */
  synchronized void size(long bytes) {
    if (size < 0) {
      size = bytes;
    }
  }

  /** How long it is; negative: not known before the end of a pipe. */
  synchronized long bytes() {
    return size;
  }

  /** Whether all of it is there. */
  synchronized boolean isWhole() {
    return size >= 0 && extents.nextClearBit(0) >= TransferWire.extents(size, facts.extentSize());
  }

  /** Gives it its name. */
  synchronized void finish() throws IOException {
    if (channel.size() != size) {
      channel.truncate(size);
    }
    release();
    channel.close();
    try (SecureDirectoryStream<Path> directory = target.openParent()) {
      parts.move(part, facts, directory, target.name());
    }
    if (isJournaled) {
      journal.delete();
    }
  }

  private void release() {
    isClosed = true;
    arriving.values().forEach(one -> arrivingBytes.addAndGet(-one.digests.length));
    arriving.clear();
  }

  /** Lets go of it; what is there of it stays, for the next time. */
  synchronized void close() throws IOException {
    release();
    channel.close();
    journal.close();
    if (!isJournaled || extents.isEmpty()) {
      parts.delete(part);
    }
  }

  /** Gives it up: nothing of it stays. */
  synchronized void discard() throws IOException {
    release();
    channel.close();
    parts.delete(part);
    journal.delete();
  }
}
