package io.linerate.stream.net;

/** Numbers of a worker's endpoint, that grow: what came that was not taken, and why. */
final class EndpointCounts {
  final FlowCounts flows = new FlowCounts();

  /** Datagrams that are none of this protocol, or of another version. */
  long malformed;

  /** Messages of handshakes with a wrong code: of another key, or made up. */
  long badHandshakes;

  /** Datagrams of sessions that nobody knows. */
  long unknown;

  /** Datagrams of flows that are on another worker. */
  long elsewhere;

  /** Flows that came from another worker. */
  long moved;

  /**
   * Sessions that were refused, and replies that were left out: there were as many as may be, or
   * too many were asked for at once.
   */
  long flowsRefused;
}
