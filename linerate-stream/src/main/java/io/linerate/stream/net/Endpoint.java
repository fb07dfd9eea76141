package io.linerate.stream.net;

import io.linerate.stream.Bytes;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one worker does of streams over UDP: it takes datagrams, sends them, gives messages, and
 * says what becomes of flows. A flow is on the worker that its datagrams come to: where they come
 * to another one, the flow follows them, and what has come meanwhile is sent again.
 */
final class Endpoint {
  /** Of answers that wait: messages have half of it at most. */
  static final int ANSWER_BYTES = 1 << 16;

  /** A session that nothing has come of is forgotten by who has granted it. */
  private static final long HALF_OPEN_NS = 3_000_000_000L;

  /** Datagrams of a flow in each round. */
  private static final int MOST_DATAGRAMS = 32;

  /** Messages of a flow in each round. */
  private static final int MOST_MESSAGES = 256;

  private final LinkSettings settings;
  private final Role role;
  private final BooleanSupplier isHeldBack;
  private final DatagramOutput output;
  private final FlowEvents events;
  private final EndpointCounts counts;
  private final Datagram datagram = new Datagram();
  private final Bytes message = new Bytes();
  private final OwnFlows own;
  private final SessionRequests requests;
  private final SessionGrants grants;
  private long nowNs;

  /** What it is to others. */
  enum Role {
    /** It asks for sessions. */
    CLIENT,

    /** It grants them. */
    SERVER,

    /** It grants them, and sends messages back. */
    ANSWERING_SERVER
  }

  /**
   * @param isHeldBack whether no message is wanted now
   */
  Endpoint(
      Flows flows,
      int worker,
      Role role,
      BooleanSupplier isHeldBack,
      DatagramOutput output,
      FlowEvents events,
      EndpointCounts counts) {
    settings = flows.settings;
    this.role = role;
    this.isHeldBack = isHeldBack;
    this.output = output;
    this.events = events;
    this.counts = counts;
    own = new OwnFlows(flows, worker, events, counts);
    requests = new SessionRequests(own, output, datagram);
    grants = new SessionGrants(own, role, output, datagram);
  }

  List<Flow> own() {
    return own.list();
  }

  /** Begins a flow to a peer; none: there are as many as may be. */
  Optional<Flow> connect(UdpPath path, long now) {
    nowNs = now;
    return requests.connect(path, now);
  }

  /** Sends a message back, by a flow of this worker that a peer has begun. */
  boolean answer(Flow flow, MemorySegment segment, long offset, int count) {
    if (role != Role.ANSWERING_SERVER || flow.owner != own.worker) {
      throw new IllegalStateException(
          "answer to a message that is gone, or to whom there are none: %s; answer while it is handled, by a StreamIn with isAnswering"
              .formatted(flow.text()));
    }
    Objects.checkFromIndexSize(offset, count, segment.byteSize());
    int most = SendBuffer.mostBytes(ANSWER_BYTES);
    if (count > most) {
      throw new IllegalArgumentException(
          "answer is too long: bytes=%d; write %d at most".formatted(count, most));
    }
    if (!flow.send.hasRoom(count)) {
      return false;
    }
    flow.send.add(segment, offset, count);
    return true;
  }

  /** Nothing more is added to a flow. */
  void finish(Flow flow) {
    flow.isFinished = true;
    Session session = flow.session();
    if (session != null) {
      session.finish();
    }
  }

  // --- what comes ---

  /** Takes a datagram. */
  void receive(Datagram received, PathView from, long now) {
    nowNs = now;
    if (!received.isSound()) {
      counts.malformed++;
      return;
    }
    switch (received.kind()) {
      case Wire.INIT -> grants.asked(received, from, now);
      case Wire.RETRY, Wire.ACCEPT -> requests.answered(received, now);
      case Wire.DATA -> data(received, from);
      case Wire.RESET -> requests.reset(received, now);
      case Wire.FULL -> requests.full(received, now);
      default -> counts.malformed++;
    }
  }

  private void data(Datagram received, PathView from) {
    if (received.length() < Wire.HEADER_BYTES) {
      counts.malformed++;
      return;
    }
    long id = received.u64(Wire.ID_AT);
    SessionSlot slot = own.all.find(id);
    if (slot == null) {
      counts.unknown++;
      if (role != Role.CLIENT) {
        grants.reset(id, from, nowNs);
      }
      return;
    }
    if (!own.claim(slot.flow, nowNs)) {
      return;
    }
    Session session = slot.session;
    if (session == null) {
      counts.unknown++;
    } else if (session.receive(received, nowNs)) {
      authentic(slot, session, from);
    }
  }

  @SuppressWarnings("ReferenceEquality") // A slot is itself only.
  private void authentic(SessionSlot slot, Session session, PathView from) {
    Flow flow = slot.flow;
    if (slot == flow.next) {
      own.promote(slot);
    }
    if (session.isNewest() && slot == flow.current && !from.is(flow.path)) {
      flow.path = from.path();
    }
    own.heard(flow, nowNs);
  }

  // --- what is due ---

