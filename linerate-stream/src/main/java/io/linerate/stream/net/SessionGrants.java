package io.linerate.stream.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Grants sessions to others, on one worker: little is kept of those who ask, and nothing of those
 * who ask by a false address.
 */
final class SessionGrants {
  /** No worker says more often that it knows nothing of a session. */
  private static final long RESET_NS = 1_000_000;

  private static final long INIT_NS = 1_000_000;

  /** Of each {@link #INIT_NS}: more are of somebody who wants to keep it busy. */
  private static final int MOST_INITS = 256;

  private static final int MOST_REPLIES = 64;

  /** Where nothing is sent. */
  private static final int NO_BYTES = 1 << 4;

  private final OwnFlows own;
  private final LinkSettings settings;
  private final Endpoint.Role role;
  private final DatagramOutput output;
  private final Datagram datagram;
  private final List<Reply> replies = new ArrayList<>();
  private long resetNs;
  private long initNs;
  private int inits;

  /**
   * @param datagram to write in
   */
  SessionGrants(OwnFlows own, Endpoint.Role role, DatagramOutput output, Datagram datagram) {
    this.own = own;
    settings = own.settings;
    this.role = role;
    this.output = output;
    this.datagram = datagram;
  }

  /** Takes an INIT. */
  void asked(Datagram received, PathView from, long nowNs) {
    if (nowNs - initNs >= INIT_NS) {
      initNs = nowNs;
      inits = 0;
    }
    inits++;
    if (role == Endpoint.Role.CLIENT || inits > MOST_INITS) {
      own.counts.flowsRefused++;
      return;
    }
    Optional<Handshake.Init> read = Handshake.readInit(received, settings.key());
    if (read.isEmpty() || read.get().algorithm().isPresent() != settings.key().isSecret()) {
      own.counts.badHandshakes++;
      return;
    }
    Handshake.Init init = read.get();
    UdpPath path = from.path();
    Cookies cookies = own.all.cookies;
    if (!init.hasCookie() || !cookies.isValid(init, path, nowNs)) {
      Bits256 cookie = cookies.make(init, path, nowNs);
      Handshake.writeRetry(datagram, init.clientId(), cookie, settings.key());
      later(path);
      return;
    }
    Flow flow = own.all.find(init.stream()).orElse(null);
    if (flow == null) {
      flow = begin(init, path, nowNs);
      if (flow == null) {
        Handshake.writeRefusal(datagram, Wire.FULL, init.clientId(), settings.key());
        later(path);
      }
    }
    if (flow != null && flow.isReliable == init.isReliable() && own.claim(flow, nowNs)) {
      grant(flow, init, path, nowNs);
    }
  }

  private @Nullable Flow begin(Handshake.Init init, UdpPath path, long nowNs) {
    Flows all = own.all;
    Flow flow =
        new Flow(
            init.stream(),
            false,
            init.isReliable(),
            new SendBuffer(all.rings, NO_BYTES),
            new ReceiveBuffer(all.rings, settings.bufferBytes()),
            own.counts.flows,
            all.rings,
            path,
            own.worker,
            nowNs);
    if (!own.add(flow)) {
      own.counts.flowsRefused++;
      return null;
    }
    Flows.Former former =
        all.former(init.stream()).orElseGet(() -> new Flows.Former(init.offset(), false));
    flow.hadEnded = former.hasEnded();
    long from = Math.max(init.offset(), former.taken());
    if (flow.isReliable) {
      flow.receive.begin(from);
    } else {
      flow.parts.begin(from);
    }
    flow.isFinished = role != Endpoint.Role.ANSWERING_SERVER;
    return flow;
  }

  private void grant(Flow flow, Handshake.Init init, UdpPath path, long nowNs) {
    for (SessionSlot slot : Arrays.asList(flow.current, flow.next)) {
      if (slot != null
          && slot.accept != null
          && slot.init.clientId() == init.clientId()
          && slot.init.salt().equals(init.salt())) {
        sendAccept(path, slot, slot.accept);
        return;
      }
    }
    own.endNext(flow);
    boolean isKnown = !flow.isReliable || init.offset() <= flow.receive.whole();
    SessionSlot slot = isKnown ? own.all.add(flow, _ -> init, nowNs).orElse(null) : null;
    if (slot == null) {
      own.counts.flowsRefused++;
      return;
    }
    Handshake.Accept accept =
        new Handshake.Accept(
            slot.id, Bits256.random(own.all.random), flow.receive.whole(), flow.receive.credit());
    slot.accept = accept;
    boolean isAnswering = role == Endpoint.Role.ANSWERING_SERVER;
    SendBuffer send = new SendBuffer(own.all.rings, isAnswering ? Endpoint.ANSWER_BYTES : NO_BYTES);
    send.credit(init.credit());
    slot.send = send;
    if (flow.current == null) {
      flow.path = path;
    }
    Session session =
        Session.of(
            settings, flow, send, init.clientId(), init, accept.salt(), own.counts.flows, nowNs);
    if (flow.isFinished) {
      session.finish();
    }
    slot.session = session;
    flow.next = slot;
    sendAccept(path, slot, accept);
  }

  private void sendAccept(UdpPath path, SessionSlot slot, Handshake.Accept accept) {
    Handshake.write(datagram, slot.init, accept, settings.key());
    later(path);
  }

  /** Says that nothing is known of a session, but not too often. */
  void reset(long id, PathView to, long nowNs) {
    if (nowNs - resetNs >= RESET_NS) {
      resetNs = nowNs;
      Handshake.writeRefusal(datagram, Wire.RESET, id, settings.key());
      later(to.path());
    }
  }

  /** Sends what was written in the next round: datagrams are not sent while others are taken. */
  private void later(UdpPath path) {
    if (replies.size() < MOST_REPLIES) {
      replies.add(new Reply(path, datagram.get(0, datagram.length())));
    } else {
      own.counts.flowsRefused++;
    }
  }

  boolean hasReplies() {
    return !replies.isEmpty();
  }

  /**
   * Sends what was to be sent later.
   *
   * @return how many datagrams
   */
  int sendReplies() {
    int count = replies.size();
    for (int i = 0; i < count; i++) { // An iterator would be an object for each round.
      Reply reply = replies.get(i);
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
}
