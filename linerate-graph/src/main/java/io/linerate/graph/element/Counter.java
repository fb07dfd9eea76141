package io.linerate.graph.element;

import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Passes everything on. Every element counts; this one does nothing else, for a place where the
 * numbers are wanted.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * drops       none
 * reads       packets, bytes: as every element
 * example     g.chain(in, g.add("seen", new Counter()), out)
 * </pre>
 */
public record Counter() implements Element {
  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    wiring.input("in", out);
  }
}