  /**
   * Does what is due.
   *
   * @return datagrams and messages
   */
  int run(long now) {
    nowNs = now;
    own.adoptOrphans(now);
    int work = grants.sendReplies();
    List<Flow> flows = own.list();
    for (int i = flows.size() - 1; i >= 0; i--) {
      Flow flow = flows.get(i);
      if (!own.letGo(flow, now)) {
        work += run(flow);
      }
    }
    return work;
  }

  private int run(Flow flow) {
    int work = deliver(flow);
    String why = flow.ending;
    if (why != null) {
      if (!flow.receive.hasNext()) {
        over(flow, why);
      }
      return work;
    }
    Session session = flow.session();
    if (session != null) {
      work += session.send(datagram, flow.path, output, MOST_DATAGRAMS, nowNs);
    }
    SessionSlot next = flow.next;
    if (next != null && flow.isClient) {
      requests.askAgain(flow, next, nowNs);
    } else if (next != null && nowNs - next.madeNs >= HALF_OPEN_NS) {
      own.endNext(flow);
    }
    judge(flow, session);
    return work;
  }

  private int deliver(Flow flow) {
    int count = 0;
    while (count < MOST_MESSAGES && !isHeldBack.getAsBoolean() && flow.receive.next(message)) {
      try {
        events.message(flow, message);
      } finally {
        message.end();
        flow.receive.take();
      }
      count++;
    }
    if (flow.receive.isUnsound()) {
      Session session = flow.session();
      if (session != null) {
        session.close(CloseReason.PROTOCOL, "message is too long");
      }
    }
    return count;
  }

  /** Finds out what has become of a flow. */
  private void judge(Flow flow, @Nullable Session session) {
    if (session == null) {
      judgeBegin(flow);
    } else if (session.isDone(nowNs)) {
      over(flow, "");
    } else if (session.isClosed()) {
      closed(flow, session);
    } else {
      long silenceNs = settings.silence().toNanos();
      if (!flow.isSilent && session.isSilent(nowNs, silenceNs)) {
        silent(flow);
      } else if (flow.isSilent && nowNs - session.heardNs() >= settings.patience().toNanos()) {
        flow.ending = unanswered(flow, settings.patience());
      }
    }
  }

  private void judgeBegin(Flow flow) {
    if (!flow.isClient) {
      if (flow.next == null) {
        own.forget(flow);
      }
      return;
    }
    long waitedNs = nowNs - flow.sinceNs;
    if (waitedNs >= settings.silence().toNanos()) {
      flow.ending = unanswered(flow, settings.silence());
    }
  }

  private static String unanswered(Flow flow, Duration waited) {
    return flow.isRefused
        ? "it has no room for another stream"
        : "it has not answered for " + waited.toSeconds() + " s";
  }

  private void silent(Flow flow) {
    flow.isSilent = true;
    events.silent(flow);
    if (flow.isClient && flow.next == null) {
      requests.ask(flow, nowNs);
    }
  }

  private void closed(Flow flow, Session session) {
    CloseReason reason = session.reason();
    boolean mayComeBack = flow.isClient && reason == CloseReason.STOPPED;
    if (reason == CloseReason.DONE && (!flow.isClient || flow.send.isAllAcked())) {
      flow.ending = "";
    } else if (!mayComeBack) {
      String text = session.reasonText();
      flow.ending =
          (reason == null ? "" : reason.text()) + (text.isEmpty() ? "" : " (" + text + ")");
    } else if (!flow.isSilent) {
      silent(flow);
    } else if (nowNs - session.heardNs() >= settings.patience().toNanos()) {
      flow.ending = "its program has ended, and did not begin again";
    }
  }

  /**
   * Forgets a flow, and says why.
   *
   * @param why empty: both ends have all
   */
  private void over(Flow flow, String why) {
    own.forget(flow);
    if (!why.isEmpty()) {
      events.lost(flow, why);
    } else if (!flow.hadEnded) {
      events.ended(flow);
    }
  }

  /** Lets other workers have all flows: this one ends. */
  void parkAll() {
    own.parkAll(nowNs);
  }

  /** Tells the peers of all flows that this program ends. */
  void closeAll(long now) {
    nowNs = now;
    own.adoptAll(now);
    for (Flow flow : List.copyOf(own.list())) {
      Session session = flow.session();
      if (session != null && !session.isDone(now)) {
        boolean isDone = flow.isClient && flow.send.isAllAcked();
        session.close(isDone ? CloseReason.DONE : CloseReason.STOPPED, "");
        int _ = session.send(datagram, flow.path, output, MOST_DATAGRAMS, now);
      }
      own.forget(flow);
    }
  }

  /** When there is something to do, if nothing comes. */
  long nextNs() {
    if (grants.hasReplies()) {
      return nowNs;
    }
    long next = own.nextNs(nowNs);
    for (Flow flow : own.list()) {
      Session session = flow.session();
      if (session != null) {
        next = Math.min(next, session.nextNs());
      }
      if (flow.next != null && flow.isClient) {
        next = Math.min(next, flow.askNs);
      }
    }
    return next;
  }
}
