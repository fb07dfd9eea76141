package io.linerate.fabric.replication;

import io.linerate.fabric.CompletionLevel;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.RemoteRegion;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.Outgoing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The copy of one standby: first all tables as a whole, then what changes. */
final class StandbySender {
  private static final int WRITES = 64;

  /** As long as providers take writes without asking the peer before. */
  private static final int CHUNK_BYTES = 4_096;

  private final TableLayout layout;
  private final List<ReplicatedTable> tables;
  private final MemoryRegion memory;
  private final Channel channel;
  private final RemoteRegion remote;
  private final byte[] note;
  private final Deque<Descriptor> free = new ArrayDeque<>();
  private final List<Descriptor> all = new ArrayList<>();
  private @Nullable FabricError error;

  // Where it is, as long as it sends all.
  private int table;
  private int record;
  private boolean isWhole;
  private boolean isTold;

  StandbySender(
      TableLayout layout,
      List<ReplicatedTable> tables,
      FabricDomain domain,
      MemoryRegion memory,
      Channel channel,
      RemoteRegion remote,
      byte[] note) {
    this.layout = layout;
    this.tables = tables;
    this.memory = memory;
    this.channel = channel;
    this.remote = remote;
    this.note = note;
    for (int i = 0; i < WRITES; i++) {
      Descriptor write = domain.descriptor();
      write.whenComplete(this::written);
      all.add(write);
      free.add(write);
    }
    tables.forEach(ReplicatedTable::takeAll); // All of it is sent.
  }

  private void written(Descriptor write) {
    FabricError why = write.error();
    if (why != null && error == null) {
      error = why;
    }
    free.add(write);
  }

  /** Why it cannot go on; null while it can. */
  @Nullable FabricError error() {
    return error != null ? error : channel.error();
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
    if (isWhole && !isTold && free.size() == WRITES && channel.state() == Channel.State.OPEN) {
      Outgoing message = channel.claim();
      if (message != null) {
        message.send(ReplicationMessage.write(message.memory(), ReplicationMessage.IN_STEP, note));
        isTold = true;
      }
    }
    return hasWorked;
  }

  private boolean sendChunk() {
    while (table < layout.tables() && record >= tables.get(table).used()) {
      table++;
      record = 0;
    }
    if (table == layout.tables()) {
      isWhole = true;
      return false;
    }
    int most = Math.max(1, CHUNK_BYTES / layout.recordBytes());
    int count = Math.min(most, tables.get(table).used() - record);
    if (!write(layout.recordOffset(table, record), (long) count * layout.recordBytes())) {
      return false;
    }
    record += count;
    return true;
  }

  private boolean sendChange() {
    boolean hasSent = false;
    for (ReplicatedTable each : tables) {
      if (each.takeOverflow()) {
        each.takeAll();
        table = 0;
        record = 0;
        isWhole = false;
        return true;
      }
      long slot = free.isEmpty() ? -1 : each.peek();
      if (slot >= 0 && write(slot, layout.slotBytes())) {
        each.take();
        hasSent = true;
      }
    }
    return hasSent;
  }

  private boolean write(long offset, long bytes) {
    if (channel.state() != Channel.State.OPEN) {
      return false; // It has just failed: its error tells.
    }
    Descriptor write = free.remove();
    write.on(memory, offset, bytes);
    // Of all that is sent as a whole it is to be known that it is there.
    write.level(isWhole ? CompletionLevel.DEFAULT : CompletionLevel.DELIVERED);
    if (channel.write(write, remote, offset)) {
      return true;
    }
    free.push(write);
    return false;
  }

  /** After the channel was closed. */
  void free() {
    all.stream().filter(write -> !write.isPosted()).forEach(Descriptor::close);
  }
}
