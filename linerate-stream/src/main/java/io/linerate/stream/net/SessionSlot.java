package io.linerate.stream.net;

import org.jspecify.annotations.Nullable;

/** A session of a flow, or one that is asked for, by the identifier that datagrams to it have. */
final class SessionSlot {
  final long id;
  final Flow flow;
  final long madeNs;

  /** Of who asked for it. */
  Handshake.Init init;

  /** Of who granted it, to be said again. */
  Handshake.@Nullable Accept accept;

  /** What it sends from, until it takes the place of the one before: its flow has it then. */
  @Nullable SendBuffer send;

  /** None as long as it is asked for. */
  @Nullable Session session;

  SessionSlot(long id, Flow flow, Handshake.Init init, long madeNs) {
    this.id = id;
    this.flow = flow;
    this.init = init;
    this.madeNs = madeNs;
  }

  /** Gives back what it has: nobody finds it any more. */
  void free() {
    if (session != null) {
      session.dispose();
    }
    if (send != null) {
      send.free();
    }
  }
}
