package io.linerate.graph;

/** Whether a queue of the graph is filling up: see {@link Wiring#congestion}. */
public final class Congestion {
  private final String queue;
  private PacketRing[] rings = new PacketRing[0];

  Congestion(String queue) {
    this.queue = queue;
  }

  /** Whether it was more than three quarters full, and has not been below one quarter since. */
  public boolean isHigh() {
    for (PacketRing ring : rings) {
      if (ring.isCongested()) {
        return true;
      }
    }
    return false;
  }

  String queue() {
    return queue;
  }

  void rings(PacketRing[] near) {
    rings = near;
  }
}
