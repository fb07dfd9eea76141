package io.linerate.stream.net;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stream of messages between two ends, and what comes back: on one worker at a time, in whatever
 * session. All but {@link #owner}, {@link #wantedBy} and {@link #isElsewhere} is its owner's.
 */
final class Flow {
  /** Of {@link #owner}: nobody's, to be had by any worker. */
  static final int PARKED = -1;

  private static final int NOBODY = -1;

  final StreamId stream;
  final boolean isClient;
  final boolean isReliable;
  final ReceiveBuffer receive;

  /** Of who grants sessions: another one in each, since answers are lost with a session. */
  SendBuffer send;

  /** The worker that it is on. */
  volatile int owner;

  /** The worker that its datagrams come to. */
  volatile int wantedBy = NOBODY;

  /** Whether answers to its first datagrams come to another worker. */
  volatile boolean isElsewhere;

  Parts parts;
  UdpPath path;

  /** The one that sends; none before the first. */
  @Nullable SessionSlot current;

  /** One that takes its place. */
  @Nullable SessionSlot next;

  // Of who asks for sessions.
  long askNs;
  int asked;
  int ports;

  /** When it has begun to wait for the other side. */
  long sinceNs;

  long adoptedNs;

  private long heardNs;

  boolean isFinished;
  boolean isSilent;
  boolean isAccepted;

  /** The other side has said that it has no room. */
  boolean isRefused;

  /** Whether it had ended before: the other side has not heard of that. */
  boolean hadEnded;

  /** Why it is over, once what has come was delivered; empty: all has come. */
  @Nullable String ending;

  /** Whether nothing is known of it any more. */
  volatile boolean isOver;

  Flow(
      StreamId stream,
      boolean isClient,
      boolean isReliable,
      SendBuffer send,
      ReceiveBuffer receive,
      FlowCounts counts,
      Rings rings,
      UdpPath path,
      int owner,
      long nowNs) {
    this.stream = stream;
    this.isClient = isClient;
    this.isReliable = isReliable;
    this.send = send;
    this.receive = receive;
    this.path = path;
    this.owner = owner;
    parts = new Parts(rings, receive, counts);
    sinceNs = nowNs;
    adoptedNs = nowNs;
    heardNs = nowNs;
  }

  /** Something authentic has come, to its worker. */
  void heard(long nowNs) {
    heardNs = nowNs;
    if (wantedBy != NOBODY) {
      wantedBy = NOBODY;
    }
  }

  /** From now on it counts there. */
  void counts(FlowCounts counts) {
    parts.counts(counts);
    for (SessionSlot slot : Arrays.asList(current, next)) {
      if (slot != null && slot.session != null) {
        slot.session.counts(counts);
      }
    }
  }

  /** What is to be known of it when it is gone. */
  Flows.Former former() {
    return new Flows.Former(
        isReliable ? receive.taken() : parts.next(), hadEnded || receive.hasEnded());
  }

  /** Gives its memory back: nobody uses it any more. */
  void free() {
    send.free();
    receive.free();
    parts.free();
  }

  /** Whether its datagrams come to another worker, and no longer to this one. */
  boolean isWantedElsewhere(int worker, long nowNs, long quietNs) {
    int wanted = wantedBy;
    return wanted != NOBODY && wanted != worker && nowNs - Math.max(adoptedNs, heardNs) >= quietNs;
  }

  void adopt(int worker, long nowNs) {
    wantedBy = NOBODY;
    adoptedNs = nowNs;
    owner = worker;
  }

  @Nullable Session session() {
    SessionSlot slot = current;
    return slot == null ? null : slot.session;
  }

  /** Who it is with, and which one it is, for people. */
  String text() {
    return "peer=%s, stream=%s".formatted(path.remote(), stream);
  }

  /** What is known of it now, for people. */
  String line() {
    Session session = session();
    String state =
        session == null
            ? "state=asking"
            : "state=%s, roundTripUs=%d, window=%d, datagram=%d"
                .formatted(
                    isSilent ? "silent" : "open",
                    session.roundTripNs() / 1_000,
                    session.windowBytes(),
                    session.datagramBytes());
    return "%s, sent=%d, acked=%d, received=%d, %s"
        .formatted(text(), send.sent(), send.whole(), receive.taken(), state);
  }
}
