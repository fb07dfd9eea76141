package io.linerate.apps.capture;

import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Counts packets by size and protocol, and passes them on.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  counts: where any thread can read them as well
 *             isEthernet: whether all packets begin with an Ethernet header; quicker then
 * reads       sizes: packets of each class of lengths, as {@link FrameSizes} has them
 *             protocols: packets of each IP protocol by its number, then of other kinds
 * </pre>
 */
record Census(CaptureCounts counts, boolean isEthernet) implements Element {
  @Override
  public Shape shape() {
    return isEthernet ? Shape.inOut() : Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    CaptureHandler handler = counts.newHandler(isEthernet, out);
    wiring.input("in", handler);
    wiring.counts("sizes", () -> handler.sizes().toList());
    wiring.counts("protocols", () -> handler.protocols().toList());
  }
}
