package io.linerate.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rings of a queue, one for each worker that feeds it: what comes from one worker stays in its
 * order.
 */
final class Junction {
  private final Element element;
  private volatile boolean isCyclic;
  private final Map<Integer, Integer> emptiers = new LinkedHashMap<>();
  private final Map<Integer, PacketRing> rings = new LinkedHashMap<>();

  Junction(PlacedElement placed, Layout layout) {
    element = placed.element();
    for (int feeder : layout.inputs(placed.name())) {
      emptiers.put(feeder, layout.emptier(placed.name(), feeder));
    }
  }

  /** By the number of the worker that feeds it, the worker that empties it. */
  Map<Integer, Integer> emptiers() {
    return emptiers;
  }

  void cyclic(boolean isPartOfCycle) {
    isCyclic = isPartOfCycle;
  }

  Element element() {
    return element;
  }

  /** The queue's part on one worker. */
  synchronized Crossing on(int worker, int capacity, RunningElement running) {
    PacketRing fed = emptiers.containsKey(worker) ? ring(worker, capacity) : null;
    List<PacketRing> emptied = new ArrayList<>();
    emptiers.forEach((feeder, emptier) -> {
      if (emptier == worker) {
        emptied.add(ring(feeder, capacity));
      }
    });
    return new Crossing(running, fed, emptied.toArray(new PacketRing[0]), isCyclic);
  }

  private PacketRing ring(int feeder, int capacity) {
    return rings.computeIfAbsent(feeder, _ -> new PacketRing(capacity));
  }

  /** The ring that a worker feeds, or all if it feeds none. */
  synchronized PacketRing[] near(int worker) {
    PacketRing own = rings.get(worker);
    return own != null ? new PacketRing[] {own} : rings.values().toArray(new PacketRing[0]);
  }
}
