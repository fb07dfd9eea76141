package io.linerate.graph;

import io.linerate.core.driver.SpscRing;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.Packet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A queue of packets on one worker: see {@link Wiring#crossing}. */
public final class Crossing extends QueueSide implements PacketStore {
  /** Where packets are sent now. */
  private @Nullable Outlet to;

  /**
   * @param margin packets that must have room, or what feeds this waits; 0: it drops
   */
  Crossing(RunningElement element, Part part, int margin) {
    super(element, part, margin, (ring, isOwn) -> new PacketQueue(element, ring, isOwn));
  }

  /** Takes packets out of a burst, as many as there is room for; the others stay in it. */
  public int put(Burst burst) {
    element().replica().host().owner().require();
    SpscRing ring = open();
    int count = ring == null ? 0 : move(burst, ring);
    if (isOwn()) {
      element().replica().host().ledger().addHeld(count);
    } else {
      element().replica().host().ledger().addHandedOver(count);
    }
    return count;
  }

  private int move(Burst burst, SpscRing ring) {
    BurstOwner owner = element().replica().host().owner();
    int room = ring.room(burst.live());
    int count = 0;
    if (room > 0) {
      for (Packet packet : burst) {
        long receivedNs = packet.timestampNs();
        ring.add(owner.take(packet), receivedNs);
        if (++count == room) {
          break;
        }
      }
      ring.publish();
    }
    return count;
  }

  /**
   * Sends the oldest packets, at most {@code max}, and returns their number: none while a queue
   * behind this one holds back.
   */
  public int sendTo(Outlet outlet, int max) {
    element().replica().host().owner().require();
    to = outlet;
    return sendSome(max);
  }

  @Override
  int send(RingEnd end, int max) {
    return ((PacketQueue) end).sendTo(Objects.requireNonNull(to, "outlet"), max);
  }

  /**
   * Sends all that is inside. When the worker ends, it also sends what comes until the workers that
   * feed the queue have ended, or for a second, when one of them is stuck: then what that one still
   * puts in is dropped. Workers that feed each other end together.
   */
  public void finish(Outlet outlet) {
    to = outlet;
    finish();
  }
}
