package io.linerate.graph;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Elements that follow each other and handle packet by packet, while one loop over a burst gives
 * each packet to all of them: counts for each element what came to it and what it dropped, as if
 * each had had its own loop.
 */
final class FusedLoop {
  private final BurstOwner owner;
  private final RunningElement[] elements;
  private final Outlet[] outlets;

  /** What a handler has just dropped, and is not counted as its element's yet. */
  private final DropCounts dropped = new DropCounts();

  /**
   * Of the burst, by element: packets that did not go on, and bytes that those are more or less.
   */
  private final int[] gonePackets;

  private final long[] moreBytes;
  private boolean hasChanged;

  /** That came to the first element. */
  private int packets;

  private long bytes;

  /**
   * @param inlets of elements, each connected to the output of the one before
   * @param outlets where what is left of their packets goes on
   */
  FusedLoop(List<Inlet> inlets, List<Outlet> outlets) {
    elements = inlets.stream().map(Inlet::element).toArray(RunningElement[]::new);
    this.outlets = outlets.toArray(new Outlet[0]);
    owner = elements[0].replica().host().owner();
    gonePackets = new int[elements.length];
    moreBytes = new long[elements.length];
  }

  /** The loop over a burst begins. */
  void begin(Burst burst) {
    forgetChanges(); // Of one that the stack did not let end.
    packets = burst.live();
    bytes = burst.bytes();
    DropCounts _ = owner.drops(burst, dropped);
  }

  /** See {@link BurstOwner#loop}. */
  @Nullable Packet packet(Burst burst, int index) {
    return owner.loop(burst, index);
  }

  /**
   * Counts what a handler has done to a packet, which had {@code length} bytes before.
   *
   * @return its length now, below 0 if it is gone: then no other handler is given it
   */
  int changed(int element, Packet packet, int length) {
    hasChanged = true;
    int now = BurstOwner.length(packet);
    if (now >= 0) {
      moreBytes[element] += now - length;
    } else {
      gonePackets[element]++;
      moreBytes[element] -= length;
      moveDrops(elements[element]);
    }
    return now;
  }

  private void moveDrops(RunningElement element) {
    dropped.moveTo(element.drops());
    owner.placeDrops(element.drops());
  }

  /** All elements have had their packets; see {@link BurstOwner#settle}. */
  void settle() {
    owner.settle();
  }

  /**
   * The handler of an element has thrown: it costs the packet, which had {@code length} bytes
   * before, or all of them, see {@link RunningElement#failedAt}.
   */
  void failed(int element, Packet packet, int length, Throwable e) {
    try {
      elements[element].failedAt(packet, e);
    } catch (Error again) {
      if (BurstOwner.length(packet) != length) {
        int _ = changed(element, packet, length);
      }
      throw again;
    }
  }

  /**
   * Something was thrown that costs all packets which are left: they count as the last element's.
   *
   * @throws InternalError a fault of a mapped file, if packets lie in some
   */
  void broken(Burst burst, Throwable e) {
    RunningElement last = elements[elements.length - 1];
    if (burst.live() > 0) {
      burst.dropAll(DropReason.HANDLER_ERROR);
    }
    if (owner.readsFiles() && MappedFileFault.is(e)) {
      moveDrops(last);
      count();
      for (RunningElement element : elements) {
        element.discardSent();
      }
      throw (InternalError) e;
    }
    last.guard().add(e);
  }

  /** The loop has ended; returns where what is left goes next, or null. */
  @Nullable Inlet end(Burst burst) {
    owner.endLoop(burst);
    count();
    moveDrops(elements[elements.length - 1]);
    for (RunningElement element : elements) {
      element.flush();
    }
    int last = elements.length - 1;
    DropCounts _ = owner.drops(burst, elements[last].drops());
    return outlets[last].next(burst);
  }

  /** What went from each element to the next. The last output counts for itself. */
  private void count() {
    for (int i = 0; i < outlets.length - 1; i++) {
      if (hasChanged) {
        packets -= gonePackets[i];
        bytes += moreBytes[i];
      }
      outlets[i].counter().passed(packets, bytes);
    }
    forgetChanges();
  }

  private void forgetChanges() {
    if (hasChanged) {
      Arrays.fill(gonePackets, 0);
      Arrays.fill(moreBytes, 0);
      hasChanged = false;
    }
  }
}
