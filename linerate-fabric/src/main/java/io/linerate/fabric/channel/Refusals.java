package io.linerate.fabric.channel;

import io.linerate.fabric.Descriptor;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.OpenEndpoint;
import io.linerate.fabric.Peer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells peers without a connection that they are not given a channel. A few at a time: who is told
 * nothing counts this side as lost after its time.
 */
final class Refusals {
  private static final int SLOTS = 8;
  private static final int SLOT_BYTES = 256;

  private final ChannelHost host;
  private final OpenEndpoint endpoint;
  private final List<Slot> slots = new ArrayList<>();

  Refusals(ChannelHost host, OpenEndpoint endpoint) {
    this.host = host;
    this.endpoint = endpoint;
  }

  /**
   * Tells one.
   *
   * @param channel as the peer has numbered it
   * @param why at most 240 bytes
   */
  void send(Peer peer, int channel, byte[] why) {
    if (slots.isEmpty()) {
      addSlots();
    }
    for (Slot slot : slots) {
      if (slot.peer == null) {
        slot.send(peer, channel, why);
        return;
      }
    }
    host.removeUnused(peer);
  }

  private void addSlots() {
    FabricDomain domain = host.domain();
    MemorySegment memory = domain.arena().allocate((long) SLOTS * SLOT_BYTES, 64);
    MemoryRegion region = domain.register(memory);
    for (int i = 0; i < SLOTS; i++) {
      slots.add(new Slot(domain.descriptor(), region, (long) i * SLOT_BYTES));
    }
  }

  /** Whether a peer is being told so. */
  boolean isFor(Peer peer) {
    for (Slot slot : slots) {
      if (peer.equals(slot.peer)) {
        return true;
      }
    }
    return false;
  }

  private final class Slot {
    private final Descriptor descriptor;
    private final MemoryRegion region;
    private final long offset;
    private @Nullable Peer peer;

    Slot(Descriptor descriptor, MemoryRegion region, long offset) {
      this.descriptor = descriptor;
      this.region = region;
      this.offset = offset;
      descriptor.whenComplete(_ -> left());
    }

    void send(Peer to, int channel, byte[] why) {
      MemorySegment message = region.segment().asSlice(offset, SLOT_BYTES);
      MessageHeader.write(message, MessageHeader.REFUSED, 0, channel, 0, 0);
      MemorySegment.copy(why, 0, message, ValueLayout.JAVA_BYTE, MessageHeader.BYTES, why.length);
      descriptor.on(region, offset, (long) MessageHeader.BYTES + why.length);
      peer = to;
      boolean isSent = false;
      try {
        isSent = endpoint.send(descriptor, to);
      } finally {
        if (!isSent) {
          left();
        }
      }
    }

    private void left() {
      Peer told = peer;
      peer = null;
      if (told != null) {
        host.removeUnused(told);
      }
    }
  }
}
