package io.linerate.stream.net;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** All flows and sessions of an element, on all workers: what they find them by. */
final class Flows {
  private static final int INDEX_BITS = 17;
  private static final int RANDOM_BITS = Long.SIZE - INDEX_BITS;

  final LinkSettings settings;
  final SecureRandom random = new SecureRandom();
  final Cookies cookies = new Cookies(random);

  private final AtomicReferenceArray<@Nullable SessionSlot> slots;
  private final Map<StreamId, Flow> flows = new ConcurrentHashMap<>();
  private int nextSlot;
  private int workers;

  Flows(LinkSettings settings) {
    this.settings = settings;
    slots = new AtomicReferenceArray<>(2 * settings.mostFlows());
  }

  /** One more worker has a part of them. */
  synchronized void join() {
    workers++;
  }

  /** A worker ends; returns whether it is the last one. */
  synchronized boolean leave() {
    workers--;
    return workers == 0;
  }

  /** The session that has an identifier. */
  @Nullable SessionSlot find(long id) {
    int index = (int) (id >>> RANDOM_BITS);
    SessionSlot slot = index < slots.length() ? slots.get(index) : null;
    return slot != null && slot.id == id ? slot : null;
  }

  /**
   * An identifier that nobody can guess, for a session that is made for it; -1: there are too many.
   */
  synchronized long newId() {
    for (int i = 0; i < slots.length(); i++) {
      int index = nextSlot;
      nextSlot = (nextSlot + 1) % slots.length();
      if (slots.get(index) == null) {
        return (long) index << RANDOM_BITS | random.nextLong() >>> INDEX_BITS;
      }
    }
    return -1;
  }

  synchronized void add(SessionSlot slot) {
    slots.set((int) (slot.id >>> RANDOM_BITS), slot);
  }

  synchronized void remove(SessionSlot slot) {
    int index = (int) (slot.id >>> RANDOM_BITS);
    if (find(slot.id) == slot) {
      slots.set(index, null);
    }
  }

  Optional<Flow> find(StreamId stream) {
    return Optional.ofNullable(flows.get(stream));
  }

  /** Adds a flow, if there is room. */
  synchronized boolean add(Flow flow) {
    return flows.size() < settings.mostFlows() && flows.putIfAbsent(flow.stream, flow) == null;
  }

  void remove(Flow flow) {
    flows.remove(flow.stream, flow);
  }

  Collection<Flow> all() {
    return flows.values();
  }

  /** Takes over a flow that is nobody's. */
  synchronized boolean adopt(Flow flow, int worker, long nowNs) {
    if (flow.owner != Flow.PARKED) {
      return false;
    }
    flow.adopt(worker, nowNs);
    return true;
  }
}
