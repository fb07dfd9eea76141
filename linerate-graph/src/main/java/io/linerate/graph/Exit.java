package io.linerate.graph;

import io.linerate.core.memory.Burst;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A running element's way out to a port of the engine. For the worker's thread only. */
public final class Exit {
  private final String port;
  private final Tally tally = new Tally();
  private volatile Doors.@Nullable Door door;
  private volatile long refusedBefore;
  private @Nullable Consumer<Burst> output;

  Exit(String port) {
    this.port = port;
  }

  /** Sends every packet that is left in the burst. Nothing is left in it afterwards. */
  public void send(Burst burst) {
    Consumer<Burst> to = output;
    int live = burst.live();
    if (to != null && live > 0) {
      tally.add(live, burst.bytes());
      to.accept(burst);
    }
  }

  String port() {
    return port;
  }

  /** Packets that went to the port and were not refused by it. */
  long packets() {
    Doors.Door to = door;
    return tally.packets() - (to == null ? 0 : to.refused().total() - refusedBefore);
  }

  long bytes() {
    return tally.bytes();
  }

  void door(Doors.Door to) {
    refusedBefore = to.refused().total();
    door = to;
    output = to.output();
  }
}
