package io.linerate.stream.net;

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
  final SendBuffer send;
  final ReceiveBuffer receive;

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
  boolean isFinished;
  boolean isSilent;
  boolean isAccepted;

  /** Whether nothing is known of it any more. */
  boolean isOver;

  Flow(
      StreamId stream,
      boolean isClient,
      SendBuffer send,
      ReceiveBuffer receive,
      FlowCounts counts,
      UdpPath path,
      int owner,
      long nowNs) {
    this.stream = stream;
    this.isClient = isClient;
    this.send = send;
    this.receive = receive;
    this.path = path;
    this.owner = owner;
    parts = new Parts(receive, counts);
    sinceNs = nowNs;
    adoptedNs = nowNs;
  }

  boolean isWantedElsewhere(int worker) {
    int wanted = wantedBy;
    return wanted != NOBODY && wanted != worker;
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
