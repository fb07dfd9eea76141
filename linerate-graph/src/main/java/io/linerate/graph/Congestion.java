package io.linerate.graph;

import io.linerate.core.driver.SpscRing;
import java.util.List;

/** Whether a queue of the graph is filling up: see {@link Wiring#congestion}. */
public final class Congestion {
  private final String queue;
  private List<SpscRing> rings = List.of();
  private boolean isHigh;

  Congestion(String queue) {
    this.queue = queue;
  }

  /** Whether it was more than three quarters full, and has not been below one quarter since. */
  public boolean isHigh() {
    for (int i = 0; i < rings.size(); i++) {
      SpscRing ring = rings.get(i);
      int quarter = ring.capacity() / 4;
      if (ring.size() > (isHigh ? quarter : ring.capacity() - quarter)) {
        isHigh = true;
        return true;
      }
    }
    isHigh = false;
    return false;
  }

  String queue() {
    return queue;
  }

  void rings(List<SpscRing> near) {
    rings = near;
  }
}
