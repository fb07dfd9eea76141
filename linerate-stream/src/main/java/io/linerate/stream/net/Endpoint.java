package io.linerate.stream.net;

import io.linerate.stream.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What one worker does of streams over UDP: it asks for sessions, or grants them, takes datagrams
 * and sends them. A flow is on the worker that its datagrams come to: where they come to another
 * one, the flow follows them, and what has come meanwhile is sent again.
 */
final class Endpoint {
  private static final long FIRST_ASK_NS = 100_000_000;
  private static final long MOST_ASK_NS = 3_000_000_000L;
  private static final long HALF_OPEN_NS = 3_000_000_000L;
  private static final long MOVE_NS = 10_000_000;
  private static final long ORPHAN_NS = 20_000_000;
  private static final long RESET_NS = 1_000_000;

  /** A session that was heard within it is not one that nobody knows. */
  private static final long KNOWN_NS = 200_000_000;

  /** While it has nothing to do it looks for flows that are nobody's. */
  private static final long LOOK_NS = 100_000_000;

  private static final long INIT_NS = 1_000_000;

  /** Of each {@link #INIT_NS}: more are of somebody who wants to keep it busy. */
  private static final int MOST_INITS = 256;

  /** Ports that are tried until answers come to the worker that asks. */
  private static final int MOST_PORTS = 64;

  private static final int FIRST_PORT = 49_152;
  private static final int PORTS = 16_384;

  /** Of answers that wait: messages have half of it at most. */
  private static final int ANSWER_BYTES = 1 << 16;

  /** Where nothing is sent. */
  private static final int NO_BYTES = 1 << 4;

  private static final int MOST_REPLIES = 64;
  private static final int BURST = 32;

  private static final int MESSAGES = 256;

  private final Flows flows;
  private final LinkSettings settings;
  private final int worker;
  private final Role role;
  private final BooleanSupplier isHeldBack;
  private final DatagramOutput output;
  private final FlowEvents events;
  private final EndpointCounts counts;
  private final Datagram datagram = new Datagram();
  private final Bytes message = new Bytes();
  private final List<Flow> own = new ArrayList<>();
  private final List<Reply> replies = new ArrayList<>();
  private long nowNs;
  private long adoptNs;
  private long resetNs;
  private long initNs;
  private int inits;

  /** What it is to others. */
  enum Role {
    /** It asks for sessions. */
    CLIENT,

    /** It grants them. */
    SERVER,

    /** And sends messages back. */
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
    this.flows = flows;
    settings = flows.settings;
    this.worker = worker;
    this.role = role;
    this.isHeldBack = isHeldBack;
    this.output = output;
    this.events = events;
    this.counts = counts;
  }

  List<Flow> own() {
    return own;
  }

  /** Begins a flow to a peer; none: there are as many as may be. */
  Optional<Flow> connect(UdpPath path, long now) {
    nowNs = now;
    Flow flow =
        new Flow(
            StreamId.random(flows.random),
            true,
            settings.isReliable(),
            new SendBuffer(flows.rings, settings.bufferBytes()),
            new ReceiveBuffer(flows.rings, ANSWER_BYTES),
            counts.flows,
            flows.rings,
            path.withLocalPort(randomPort()),
            worker,
            now);
    if (!flows.add(flow)) {
      flow.free();
      return Optional.empty();
    }
    own.add(flow);
    ask(flow);
    return Optional.of(flow);
  }

  private int randomPort() {
    return FIRST_PORT + RandomGenerator.getDefault().nextInt(PORTS);
  }

  /** Sends a message back, by a flow of this worker that a peer has begun. */
  boolean answer(Flow flow, MemorySegment segment, long offset, int count) {
    if (role != Role.ANSWERING_SERVER || flow.owner != worker) {
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
      case Wire.INIT -> asked(received, from);
      case Wire.RETRY, Wire.ACCEPT -> answered(received);
      case Wire.DATA -> data(received, from);
      case Wire.RESET -> reset(received);
      default -> counts.malformed++;
    }
  }

  private void data(Datagram received, PathView from) {
    long id = received.u64(Wire.ID_AT);
    SessionSlot slot = flows.find(id);
    if (received.length() < Wire.HEADER_BYTES) {
      counts.malformed++;
      return;
    }
    if (slot == null) {
      counts.unknown++;
      if (role != Role.CLIENT) {
        sendReset(id, from);
      }
      return;
    }
    if (!isOwn(slot.flow)) {
      return;
    }
    Session session = slot.session;
    if (session == null) {
      counts.unknown++;
    } else if (session.receive(received, nowNs)) {
      authentic(slot, session, from);
    }
  }

