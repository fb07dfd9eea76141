package io.linerate.dashboard.control;

import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Passes everything on, and writes the first packets to a file that somebody wants to look at.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  file: how much it takes, from all workers together
 * drops       none
 * </pre>
 */
record Tap(TapFile file) implements Element {
  @Override
  public Shape shape() {
    return Shape.inOut();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    wiring.input(
        "in",
        burst -> {
          file.write(burst);
          out.push(burst);
        });
  }
}
