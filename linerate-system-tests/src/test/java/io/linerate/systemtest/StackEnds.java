package io.linerate.systemtest;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.Engine;

/**
 * A handler that recurses without end, and takes bytes off packets wherever its stack ends.
 * Arguments: the address of a port, and for how many milliseconds.
 */
final class StackEnds {
  private static final int TRIES = 60;

  private int tries;
  private long sum;
  private long outside;

  private StackEnds() {}

  static void main(String[] arguments) {
    StackEnds program = new StackEnds();
    try (Engine engine = new Engine()) {
      engine.worker().input(engine.port(arguments[0]), program::onBurst);
      engine.start();
      engine.awaitEnd(Long.parseLong(arguments[1]));
      engine.stop();
    } catch (IllegalStateException e) {
      IO.println("may be: " + e.getMessage()); // Segments that are in no packet any more.
    }
    IO.println("outside=" + program.outside + " sum=" + program.sum);
  }

  private void onBurst(Burst burst) {
    for (int i = 0; i < burst.size(); i++) {
      Packet packet = burst.packet(i);
      int room = room(packet);
      tries = 0;
      try {
        descend(packet);
      } catch (StackOverflowError e) {
        sum++;
      }
      packet = burst.packet(i);
      if (room(packet) > room || packet.length() > packet.toBytes().length) {
        outside++;
      }
      packet.shrinkTail(packet.length());
    }
  }

  private static int room(Packet packet) {
    return packet.headroomBytes() + packet.length() + packet.tailroomBytes();
  }

  private void descend(Packet packet) {
    try {
      descendAgain(packet, 1, 2);
    } catch (StackOverflowError e) {
      sum--;
    }
    if (tries++ < TRIES && packet.isLive() && packet.length() > 1) {
      packet.shrinkHead(1);
      packet.shrinkTail(1);
    }
  }

  /** Frames of another size, so that the stack ends in another place. */
  private void descendAgain(Packet packet, long first, long second) {
    sum += first + second;
    descend(packet);
  }
}
