package io.linerate.core.driver;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Dropped packets on their way home: stored until there are {@code freeBurst}, then freed with one
 * call. A burst that alone brings that many is freed from where it stands.
 *
 * <p>One thread's own.
 */
public final class FreeBuffer {
  private final PacketPools pools;
  private final int freeBurst;
  private final long handles;

  // Keeps the array of handles alive as long as the buffer.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final Object handleMemory;

  private int size;
  private @Nullable PacketPool origin;

  /**
   * @param freeBurst packets to store before freeing them all, at least 1
   */
  public FreeBuffer(PacketPools pools, int freeBurst) {
    if (freeBurst < 1) {
      throw new IllegalArgumentException(
          "free buffer has a bad size: freeBurst=" + freeBurst + "; at least 1 is possible");
    }
    this.pools = pools;
    this.freeBurst = freeBurst;
    var memory = Arena.ofAuto().allocate(8L * freeBurst, 64);
    handleMemory = memory;
    handles = memory.address();
  }

  /** Packets stored. */
  public int size() {
    return size;
  }

  /**
   * Takes packets over.
   *
   * @param origin the pool they all belong to, or null when they may differ
   */
  public void add(long packets, int count, @Nullable PacketPool origin) {
    if (size == 0 && count >= freeBurst) {
      free(packets, count, origin);
      return;
    }
    for (int i = 0; i < count; i++) {
      add(Handles.get(packets, i), origin);
    }
  }

  /** Takes one packet over, of any pool. */
  public void add(long mbuf) {
    add(mbuf, null);
  }

  @SuppressWarnings("ReferenceEquality")
  private void add(long mbuf, @Nullable PacketPool from) {
    if (size == freeBurst) {
      flush(); // What was thrown there before has left it full.
    }
    origin = size == 0 || origin == from ? from : null;
    Handles.set(handles, size++, mbuf);
    if (size == freeBurst) {
      flush();
    }
  }

  /**
   * Frees what is stored. Nothing is stored afterwards, whatever is thrown: a buffer that is lost
   * shows when its pool is closed, one that were freed twice would be two packets' at once.
   */
  public void flush() {
    int count = size;
    if (count > 0) {
      size = 0;
      free(handles, count, origin);
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
