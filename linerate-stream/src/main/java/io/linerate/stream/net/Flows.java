package io.linerate.stream.net;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** All flows and sessions of an element, on all workers: what they find them by. */
final class Flows {
  /** Streams that are gone, and are known if they come back. */
  private static final int MOST_FORMER = 1_024;

  private static final int INDEX_BITS = 17;
  private static final int RANDOM_BITS = Long.SIZE - INDEX_BITS;

  final LinkSettings settings;
  final SecureRandom random = new SecureRandom();
  final Cookies cookies = new Cookies(random);
  final Rings rings = new Rings();

  /** Whether it was said that the peer does not answer; of a sender. */
  final AtomicBoolean isSilenceSaid = new AtomicBoolean();

  /** Whether the program was told to end; of a sender. */
  final AtomicBoolean isGivenUp = new AtomicBoolean();

  private final AtomicReferenceArray<@Nullable SessionSlot> slots;
  private final Map<StreamId, Flow> flows = new ConcurrentHashMap<>();
  private final SequencedMap<StreamId, Former> former = new LinkedHashMap<>();
  private final AtomicInteger parked = new AtomicInteger();
  private int nextSlot;
  private int workers;

  /**
   * Where a stream was that is gone.
   *
   * @param taken what is below was taken: an offset; a message's number if it leaves out what is
   *     lost
   * @param hasEnded whether that is all of it
   */
  record Former(long taken, boolean hasEnded) {}

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
   * Makes room for a session, under an identifier that nobody can guess; none: there are too many.
   *
   * @param init of that identifier, how the session is asked for
   */
  synchronized Optional<SessionSlot> add(Flow flow, LongFunction<Handshake.Init> init, long nowNs) {
    for (int i = 0; i < slots.length(); i++) {
      int index = nextSlot;
      nextSlot = (nextSlot + 1) % slots.length();
      if (slots.get(index) == null) {
        long id = (long) index << RANDOM_BITS | random.nextLong() >>> INDEX_BITS;
        SessionSlot slot = new SessionSlot(id, flow, init.apply(id), nowNs);
        slots.set(index, slot);
        return Optional.of(slot);
      }
    }
    return Optional.empty();
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

  synchronized void remove(Flow flow) {
    flows.remove(flow.stream, flow);
    if (!flow.isClient) {
      former.putLast(flow.stream, flow.former());
      if (former.size() > MOST_FORMER) {
        former.pollFirstEntry();
      }
    }
  }

  /** Where a stream was that is gone: one of the last ones. */
  synchronized Optional<Former> former(StreamId stream) {
    return Optional.ofNullable(former.get(stream));
  }

  Collection<Flow> all() {
    return flows.values();
  }

  /** Lets any worker have a flow. */
  synchronized void park(Flow flow, long nowNs) {
    flow.adoptedNs = nowNs;
    flow.owner = Flow.PARKED;
    parked.incrementAndGet();
  }

  /** Whether there are flows that are nobody's. */
  boolean hasParked() {
    return parked.get() > 0;
  }

  /** Takes over a flow that is nobody's. */
  synchronized boolean adopt(Flow flow, int worker, long nowNs) {
    if (flow.owner != Flow.PARKED) {
      return false;
    }
    parked.decrementAndGet();
    flow.adopt(worker, nowNs);
    return true;
  }
}
