package io.linerate.stream.net;

import java.util.Optional;
import java.util.random.RandomGenerator;

/** Begins flows of one worker, and asks for their sessions. */
final class SessionRequests {
  private static final long FIRST_ASK_NS = 100_000_000;
  private static final long MOST_ASK_NS = 3_000_000_000L;

  /** A session that was heard within it is not one that nobody knows. */
  private static final long KNOWN_NS = 200_000_000;

  /** Ports that are tried until answers come to the worker that asks. */
  private static final int MOST_PORTS = 64;

  private static final int FIRST_PORT = 49_152;
  private static final int PORTS = 16_384;

  private final OwnFlows own;
  private final LinkSettings settings;
  private final DatagramOutput output;
  private final Datagram datagram;

  /**
   * @param datagram to write in
   */
  SessionRequests(OwnFlows own, DatagramOutput output, Datagram datagram) {
    this.own = own;
    settings = own.settings;
    this.output = output;
    this.datagram = datagram;
  }

  /** Begins a flow to a peer; none: there are as many as may be. */
  Optional<Flow> connect(UdpPath path, long nowNs) {
    Flows all = own.all;
    Flow flow =
        new Flow(
            StreamId.random(all.random),
            true,
            settings.isReliable(),
            new SendBuffer(all.rings, settings.bufferBytes()),
            new ReceiveBuffer(all.rings, Endpoint.ANSWER_BYTES),
            own.counts.flows,
            all.rings,
            path.withLocalPort(randomPort()),
            own.worker,
            nowNs);
    if (!own.add(flow)) {
      return Optional.empty();
    }
    ask(flow, nowNs);
    return Optional.of(flow);
  }

  private static int randomPort() {
    return FIRST_PORT + RandomGenerator.getDefault().nextInt(PORTS);
  }

  /** Asks for a session, from the next round on. */
  void ask(Flow flow, long nowNs) {
    own.endNext(flow);
    flow.next = own.all.add(flow, id -> init(flow, id), nowNs).orElse(null);
    askNow(flow, nowNs);
  }

  private Handshake.Init init(Flow flow, long id) {
    return new Handshake.Init(
        flow.isReliable,
        settings.key().isSecret() ? Optional.of(settings.algorithm()) : Optional.empty(),
        id,
        Bits256.random(own.all.random),
        flow.stream,
        flow.isReliable ? flow.send.base() : flow.send.message(),
        flow.receive.capacity(),
        Bits256.ZERO);
  }

  private static void askNow(Flow flow, long nowNs) {
    flow.askNs = nowNs;
    flow.asked = 0;
  }

  /** Asks for a session that was not granted yet, when it is time to. */
  void askAgain(Flow flow, SessionSlot slot, long nowNs) {
    if (flow.isElsewhere && !flow.isAccepted) {
      flow.isElsewhere = false;
      flow.ports++;
      if (flow.ports >= MOST_PORTS) {
        flow.ending =
            "answers come to other workers (worker=%d, ports=%d): give the port as many receive queues as there are workers, or have what sends on one that receives"
                .formatted(own.worker, flow.ports);
        return;
      }
      flow.path = flow.path.withLocalPort(randomPort());
      askNow(flow, nowNs);
    }
    if (nowNs - flow.askNs >= 0) {
      Handshake.write(datagram, slot.init, settings.key());
      boolean _ = output.send(flow.path, datagram);
      flow.askNs = nowNs + Math.min(MOST_ASK_NS, FIRST_ASK_NS << Math.min(flow.asked, 5));
      flow.asked++;
    }
  }

  /** Takes a RETRY or an ACCEPT. */
  void answered(Datagram received, long nowNs) {
    SessionSlot slot = own.all.find(received.u64(Wire.ID_AT));
    if (slot == null || !slot.flow.isClient) {
      own.counts.unknown++;
    } else if (received.kind() == Wire.RETRY) {
      Handshake.readRetry(received, settings.key())
          .ifPresentOrElse(
              cookie -> {
                if (isAskedHere(slot, nowNs)) {
                  retry(slot, cookie, nowNs);
                }
              },
              () -> own.counts.badHandshakes++);
    } else {
      Handshake.readAccept(received, slot.init, settings.key())
          .ifPresentOrElse(
              accept -> {
                if (isAskedHere(slot, nowNs)) {
                  accepted(slot, accept, nowNs);
                }
              },
              () -> own.counts.badHandshakes++);
    }
  }

  /** Takes a FULL: the other side may have room later. */
  void full(Datagram received, long nowNs) {
    SessionSlot slot = own.all.find(received.u64(Wire.ID_AT));
    if (slot == null || !slot.flow.isClient) {
      own.counts.unknown++;
    } else if (!Handshake.isRefusal(received, settings.key())) {
      own.counts.badHandshakes++;
    } else if (isAskedHere(slot, nowNs)) {
      slot.flow.isRefused = true;
    }
  }

  @SuppressWarnings("ReferenceEquality") // A slot is itself only.
  private boolean isAskedHere(SessionSlot slot, long nowNs) {
    return own.claim(slot.flow, nowNs) && slot == slot.flow.next;
  }

  private static void retry(SessionSlot slot, Bits256 cookie, long nowNs) {
    slot.flow.isRefused = false;
    if (!slot.init.cookie().equals(cookie)) {
      slot.init = slot.init.withCookie(cookie);
      askNow(slot.flow, nowNs);
    }
  }

  private void accepted(SessionSlot slot, Handshake.Accept accept, long nowNs) {
    Flow flow = slot.flow;
    flow.isRefused = false;
    if (flow.isReliable && !flow.send.resume(accept.offset())) {
      own.counts.badHandshakes++;
      ask(flow, nowNs); // More has come meanwhile, in the session that it had.
      return;
    }
    flow.send.credit(accept.credit());
    flow.receive.begin(0);
    flow.parts.begin(0);
    Session session =
        Session.of(
            settings,
            flow,
            flow.send,
            accept.serverId(),
            slot.init,
            accept.salt(),
            own.counts.flows,
            nowNs);
    if (flow.isFinished) {
      session.finish();
    }
    slot.session = session;
    own.promote(slot);
    session.ping();
    own.heard(flow, nowNs);
  }

  /** Takes a RESET: the other side, which has begun anew, knows nothing of a session. */
  void reset(Datagram received, long nowNs) {
    long id = received.u64(Wire.ID_AT);
    for (Flow flow : own.list()) {
      Session session = flow.session();
      if (session != null && session.remoteId() == id) {
        if (!Handshake.isRefusal(received, settings.key())) {
          own.counts.badHandshakes++;
        } else if (flow.isClient
            && flow.next == null
            && !session.isDone(nowNs)
            && nowNs - session.heardNs() >= KNOWN_NS) {
          ask(flow, nowNs);
        }
        return;
      }
    }
    own.counts.unknown++;
  }
}
