package io.linerate.apps.standby;

import io.linerate.fabric.FabricException;
import io.linerate.fabric.replication.Standby;
import io.linerate.track.ConnectionImage;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * What a program begins with: connections of the one before, by worker, and the seed that
 * distributes their flows. The note that a primary gives its standbys is the seed, 8 bytes in
 * network order.
 */
final class RestoredConnections {
  /** Longer than it takes to find out that nobody else works. */
  private static final long OLD_NS = 15_000_000_000L;

  private final long seed;
  private final String from;
  private final boolean wasUpToDate;
  private final long readNs = System.nanoTime();
  private final List<List<long[]>> images = new ArrayList<>();

  private RestoredConnections(long seed, int workers, String from, boolean wasUpToDate) {
    this.seed = seed;
    this.from = from;
    this.wasUpToDate = wasUpToDate;
    for (int i = 0; i < workers; i++) {
      images.add(new ArrayList<>());
    }
  }

  /** No connections, and any seed. */
  static RestoredConnections none(int workers) {
    return new RestoredConnections(new SecureRandom().nextLong(), workers, "", true);
  }

  /**
   * Those that a standby was given.
   *
   * @throws FabricException if its primary was no such program
   */
  static RestoredConnections read(Standby standby, int workers) {
    byte[] note = standby.note();
    if (note.length != Long.BYTES) {
      throw new FabricException(
          "the primary is no program of this version: primary=%s, noteBytes=%d; give both the same"
              .formatted(standby.primary(), note.length));
    }
    String from = "primary=%s, reason=%s".formatted(standby.primary(), standby.reason());
    RestoredConnections read =
        new RestoredConnections(
            ByteBuffer.wrap(note).getLong(), workers, from, standby.isUpToDate());
    for (int worker = 0; worker < workers; worker++) {
      List<long[]> ofWorker = read.images.get(worker);
      standby.forEach(
          worker,
          image -> {
            if (ConnectionImage.isConnection(image)) {
              ofWorker.add(image.clone());
            }
          });
    }
    return read;
  }

  /** What standbys are told. */
  byte[] note() {
    return ByteBuffer.allocate(Long.BYTES).putLong(seed).array();
  }

  /** Whether a primary has told them. */
  boolean isTaken() {
    return !from.isEmpty();
  }

  /** Which primary has told them, and why it does not any more. */
  String from() {
    return from;
  }

  /** Whether they are as that had them when it was lost, just now. */
  boolean isUpToDate() {
    return wasUpToDate && System.nanoTime() - readNs < OLD_NS;
  }

  long seed() {
    return seed;
  }

  int size() {
    return images.stream().mapToInt(List::size).sum();
  }

  /** Those of a worker: once. Any thread may ask. */
  synchronized List<long[]> take(int worker) {
    List<long[]> taken = images.get(worker);
    images.set(worker, List.of());
    return taken;
  }
}
