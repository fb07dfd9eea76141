package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.Port;
import io.linerate.core.worker.BurstHandler;
import java.util.ArrayList;
import java.util.List;

/**
 * An input of a running element, or where bursts of a port come to one: then the worker calls it.
 * Whoever is called here with a burst ends each packet of it before it returns: what is left then
 * was forgotten, and is dropped and counted as such.
 */
final class Inlet implements BurstHandler {
  private final RunningElement element;
  private final BurstOwner owner;
  private BurstHandler handler;
  private final PacketCounter fromPorts = new PacketCounter();

  /** Packets are counted once, where they come from: other threads read the sum here. */
  private volatile Sources sources = new Sources(List.of(fromPorts), 0, 0);

  /** Counters that count what comes here, and what they do not: it came or went elsewhere. */
  private record Sources(List<PacketCounter> counters, long packets, long bytes) {}

  Inlet(RunningElement element, BurstHandler handler) {
    this.element = element;
    owner = element.replica().host().owner();
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
   * @param live packets in it, at least 1; whoever hands them over has counted them
   */
  void accept(Burst burst, int live) {
    DropCounts before = owner.drops(burst, element.drops());
    try {
      handle(burst, live);
      if (burst.live() > 0) {
        burst.dropAll(DropReason.FORGOTTEN);
      }
      element.flush();
    } finally {
      owner.drops(burst, before);
    }
  }

  private void handle(Burst burst, int live) {
    try {
      handler.onBurst(burst);
    } catch (Throwable e) { // Whatever an element does, its worker goes on.
      InternalError fault = element.guard().goOn(handler, burst, live, e);
      if (fault != null) {
        element.discardSent();
        throw fault;
      }
    }
  }

  // --- where bursts of a port come in ---

  @Override
  public void onBurst(Burst burst) {
    element.replica().timeHasPassed();
    int live = burst.live();
    fromPorts.passed(live, burst.bytes());
    accept(burst, live);
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
