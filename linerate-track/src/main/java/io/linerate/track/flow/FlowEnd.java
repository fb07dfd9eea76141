package io.linerate.track.flow;

/** Why a flow is told of: flowEndReason of IPFIX, information element 136. */
public enum FlowEnd {
  /** No packet has come for the idle time-out. */
  IDLE(1, "idle"),
  /** It goes on, and the active time-out is over. */
  ACTIVE(2, "active"),
  /** TCP: both ends have sent FIN, or one RST. */
  END(3, "end"),
  /** The metering ends. */
  FORCED(4, "forced"),
  /** Its room was wanted for another flow. */
  RESOURCES(5, "resources");

  private final int number;
  private final String word;

  FlowEnd(int number, String word) {
    this.number = number;
    this.word = word;
  }

  /** As IPFIX has it. */
  public int number() {
    return number;
  }

  /** For people. */
  public String word() {
    return word;
  }
}
