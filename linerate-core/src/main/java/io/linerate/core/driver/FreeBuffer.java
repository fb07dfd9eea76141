package io.linerate.core.driver;

import org.jspecify.annotations.Nullable;

/**
 * Dropped packets on their way to their pools: stored until there are {@code freeBurst}, then freed
 * with one call. As many in one burst are freed from where they stand; the burst of a receive queue
 * by the call that receives the next, where the driver can do both with one.
 *
 * <p>One thread's own.
 */
public final class FreeBuffer {
  private final PacketPools pools;
  private final MbufArray stored;

  /** Address of packets that lie where their burst was. */
  private long spent;

  private int spentCount;
  private @Nullable PacketPool spentOrigin;

  /**
   * @param freeBurst packets to store before freeing them all, 1 to 65,535
   */
  public FreeBuffer(PacketPools pools, int freeBurst) {
    this.pools = pools;
    stored = new MbufArray(freeBurst);
  }

  /** Packets stored. */
  public int size() {
    return stored.size();
  }

  /**
   * Takes packets over.
   *
   * @param origin the pool they all belong to, or null when they may differ
   */
  public void add(long packets, int count, @Nullable PacketPool origin) {
    if (count >= stored.capacity()) {
      free(packets, count, origin);
      return;
    }
    int done = 0;
    while (done < count) {
      flushIfFull(); // What was thrown there before has left it full.
      int part = Math.min(count - done, stored.room());
      Handles.copy(Handles.address(packets, done), stored.reserve(part), part);
      stored.extend(part, origin);
      done += part;
    }
    flushIfFull();
  }

  /**
   * As {@link #add(long, int, PacketPool)}, but they stay where they are. Nobody may write there
   * before {@link #storeSpent} or {@link #takeSpent} is called.
   */
  @SuppressWarnings("ReferenceEquality")
  public void addInPlace(long packets, int count, @Nullable PacketPool origin) {
    storeSpent();
    spent = packets;
    spentCount = count;
    if (spentOrigin != origin) {
      spentOrigin = origin;
    }
  }

  /** Takes the packets that have stayed where they were from there. */
  public void storeSpent() {
    int count = takeSpent();
    if (count > 0) {
      add(spent, count, spentOrigin);
    }
  }

  /** The pool of {@link #spent}, or null when they may be of several. */
  public @Nullable PacketPool spentOrigin() {
    return spentOrigin;
  }

  /** Address of the handles that {@link #takeSpent} gives away. */
  public long spent() {
    return spent;
  }

  /** The number of packets at {@link #spent}, which the caller frees from now on. */
  public int takeSpent() {
    int count = spentCount;
    spentCount = 0;
    return count;
  }

  /** Takes one packet over, of any pool. */
  public void add(long mbuf) {
    flushIfFull();
    stored.append(mbuf);
    flushIfFull();
  }

  private void flushIfFull() {
    if (stored.room() == 0) {
      flush();
    }
  }

  /**
   * Frees all that it has. Nothing is left afterwards, whatever is thrown: a buffer that is lost
   * shows when its pool is closed, one that were freed twice would be two packets' at once.
   */
  public void flush() {
    storeSpent();
    int count = stored.size();
    if (count > 0) {
      stored.clear();
      free(stored.address(), count, stored.origin());
    }
  }

  private void free(long packets, int count, @Nullable PacketPool from) {
    if (from != null) {
      from.free(packets, count);
    } else {
      pools.free(packets, count);
    }
  }
}
