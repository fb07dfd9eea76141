package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.graph.Congestion;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.List;

/**
 * Brings the packets of a port into the graph: on each worker those of its receive queues.
 *
 * <pre>
 * outputs     out
 * parameters  port: its name in the engine
 *             watches: names of queues; while one is congested, packets are dropped here, before
 *             work is done on them
 * drops       back_pressure: a queue that it watches is congested
 * example     g.add("in", new FromPort("eth0"))
 *             g.add("in", new FromPort("eth0", List.of("queue")))
 * </pre>
 */
public record FromPort(String port, List<String> watches) implements Element {
  public static final DropReason BACK_PRESSURE = DropReason.named("back_pressure");

  public FromPort {
    watches = List.copyOf(watches);
  }

  public FromPort(String port) {
    this(port, List.of());
  }

  @Override
  public Shape shape() {
    Shape shape = Shape.NONE.output("out").receiving(port).anyLink();
    for (String queue : watches) {
      shape = shape.watching(queue);
    }
    return shape;
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    if (watches.isEmpty()) {
      wiring.receive(port, out);
      return;
    }
    Congestion[] queues = watches.stream().map(wiring::congestion).toArray(Congestion[]::new);
    wiring.receive(port, burst -> push(burst, queues, out));
  }

  private static void push(Burst burst, Congestion[] queues, Outlet out) {
    for (Congestion queue : queues) {
      if (queue.isHigh()) {
        burst.dropAll(BACK_PRESSURE);
        return;
      }
    }
    out.push(burst);
  }
}
