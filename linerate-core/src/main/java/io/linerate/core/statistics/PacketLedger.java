package io.linerate.core.statistics;

/**
 * Packets of a worker that did not come in through its inputs, will not leave through its outputs,
 * or stay for a while: who moves them says so here, so that the conservation law still adds up. For
 * the worker's thread only.
 */
public final class PacketLedger {
  private long made;
  private long takenOver;
  private long handedOver;
  private long held;

  /** The program made packets. */
  public void addMade(long packets) {
    made += packets;
  }

  /** Packets came from another worker. */
  public void addTakenOver(long packets) {
    takenOver += packets;
  }

  /** Packets went to another worker. */
  public void addHandedOver(long packets) {
    handedOver += packets;
  }

  /** Packets were stored beyond their burst, or left the store when negative. */
  public void addHeld(long packets) {
    held += packets;
  }

  public long made() {
    return made;
  }

  public long takenOver() {
    return takenOver;
  }

  public long handedOver() {
    return handedOver;
  }

  public long held() {
    return held;
  }
}