  /** Whether a flow is this worker's, now: if not, it is asked for. */
  private boolean isOwn(Flow flow) {
    int owner = flow.owner;
    if (owner == worker) {
      return true;
    }
    if (owner == Flow.PARKED && adopt(flow)) {
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

  private boolean adopt(Flow flow) {
    if (!flows.adopt(flow, worker, nowNs)) {
      return false;
    }
    counts.moved++;
    flow.counts(counts.flows);
    own.add(flow);
    events.moved(flow);
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // A slot is itself only.
  private void authentic(SessionSlot slot, Session session, PathView from) {
    Flow flow = slot.flow;
    flow.heard(nowNs);
    if (slot == flow.next) {
      promote(slot);
    }
    if (session.isNewest() && slot == flow.current && !from.is(flow.path)) {
      flow.path = from.path();
    }
    heard(flow);
  }

  private void heard(Flow flow) {
    if (flow.isSilent) {
      flow.isSilent = false;
      events.heard(flow);
    }
  }

  /** A session takes the place of the one before. */
  private void promote(SessionSlot slot) {
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

  private void end(@Nullable SessionSlot slot) {
    if (slot != null) {
      flows.remove(slot);
      if (slot.session != null) {
        slot.session.dispose();
      }
      if (slot.send != null) {
        slot.send.free();
      }
    }
  }

  private void sendReset(long id, PathView to) {
    if (nowNs - resetNs >= RESET_NS) {
      resetNs = nowNs;
      Handshake.writeReset(datagram, id, settings.key());
      later(to.path());
    }
  }

  /** The other side knows nothing of a session: its program has begun anew. */
  private void reset(Datagram received) {
    long id = received.u64(Wire.ID_AT);
    for (Flow flow : own) {
      Session session = flow.session();
      if (session != null && session.remoteId() == id) {
        if (!Handshake.isReset(received, settings.key())) {
          counts.badHandshakes++;
        } else if (flow.isClient
            && flow.next == null
            && !session.isDone(nowNs)
            && nowNs - session.heardNs() >= KNOWN_NS) {
          ask(flow);
        }
        return;
      }
    }
    counts.unknown++;
  }

  // --- sessions that are asked for by this side ---

  private void ask(Flow flow) {
    end(flow.next);
    flow.next =
        flows
            .add(
                flow,
                id ->
                    new Handshake.Init(
                        flow.isReliable,
                        settings.key().isSecret()
                            ? Optional.of(settings.algorithm())
                            : Optional.empty(),
                        id,
                        Bits256.random(flows.random),
                        flow.stream,
                        flow.isReliable ? flow.send.base() : flow.send.message(),
                        flow.receive.capacity(),
                        Bits256.ZERO),
                nowNs)
            .orElse(null);
    flow.askNs = nowNs;
    flow.asked = 0;
  }

  private void askAgain(Flow flow, SessionSlot slot) {
    if (flow.isElsewhere && !flow.isAccepted) {
      flow.isElsewhere = false;
      flow.ports++;
      if (flow.ports >= MOST_PORTS) {
        flow.ending =
            "answers come to other workers (worker=%d, ports=%d): give the port as many receive queues as there are workers, or have what sends on one that receives"
                .formatted(worker, flow.ports);
        return;
      }
      flow.path = flow.path.withLocalPort(randomPort());
      flow.askNs = nowNs;
      flow.asked = 0;
    }
    if (nowNs - flow.askNs >= 0) {
      sendInit(flow, slot);
      flow.askNs = nowNs + Math.min(MOST_ASK_NS, FIRST_ASK_NS << Math.min(flow.asked, 5));
      flow.asked++;
    }
  }

  private void sendInit(Flow flow, SessionSlot slot) {
    Handshake.write(datagram, slot.init, settings.key());
    boolean _ = output.send(flow.path, datagram);
  }

  private void answered(Datagram received) {
    SessionSlot slot = flows.find(received.u64(Wire.ID_AT));
    if (slot == null || !slot.flow.isClient) {
      counts.unknown++;
    } else if (received.kind() == Wire.RETRY) {
      Handshake.readRetry(received, settings.key())
          .ifPresentOrElse(
              cookie -> {
                if (isAskedHere(slot)) {
                  retry(slot.flow, slot, cookie);
                }
              },
              () -> counts.badHandshakes++);
    } else {
      Handshake.readAccept(received, slot.init, settings.key())
          .ifPresentOrElse(
              accept -> {
                if (isAskedHere(slot)) {
                  accepted(slot.flow, slot, accept);
                }
              },
              () -> counts.badHandshakes++);
    }
  }

  @SuppressWarnings("ReferenceEquality") // A slot is itself only.
  private boolean isAskedHere(SessionSlot slot) {
    return isOwn(slot.flow) && slot == slot.flow.next;
  }

  private void retry(Flow flow, SessionSlot slot, Bits256 cookie) {
    if (!slot.init.cookie().equals(cookie)) {
      slot.init = slot.init.withCookie(cookie);
      flow.askNs = nowNs;
      flow.asked = 0;
    }
  }

  private void accepted(Flow flow, SessionSlot slot, Handshake.Accept accept) {
    if (flow.isReliable && !flow.send.resume(accept.offset())) {
      counts.badHandshakes++;
      ask(flow); // More has come meanwhile, in the session that it had.
      return;
    }
    flow.send.credit(accept.credit());
    flow.receive.begin(0);
    flow.parts.begin(0);
    flow.heard(nowNs);
    Session session = session(flow, flow.send, accept.serverId(), slot.init, accept.salt());
    if (flow.isFinished) {
      session.finish();
    }
    slot.session = session;
    promote(slot);
    session.ping();
    heard(flow);
  }

  private Session session(
      Flow flow, SendBuffer send, long remoteId, Handshake.Init init, Bits256 serverSalt) {
    LinkKey key = settings.key();
    return new Session(
        settings,
        flow.isReliable,
        remoteId,
        Handshake.seal(key, init, serverSalt, flow.isClient),
        Handshake.seal(key, init, serverSalt, !flow.isClient),
        send,
        flow.receive,
        flow.parts,
        counts.flows,
        settings.mtuBytes() - flow.path.headerBytes(),
        nowNs);
  }

  // --- sessions that are asked for by others ---

  private void asked(Datagram received, PathView from) {
    if (nowNs - initNs >= INIT_NS) {
      initNs = nowNs;
      inits = 0;
    }
    inits++;
    if (role == Role.CLIENT || inits > MOST_INITS) {
      counts.noRoom++;
      return;
    }
    Optional<Handshake.Init> read = Handshake.readInit(received, settings.key());
    if (read.isEmpty() || read.get().algorithm().isPresent() != settings.key().isSecret()) {
      counts.badHandshakes++;
      return;
    }
    Handshake.Init init = read.get();
    UdpPath path = from.path();
    if (!init.hasCookie() || !flows.cookies.isValid(init, path, nowNs)) {
      Bits256 cookie = flows.cookies.make(init, path, nowNs);
      Handshake.writeRetry(datagram, init.clientId(), cookie, settings.key());
      later(path);
      return;
    }
    Flow flow = flows.find(init.stream()).orElse(null);
    if (flow == null) {
      flow = begin(init, path);
    }
    if (flow != null && flow.isReliable == init.isReliable() && isOwn(flow)) {
      grant(flow, init, path);
    }
  }

  private @Nullable Flow begin(Handshake.Init init, UdpPath path) {
    Flow flow =
        new Flow(
            init.stream(),
            false,
            init.isReliable(),
            new SendBuffer(flows.rings, NO_BYTES),
            new ReceiveBuffer(flows.rings, settings.bufferBytes()),
            counts.flows,
            flows.rings,
            path,
            worker,
            nowNs);
    if (!flows.add(flow)) {
      flow.free();
      counts.noRoom++;
      return null;
    }
    Flows.Former former =
        flows.former(init.stream()).orElseGet(() -> new Flows.Former(init.offset(), false));
    flow.hadEnded = former.hasEnded();
    long from = Math.max(init.offset(), former.taken());
    if (flow.isReliable) {
      flow.receive.begin(from);
    } else {
      flow.parts.begin(from);
    }
    flow.isFinished = role != Role.ANSWERING_SERVER;
    own.add(flow);
    return flow;
  }

  private void grant(Flow flow, Handshake.Init init, UdpPath path) {
    for (SessionSlot slot : Arrays.asList(flow.current, flow.next)) {
      if (slot != null
          && slot.accept != null
          && slot.init.clientId() == init.clientId()
          && slot.init.salt().equals(init.salt())) {
        sendAccept(path, slot, slot.accept);
        return;
      }
    }
    end(flow.next);
    flow.next = null;
    boolean isKnown = !flow.isReliable || init.offset() <= flow.receive.whole();
    SessionSlot slot = isKnown ? flows.add(flow, _ -> init, nowNs).orElse(null) : null;
    if (slot == null) {
      counts.noRoom++;
      return;
    }
    Handshake.Accept accept =
        new Handshake.Accept(
            slot.id, Bits256.random(flows.random), flow.receive.whole(), flow.receive.credit());
    slot.accept = accept;
    SendBuffer send =
        new SendBuffer(flows.rings, role == Role.ANSWERING_SERVER ? ANSWER_BYTES : NO_BYTES);
    send.credit(init.credit());
    slot.send = send;
    if (flow.current == null) {
      flow.path = path;
    }
    slot.session = session(flow, send, init.clientId(), init, accept.salt());
    if (flow.isFinished) {
      slot.session.finish();
    }
    flow.next = slot;
    sendAccept(path, slot, accept);
  }

  private void sendAccept(UdpPath path, SessionSlot slot, Handshake.Accept accept) {
    Handshake.write(datagram, slot.init, accept, settings.key());
    later(path);
  }

  // --- what goes ---

  /** Sends what was written in the next round: datagrams are not sent while others are taken. */
  private void later(UdpPath path) {
    if (replies.size() < MOST_REPLIES) {
      replies.add(new Reply(path, datagram.get(0, datagram.length())));
    } else {
      counts.noRoom++;
    }
  }

  private int sendReplies() {
    int count = replies.size();
    for (Reply reply : replies) {
      datagram.set(0, reply.bytes);
      datagram.length(reply.bytes.length);
      boolean _ = output.send(reply.path, datagram);
    }
    replies.clear();
    return count;
  }

  /** A message of a handshake. */
  private static final class Reply {
    private final UdpPath path;
    private final byte[] bytes;

    Reply(UdpPath path, byte[] bytes) {
      this.path = path;
      this.bytes = bytes;
    }
  }

  /**
   * Does what is due.
   *
   * @return datagrams and messages
   */
  int run(long now) {
    nowNs = now;
    if (flows.hasParked() && now - adoptNs >= 0) {
      adoptNs = now + MOVE_NS;
      adoptOrphans();
    }
    int work = replies.isEmpty() ? 0 : sendReplies();
    for (int i = own.size() - 1; i >= 0; i--) {
      Flow flow = own.get(i);
      if (flow.isWantedElsewhere(worker, now, MOVE_NS)) {
        park(flow);
      } else {
        work += run(flow);
      }
    }
    return work;
  }

  private void adoptOrphans() {
    for (Flow flow : flows.all()) {
      if (flow.owner == Flow.PARKED && nowNs - flow.adoptedNs >= ORPHAN_NS) {
        boolean _ = adopt(flow);
      }
    }
  }

  /** Lets any worker have it. */
  private void park(Flow flow) {
    own.remove(flow);
    release(flow.current);
    release(flow.next);
    flows.park(flow, nowNs);
  }

  private static void release(@Nullable SessionSlot slot) {
    if (slot != null && slot.session != null) {
      slot.session.release();
    }
  }

  /** Lets other workers have all: this one ends. */
  void parkAll() {
    for (Flow flow : List.copyOf(own)) {
      park(flow);
    }
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
      work += session.send(datagram, flow.path, output, BURST, nowNs);
    }
    SessionSlot next = flow.next;
    if (next != null && flow.isClient) {
      askAgain(flow, next);
    } else if (next != null && nowNs - next.madeNs >= HALF_OPEN_NS) {
      end(next);
      flow.next = null;
    }
    judge(flow, session);
    return work;
  }

  private int deliver(Flow flow) {
    int count = 0;
    while (count < MESSAGES && !isHeldBack.getAsBoolean() && flow.receive.next(message)) {
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

  /** What has become of a flow. */
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
        flow.ending = "it has not answered for " + settings.patience().toSeconds() + " s";
      }
    }
  }

  private void judgeBegin(Flow flow) {
    if (!flow.isClient) {
      if (flow.next == null) {
        forget(flow);
      }
      return;
    }
    long waitedNs = nowNs - flow.sinceNs;
    if (waitedNs >= settings.silence().toNanos()) {
      flow.ending = "it has not answered for " + settings.silence().toSeconds() + " s";
    }
  }

  private void silent(Flow flow) {
    flow.isSilent = true;
    events.silent(flow);
    if (flow.isClient && flow.next == null) {
      ask(flow);
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
   * Nothing is known of a flow any more.
   *
   * @param why empty: both ends have all
   */
  private void over(Flow flow, String why) {
    forget(flow);
    if (!why.isEmpty()) {
      events.lost(flow, why);
    } else if (!flow.hadEnded) {
      events.ended(flow);
    }
  }

  private void forget(Flow flow) {
    flow.isOver = true;
    own.remove(flow);
    flows.remove(flow);
    end(flow.current);
    end(flow.next);
    flow.current = null;
    flow.next = null;
    flow.free();
  }

  /** Tells the peers of all flows that this program ends. */
  void closeAll(long now) {
    nowNs = now;
    for (Flow flow : flows.all()) {
      boolean _ = adopt(flow);
    }
    for (Flow flow : List.copyOf(own)) {
      Session session = flow.session();
      if (session != null && !session.isDone(now)) {
        boolean isDone = flow.isClient && flow.send.isAllAcked();
        session.close(isDone ? CloseReason.DONE : CloseReason.STOPPED, "");
        int _ = session.send(datagram, flow.path, output, BURST, now);
      }
      forget(flow);
    }
  }

  /** When there is something to do, if nothing comes. */
  long nextNs() {
    if (!replies.isEmpty()) {
      return nowNs;
    }
    long next = flows.hasParked() ? adoptNs : nowNs + LOOK_NS;
    for (Flow flow : own) {
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
