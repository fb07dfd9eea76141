package io.linerate.core.driver;

import org.jspecify.annotations.Nullable;

/**
 * Dropped packets on their way to their pools: stored until there are {@code freeBurst}, then freed
 * with one call. A burst that alone brings that many is freed from where it stands.
 *
 * <p>One thread's own.
 */
public final class FreeBuffer {
  private final PacketPools pools;
  private final MbufArray stored;

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
    if (stored.isEmpty() && count >= stored.capacity()) {
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
   * Frees what is stored. Nothing is stored afterwards, whatever is thrown: a buffer that is lost
   * shows when its pool is closed, one that were freed twice would be two packets' at once.
   */
  public void flush() {
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
