package io.linerate.stream.net;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flows that are on one worker: how they come to it from others, change their sessions, and
 * leave it. What all workers know of them is in {@link Flows}.
 */
final class OwnFlows {
  /**
   * A flow goes to the worker that its datagrams come to when it was not heard here for so long.
   */
  private static final long QUIET_NS = 10_000_000;

  /** Any worker takes a flow that was nobody's for so long. */
  private static final long ORPHAN_NS = 20_000_000;

  /** How often flows that are nobody's are looked at, if there are any. */
  private static final long ADOPT_NS = 10_000_000;

  /** How often it is asked whether there are any, if nothing else is to be done. */
  private static final long LOOK_NS = 100_000_000;

  final Flows all;
  final LinkSettings settings;
  final int worker;
  final EndpointCounts counts;
  private final FlowEvents events;
  private final List<Flow> own = new ArrayList<>();
  private long adoptNs;

  OwnFlows(Flows all, int worker, FlowEvents events, EndpointCounts counts) {
    this.all = all;
    settings = all.settings;
    this.worker = worker;
    this.events = events;
    this.counts = counts;
  }

  List<Flow> list() {
    return own;
  }

  /** Adds a new one; false: there is no room for it, and its memory was given back. */
  boolean add(Flow flow) {
    if (!all.add(flow)) {
      flow.free();
      return false;
    }
    own.add(flow);
    return true;
  }

  // --- from and to other workers ---

  /** Takes a flow that is nobody's, or asks its worker for it; true: it is here now. */
  boolean claim(Flow flow, long nowNs) {
    int owner = flow.owner;
    if (owner == worker) {
      return true;
    }
    if (owner == Flow.PARKED && adopt(flow, nowNs)) {
      return true;
    }
    counts.elsewhere++;
    if (flow.isClient && !flow.isAccepted) {
      flow.isElsewhere = true;
    } else {
      flow.wantedBy = worker;
    }
    return false;
  }

  private boolean adopt(Flow flow, long nowNs) {
    if (!all.adopt(flow, worker, nowNs)) {
      return false;
    }
    counts.moved++;
    flow.counts(counts.flows);
    own.add(flow);
    events.moved(flow);
    return true;
  }

  /** Takes flows that no worker wants, when it is time to look for them. */
  void adoptOrphans(long nowNs) {
    if (!all.hasParked() || nowNs - adoptNs < 0) {
      return;
    }
    adoptNs = nowNs + ADOPT_NS;
    for (Flow flow : all.all()) {
      if (flow.owner == Flow.PARKED && nowNs - flow.adoptedNs >= ORPHAN_NS) {
        boolean _ = adopt(flow, nowNs);
      }
    }
  }

  /** Takes all flows that are nobody's: no other worker will. */
  void adoptAll(long nowNs) {
    for (Flow flow : all.all()) {
      boolean _ = adopt(flow, nowNs);
    }
  }

  /** Lets go of a flow whose datagrams come to another worker; false: it stays. */
  boolean letGo(Flow flow, long nowNs) {
    boolean isWanted = flow.isWantedElsewhere(worker, nowNs, QUIET_NS);
    if (isWanted) {
      park(flow, nowNs);
    }
    return isWanted;
  }

  private void park(Flow flow, long nowNs) {
    own.remove(flow);
    release(flow.current);
    release(flow.next);
    all.park(flow, nowNs);
  }

  private static void release(@Nullable SessionSlot slot) {
    if (slot != null && slot.session != null) {
      slot.session.release();
    }
  }

  /** Lets go of all. */
  void parkAll(long nowNs) {
    for (Flow flow : List.copyOf(own)) {
      park(flow, nowNs);
    }
  }

  /** When there may be flows to take. */
  long nextNs(long nowNs) {
    return all.hasParked() ? adoptNs : nowNs + LOOK_NS;
  }

  // --- their sessions ---

  /** Something authentic has come of a flow. */
  void heard(Flow flow, long nowNs) {
    flow.heard(nowNs);
    if (flow.isSilent) {
      flow.isSilent = false;
      events.heard(flow);
    }
  }

  /** A session takes the place of the one before. */
  void promote(SessionSlot slot) {
    Flow flow = slot.flow;
    end(flow.current);
    flow.current = slot;
    flow.next = null;
    SendBuffer send = slot.send;
    if (send != null) {
      flow.send.free();
      flow.send = send;
      slot.send = null;
    }
    if (!flow.isAccepted) {
      flow.isAccepted = true;
      if (!flow.hadEnded) {
        events.begun(flow);
      }
    }
  }

  /** Ends the session that was to take the place of the current one. */
  void endNext(Flow flow) {
    end(flow.next);
    flow.next = null;
  }

  private void end(@Nullable SessionSlot slot) {
    if (slot != null) {
      all.remove(slot);
      slot.free();
    }
  }

  /** Nothing is known of a flow any more, but where it was. */
  void forget(Flow flow) {
    flow.isOver = true;
    own.remove(flow);
    all.remove(flow);
    end(flow.current);
    flow.current = null;
    endNext(flow);
    flow.free();
  }
}
