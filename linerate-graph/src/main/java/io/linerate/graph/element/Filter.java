package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.worker.BurstHandler;
import io.linerate.filter.FilterException;
import io.linerate.filter.PacketFilter;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;

/**
 * Passes on packets that a filter of pcap-filter(7) accepts, such as tcp port 80.
 *
 * <pre>
 * inputs      in
 * outputs     out; rest (may be left unconnected: packets that are not accepted end)
 * parameters  filter: such as tcp port 80 and not host 10.0.0.1
 * drops       filtered: not accepted, and rest is not connected
 * reads       filter
 * example     g.add("web", new Filter("tcp port 80 or tcp port 443"))
 * </pre>
 */
public record Filter(PacketFilter filter) implements Element {
  /**
   * Of a text.
   *
   * @throws FilterException if it is wrong
   */
  public Filter(String expression) {
    this(PacketFilter.compile(expression));
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("rest").anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Sorter(filter, wiring));
    wiring.read("filter", ValueType.TEXT, filter::expression);
  }

  /** On one worker. */
  private static final class Sorter implements BurstHandler {
    private final PacketFilter filter;
    private final Outlet out;
    private final Outlet rest;

    Sorter(PacketFilter filter, Wiring wiring) {
      this.filter = filter;
      out = wiring.output("out");
      rest = wiring.output("rest");
    }

    @Override
    public void onBurst(Burst burst) {
      for (int from = 0; from < burst.size(); from += Long.SIZE) {
        long accepted = filter.accepted(burst, from);
        for (long left = burst.live(from) & ~accepted; left != 0; left &= left - 1) {
          rest.send(burst.packet(from + Long.numberOfTrailingZeros(left)), DropReason.FILTERED);
        }
      }
      out.push(burst);
    }
  }
}
