package io.linerate.stream.net;

/** Numbers of all flows of a worker, that grow. */
final class FlowCounts {
  /** Datagrams of sessions. */
  long sent;

  /** Datagrams of sessions that were taken. */
  long received;

  /** Datagrams that did not come, or came late. */
  long lost;

  /** Datagrams that had come before, or came too late. */
  long repeated;

  /** Datagrams that the other side of a session has not sent as they came. */
  long notAuthentic;

  /** Datagrams that left too many gaps. */
  long refused;

  /** Messages that did not come, of streams that leave out what is lost. */
  long missing;

  /** Messages that came when later ones had come. */
  long late;

  /** Messages that came when there was no room for them. */
  long noRoom;
}
