package io.linerate.fabric.channel;

import io.linerate.fabric.Descriptor;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.Receiver;
import io.linerate.fabric.RegionArena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Memory that is posted for messages: of an open endpoint for all its channels, of a connection for
 * its one.
 */
final class ReceiveMemory {
  private final FabricDomain domain;
  private final int slotBytes;
  private final BiConsumer<ReceiveMemory, Incoming> arrived;
  private final List<RegionArena> arenas = new ArrayList<>();
  private final List<Incoming> slots = new ArrayList<>();
  private final Deque<Incoming> unposted = new ArrayDeque<>();
  private final Receiver receiver;
  private int reserved;

  ReceiveMemory(
      FabricDomain domain,
      Receiver receiver,
      int messageBytes,
      BiConsumer<ReceiveMemory, Incoming> arrived) {
    this.domain = domain;
    this.receiver = receiver;
    this.arrived = arrived;
    slotBytes = (messageBytes + MessageHeader.BYTES + 63) & -64;
  }

  /** Sees that memory is posted for so many messages more. */
  void reserve(int messages) {
    if (reserved + messages > slots.size()) {
      add(reserved + messages - slots.size());
    }
    reserved += messages;
  }

  /** So many messages less may come: others are given their memory, which stays posted. */
  void release(int messages) {
    reserved -= messages;
  }

  private void add(int messages) {
    RegionArena arena = domain.arena();
    arenas.add(arena);
    MemoryRegion region = domain.register(arena.allocate((long) slotBytes * messages, 64));
    for (int i = 0; i < messages; i++) {
      long offset = (long) i * slotBytes;
      Descriptor descriptor = domain.descriptor().on(region, offset, slotBytes);
      Incoming slot = new Incoming(this, descriptor, region.segment().asSlice(offset, slotBytes));
      descriptor.whenComplete(_ -> arrived.accept(this, slot));
      slots.add(slot);
      post(slot);
    }
  }

  void check() {
    domain.requireOwner();
  }

  void post(Incoming slot) {
    if (receiver.isClosed()) {
      return;
    }
    if (!unposted.isEmpty() || !receiver.receive(slot.descriptor())) {
      unposted.add(slot);
    }
  }

  /** Posts what a full queue has refused. */
  void retry() {
    while (!unposted.isEmpty() && receiver.receive(unposted.element().descriptor())) {
      unposted.remove();
    }
  }

  /** After its receiver was closed. */
  void free() {
    unposted.clear();
    slots.forEach(slot -> slot.descriptor().close());
    slots.clear();
    arenas.forEach(RegionArena::close);
    arenas.clear();
  }
}
