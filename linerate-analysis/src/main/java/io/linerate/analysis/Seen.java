package io.linerate.analysis;

/** A token that windows count, by its key: a packet of a flow, or a question for a name. */
sealed interface Seen permits SeenPacket, SeenName, SeenTime {
  /** A {@link FlowId} or {@link NameId}, which may be another one for the next packet. */
  Object key();

  /** What is kept of a key. */
  static Object kept(Object key) {
    return switch (key) {
      case FlowId flow -> flow.copy();
      case NameId name -> name.copy();
      default -> key;
    };
  }

  /** When it came, in ns since 1970. */
  long timeNs();

  /** Counts it. */
  void addTo(Tally tally);
}
