package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.List;

/**
 * Keeps each packet for the same time, in their order: a long line. Packets go on in the first
 * round of the worker after their time; those still here when the graph or the element ends go on
 * at once. A cycle of a graph may lead through it.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  delayNs: 0 to 60e9, a minute
 *             capacity: packets kept at most, 1 to 1048576; they are buffers that the port that
 *             received them lacks meanwhile. Delay(delayNs) has 1024
 * drops       delay_full: more packets than the capacity came within the delay
 * example     g.add("far", new Delay(5_000_000))
 * </pre>
 */
public record Delay(long delayNs, int capacity) implements Element {
  public static final DropReason DELAY_FULL = DropReason.named("delay_full");

  private static final long MAX_NS = 60_000_000_000L;
  private static final int MAX_CAPACITY = 1 << 20;
  private static final int USUAL_CAPACITY = 1_024;

  public Delay(long delayNs) {
    this(delayNs, USUAL_CAPACITY);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().buffered().anyLink();
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .range("delayNs", delayNs, 0, MAX_NS)
        .range("capacity", capacity, 1, MAX_CAPACITY)
        .problems();
  }

  @Override
  public void open(Wiring wiring) {
    Line line = new Line(this, wiring);
    wiring.input("in", line);
    wiring.onRound(line);
    wiring.onLeave(line::sendAll);
  }

  /** On one worker. */
  private static final class Line implements BurstHandler, Round {
    private final long delayNs;
    private final Wiring wiring;
    private final Outlet out;
    private final PacketQueue packets;

    /** When each packet goes on, as a ring beside that of the packets. */
    private final long[] dueNs;

    private int head;

    Line(Delay delay, Wiring wiring) {
      this.wiring = wiring;
      delayNs = delay.delayNs;
      out = wiring.output("out");
      packets = wiring.queue(delay.capacity);
      dueNs = new long[delay.capacity];
    }

    @Override
    public void onBurst(Burst burst) {
      long due = wiring.nowNs() + delayNs;
      for (Packet packet : burst) {
        int slot = slot(packets.size());
        if (packets.add(packet)) {
          dueNs[slot] = due;
        } else {
          packet.drop(DELAY_FULL);
        }
      }
    }

    private int slot(int position) {
      int slot = head + position;
      return slot >= dueNs.length ? slot - dueNs.length : slot;
    }

    @Override
    public int run() {
      long now = wiring.nowNs();
      int due = 0;
      int stored = packets.size();
      while (due < stored && now - dueNs[slot(due)] >= 0) {
        due++;
      }
      head = slot(due);
      return packets.sendTo(out, due);
    }

    @Override
    public long restNs(Runnable wake) {
      return packets.size() == 0 ? Long.MAX_VALUE : Math.max(0, dueNs[head] - wiring.nowNs());
    }

    void sendAll() {
      packets.sendTo(out, packets.size());
    }
  }
}
