package io.linerate.fabric.replication;

import io.linerate.fabric.CompletionLevel;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.RegionArena;
import io.linerate.fabric.RemoteRegion;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.Outgoing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The copy of one standby: first all tables as a whole, then what changes. What is sent is copied
 * before, and looked at: a provider would read slots that their threads are writing.
 */
final class StandbySender {
  private static final int WRITES = 64;

  /** As long as providers take writes without asking the peer before. */
  private static final int CHUNK_BYTES = 4_096;

  private static final long TOLD_NS = 1_000_000_000L;

  private final TableLayout layout;
  private final List<ReplicatedTable> tables;
  private final MemorySegment memory;
  private final Channel channel;
  private final RemoteRegion remote;
  private final byte[] note;
  private final RegionArena arena;
  private final MemoryRegion buffers;
  private final int slotsAtOnce;
  private final Deque<Write> free = new ArrayDeque<>();
  private final List<Write> all = new ArrayList<>();
  private @Nullable FabricError error;

  // Where it is, as long as it sends all.
  private int table;
  private int slot;
  private boolean isWhole;

  // Until the standby has had all for the first time.
  private int @Nullable [] marks;
  private boolean hasCaughtUp;
  private int firstWrites;
  private boolean isTold;
  private long toldNs;

  /** A write that can be under way, and where its buffer is. */
  private final class Write {
    private final Descriptor descriptor;
    private final long buffer;
    private boolean isOfFirst;

    Write(Descriptor descriptor, long buffer) {
      this.descriptor = descriptor;
      this.buffer = buffer;
      descriptor.whenComplete(_ -> written(this));
    }
  }

  /**
   * @param memory of the tables
   */
  StandbySender(
      TableLayout layout,
      List<ReplicatedTable> tables,
      MemorySegment memory,
      FabricDomain domain,
      Channel channel,
      RemoteRegion remote,
      byte[] note) {
    this.layout = layout;
    this.tables = tables;
    this.memory = memory;
    this.channel = channel;
    this.remote = remote;
    this.note = note;
    slotsAtOnce = Math.max(1, CHUNK_BYTES / layout.slotBytes());
    arena = domain.arena();
    long bytes = (long) slotsAtOnce * layout.slotBytes();
    buffers = domain.register(arena.allocate(WRITES * bytes, Long.BYTES));
    for (int i = 0; i < WRITES; i++) {
      all.add(new Write(domain.descriptor(), i * bytes));
    }
    free.addAll(all);
    tables.forEach(ReplicatedTable::takeAll); // All of it is sent.
  }

  private void written(Write write) {
    FabricError why = write.descriptor.error();
    if (why != null && error == null) {
      error = why;
    }
    if (write.isOfFirst) {
      firstWrites--;
    }
    free.add(write);
  }

  /** Why it cannot go on; null while it can. */
  @Nullable FabricError error() {
    return error != null ? error : channel.error();
  }

  /** Whether a write has no answer: an endpoint of shm then sends nothing more to anybody. */
  boolean isUnanswered() {
    for (Write each : all) {
      FabricError why = each.descriptor.error();
      if (why != null && why.kind() == FabricError.Kind.UNANSWERED) {
        return true;
      }
    }
    return false;
  }

  /** Whether the standby has had all. */
  boolean isInStep() {
    return isTold;
  }

  /** Sends what there is; whether it has sent something. */
  boolean work() {
    boolean hasWorked = false;
    while (!free.isEmpty() && (isWhole ? sendChange() : sendChunk())) {
      hasWorked = true;
    }
    tell();
    return hasWorked;
  }

  /**
   * Tells the standby that it is in step, now and then: it could not know that it was let go. What
   * changes, and what is sent as a whole once more, never ends: it is not waited for.
   */
  private void tell() {
    long now = System.nanoTime();
    boolean isDue = isTold ? now - toldNs > TOLD_NS : hasCaughtUp() && firstWrites == 0;
    if (isDue && error == null && channel.state() == Channel.State.OPEN) {
      Outgoing message = channel.claim();
      if (message != null) {
        message.send(ReplicationMessage.write(message.memory(), ReplicationMessage.IN_STEP, note));
        isTold = true;
        toldNs = now;
      }
    }
  }

  /**
   * Whether all has been sent once, and what had changed until then: a slot that was being written
   * is left out of the whole, and counts as changed.
   */
  private boolean hasCaughtUp() {
    int[] until = marks;
    if (hasCaughtUp || until == null) {
      return hasCaughtUp;
    }
    for (int i = 0; i < until.length; i++) {
      if (!tables.get(i).hasTaken(until[i])) {
        return false;
      }
    }
    hasCaughtUp = true;
    return true;
  }

  private boolean sendChunk() {
    while (table < layout.tables() && slot >= 2 * tables.get(table).used()) {
      table++;
      slot = 0;
    }
    if (table == layout.tables()) {
      isWhole = true;
      if (marks == null) {
        marks = tables.stream().mapToInt(ReplicatedTable::mark).toArray();
      }
      return true;
    }
    int most = Math.min(slotsAtOnce, 2 * tables.get(table).used() - slot);
    long offset = layout.recordOffset(table, 0) + (long) slot * layout.slotBytes();
    int count = send(offset, most);
    slot += count == 0 ? 1 : Math.max(count, 0);
    return count >= 0;
  }

  private boolean sendChange() {
    boolean hasTaken = false;
    for (ReplicatedTable each : tables) {
      if (each.takeOverflow()) {
        each.takeAll();
        table = 0;
        slot = 0;
        isWhole = false;
        return true;
      }
      long changed = free.isEmpty() ? -1 : each.peek();
      if (changed >= 0 && send(changed, 1) >= 0) { // If it is being written, it comes once more.
        each.take();
        hasTaken = true;
      }
    }
    return hasTaken;
  }

  /**
   * Sends slots, up to the first that is being written.
   *
   * @return how many were sent; -1 if nothing can be sent now
   */
  private int send(long offset, int most) {
    if (channel.state() != Channel.State.OPEN) {
      return -1; // It has just failed: its error tells.
    }
    Write write = free.remove();
    int count = layout.copyWhole(memory, offset, most, buffers.segment(), write.buffer);
    if (count == 0) {
      free.push(write);
      return 0;
    }
    write.descriptor.on(buffers, write.buffer, (long) count * layout.slotBytes());
    write.isOfFirst = !hasCaughtUp();
    // Of all that is sent first it is to be known that it is there.
    write.descriptor.level(write.isOfFirst ? CompletionLevel.DELIVERED : CompletionLevel.DEFAULT);
    if (!channel.write(write.descriptor, remote, offset)) {
      free.push(write);
      return -1;
    }
    if (write.isOfFirst) {
      firstWrites++;
    }
    return count;
  }

  /** After the channel was closed. */
  void free() {
    boolean isPosted = false;
    for (Write each : all) {
      if (each.descriptor.isPosted()) {
        isPosted = true; // With its domain.
      } else {
        each.descriptor.close();
      }
    }
    if (!isPosted) {
      arena.close();
    }
  }
}
