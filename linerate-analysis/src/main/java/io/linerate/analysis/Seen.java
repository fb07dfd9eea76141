package io.linerate.analysis;

/** A token that windows count, by its key: a packet of a flow, or a question for a name. */
sealed interface Seen permits SeenPacket, SeenName {
  /** A {@link FlowId}, which may be another flow's for the next packet, or a name. */
  Object key();

  /** What is kept of a key. */
  static Object kept(Object key) {
    return key instanceof FlowId flow ? flow.copy() : key;
  }

  /** When it came, in ns since 1970. */
  long timeNs();

  /** Counts it. */
  void addTo(Tally tally);
}
