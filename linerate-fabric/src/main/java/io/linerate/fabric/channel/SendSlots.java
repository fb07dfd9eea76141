package io.linerate.fabric.channel;

import io.linerate.fabric.Destination;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.RegionArena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Memory for what a channel sends: for messages of the program, and for those without data. What a
 * full queue has refused is sent later, in order.
 */
final class SendSlots {
  private final Channel channel;
  private final FabricDomain domain;
  private final Destination wire;
  private final RegionArena arena;
  private final List<Outgoing> slots = new ArrayList<>();
  private final Deque<Outgoing> free = new ArrayDeque<>();
  private final Deque<Outgoing> freeControl = new ArrayDeque<>();
  private final Deque<Outgoing> unsent = new ArrayDeque<>();
  private int claimed;
  private boolean isEnded;

  SendSlots(Channel channel, FabricDomain domain, Destination wire) {
    this.channel = channel;
    this.domain = domain;
    this.wire = wire;
    arena = domain.arena();
    addSlots(Channel.RESERVE, Hello.BYTES + 256, freeControl);
  }

  /** Adds memory for messages of the program. */
  void add(int count, int messageBytes) {
    addSlots(count, messageBytes, free);
  }

  private void addSlots(int count, int payloadBytes, Deque<Outgoing> home) {
    int slotBytes = (payloadBytes + MessageHeader.BYTES + 63) & -64;
    MemoryRegion region = domain.register(arena.allocate((long) slotBytes * count, 64));
    for (int i = 0; i < count; i++) {
      Outgoing slot =
          new Outgoing(channel, domain.descriptor(), region, (long) i * slotBytes, slotBytes);
      slot.descriptor().whenComplete(_ -> left(slot, home));
      slots.add(slot);
      home.push(slot);
    }
  }

  Destination wire() {
    return wire;
  }

  /** Memory for a message of the program; null if there is none now. */
  @Nullable Outgoing claim() {
    Outgoing slot = free.poll();
    claimed += slot == null ? 0 : 1;
    return slot;
  }

  /** Messages that the program writes. */
  int claimed() {
    return claimed;
  }

  /** Memory for a message without data; null if there is none now. */
  @Nullable Outgoing claimControl() {
    return freeControl.poll();
  }

  /** The program sends nothing by it. */
  void giveBack(Outgoing slot) {
    claimed--;
    free.push(slot);
  }

  /** The program has written it. */
  void postClaimed(Outgoing slot) {
    claimed--;
    post(slot);
  }

  void post(Outgoing slot) {
    if (!unsent.isEmpty() || !trySend(slot)) {
      unsent.add(slot);
    }
  }

  /** Sends what a full queue has refused, as much of it as it takes now. */
  void retry() {
    while (!unsent.isEmpty() && !channel.hasFailed() && trySend(unsent.element())) {
      unsent.remove();
    }
  }

  private boolean trySend(Outgoing slot) {
    try {
      return wire.send(slot.descriptor());
    } catch (FabricException e) { // Not the program's mistake: thread and memory were checked.
      channel.fail(FabricError.of(FabricError.Kind.DISCONNECTED, String.valueOf(e.getMessage())));
      return false;
    }
  }

  private void left(Outgoing slot, Deque<Outgoing> home) {
    FabricError why = slot.descriptor().error();
    if (why != null && why.kind() != FabricError.Kind.CANCELED) {
      channel.fail(why);
    }
    if (!isEnded) {
      home.push(slot);
    }
  }

  /** Whether the queue has taken all. */
  boolean isPosted() {
    return unsent.isEmpty();
  }

  /** Whether all that was sent has left this side. */
  boolean hasLeft() {
    return unsent.isEmpty() && slots.stream().noneMatch(slot -> slot.descriptor().isPosted());
  }

  /** Nothing is sent any more. */
  void end() {
    isEnded = true;
    unsent.clear();
  }

  /** After the endpoint was closed, or where nothing of it is posted. */
  void free() {
    if (slots.stream().anyMatch(slot -> slot.descriptor().isPosted())) {
      return; // Until the host's endpoint is closed: the provider still has it.
    }
    slots.forEach(slot -> slot.descriptor().close());
    slots.clear();
    arena.close();
  }
}
