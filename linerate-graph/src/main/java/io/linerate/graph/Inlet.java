package io.linerate.graph;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;
import io.linerate.core.worker.BurstHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An input of a running element, or where bursts of a port come to one: then the worker calls it.
 * Whoever is called here with a burst ends each packet of it before it returns: what is left then
 * was forgotten, and is dropped and counted as such.
 */
final class Inlet implements BurstHandler {
  /** Elements that are compiled as one: HotSpot does not compile a method of 8,000 bytes. */
  private static final int MAX_PATH = 100;

  private final RunningElement element;
  private final BurstOwner owner;
  private BurstHandler handler;

  /** From here on. Null where bursts do not come from a port. */
  private @Nullable StraightPath path;

  /** What it was made of. */
  private List<@Nullable Object> pathMade = List.of();

  private final PacketCounter fromPorts = new PacketCounter();

  private final ElementTimer timer;

  /** Of the bursts of a port. */
  private final BurstTiming timing;

  /** Packets are counted once, where they come from: other threads read the sum here. */
  private volatile Sources sources = new Sources(List.of(fromPorts), 0, 0);

  /** Counters that count what comes here, and what they do not: it came or went elsewhere. */
  private record Sources(List<PacketCounter> counters, long packets, long bytes) {}

  Inlet(RunningElement element, BurstHandler handler) {
    this.element = element;
    owner = element.replica().host().owner();
    timer = element.replica().timer();
    timing = new BurstTiming(timer);
    this.handler = handler;
  }

  /** Another handler does the work from now on. */
  void replace(BurstHandler next) {
    handler = next;
  }

  /** From now on comes what this counts. Between two bursts only. */
  void connect(PacketCounter output) {
    List<PacketCounter> counters = new ArrayList<>(sources.counters);
    counters.add(output);
    sources =
        new Sources(counters, sources.packets - output.packets(), sources.bytes - output.bytes());
  }

  /** What this counts comes here no longer. Between two bursts only. */
  void disconnect(PacketCounter output) {
    List<PacketCounter> counters = new ArrayList<>(sources.counters);
    counters.remove(output);
    sources =
        new Sources(counters, sources.packets + output.packets(), sources.bytes + output.bytes());
  }

  /** Packets that came until now. Any thread. */
  long packets() {
    Sources now = sources;
    return now.packets + now.counters.stream().mapToLong(PacketCounter::packets).sum();
  }

  /** Bytes that came until now. Any thread. */
  long bytes() {
    Sources now = sources;
    return now.bytes + now.counters.stream().mapToLong(PacketCounter::bytes).sum();
  }

  /**
   * Nothing is left in the burst afterwards, and it counts drops where it did before, whatever was
   * thrown.
   *
   * @param burst with one packet at least; whoever hands them over has counted them
   */
  void accept(Burst burst) {
    accept(burst, path);
  }

  /**
   * @param straight how it goes on from here; null: from element to element
   */
  private void accept(Burst burst, @Nullable StraightPath straight) {
    DropCounts before = owner.drops(burst);
    try {
      Inlet next = straight == null ? handle(burst) : straight.handle(burst);
      while (next != null) {
        next = next.handle(burst);
      }
    } finally {
      DropCounts _ = owner.drops(burst, before);
    }
  }

  private @Nullable Inlet handle(Burst burst) {
    if (!timer.isOn()) {
      return handleNow(burst);
    }
    ElementTime before = timer.enter(element.time(), burst.live());
    try {
      return handleNow(burst);
    } finally {
      timer.leave(before);
    }
  }

  private @Nullable Inlet handleNow(Burst burst) {
    int live = begin(burst);
    try {
      handler.onBurst(burst);
      settle();
    } catch (Throwable e) { // Whatever an element does, its worker goes on.
      failed(burst, live, e);
    }
    return end(burst);
  }

  /** The handler is given a burst next; returns the packets in it. */
  int begin(Burst burst) {
    DropCounts _ = owner.drops(burst, element.drops());
    element.begin(burst);
    return burst.live();
  }

  /** The handler has returned; see {@link BurstOwner#settle}. */
  void settle() {
    owner.settle();
  }

  /** The handler, which was given {@code live} packets, has thrown. */
  void failed(Burst burst, int live, Throwable e) {
    if (element.hasPushed() && !MappedFileFault.is(e)) {
      element.guard().add(e);
      return;
    }
    element.begin(burst);
    InternalError fault = element.guard().goOn(handler, burst, live, e);
    if (fault != null) {
      element.discardSent();
      throw fault;
    }
  }

  /** It has returned: where what is left goes next, which its output counts; null: nowhere. */
  @Nullable Inlet end(Burst burst) {
    Outlet pushed = element.end();
    if (pushed == null && burst.live() > 0) {
      burst.dropAll(DropReason.FORGOTTEN);
    }
    element.flush();
    return pushed == null ? null : pushed.next(burst);
  }

  /** Makes one method of the path from here, as far as it is straight. Between two bursts only. */
  void compilePath() {
    List<Inlet> inlets = new ArrayList<>();
    Inlet next = this;
    while (next != null && inlets.size() < MAX_PATH) {
      inlets.add(next);
      next = next.element.onlyTarget();
    }
    List<@Nullable Object> made = new ArrayList<>();
    for (Inlet inlet : inlets) {
      made.add(inlet);
      made.add(inlet.handler);
      made.add(inlet.handler instanceof PacketByPacket each ? each.out().target() : null);
    }
    if (!made.equals(pathMade)) {
      path = StraightPath.of(inlets);
      pathMade = made;
    }
  }

  RunningElement element() {
    return element;
  }

  BurstHandler handler() {
    return handler;
  }

  // --- where bursts of a port come in ---

  /** The check of the graph has seen to it that the elements do. */
  @Override
  public boolean takes(LinkType type) {
    return true;
  }

  @Override
  public void onBurst(Burst burst) {
    element.replica().timeHasPassed();
    int live = burst.live();
    fromPorts.passed(live, burst.bytes());
    if (timing.isDue()) {
      timed(burst);
    } else {
      accept(burst, path);
    }
  }

  private void timed(Burst burst) {
    boolean isCompiled = path != null;
    if (timing.isWhole(isCompiled)) {
      long startNs = timer.nowNs();
      accept(burst, path);
      timing.timedWhole(startNs, timer.nowNs());
      return;
    }
    long startNs = timer.begin();
    try {
      accept(burst, null);
    } finally {
      timing.timedSteps(startNs, timer.end(), true, isCompiled);
    }
  }

  @Override
  public boolean isReady() {
    return !element.isHeldBack();
  }

  @Override
  public void onQueueLeaving(Port port, int queue) {
    element.replica().sendHeld();
  }
}
