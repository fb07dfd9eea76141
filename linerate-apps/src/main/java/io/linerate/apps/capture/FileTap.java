package io.linerate.apps.capture;

import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Writes packets to the file of all workers, and passes them on.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  file
 * </pre>
 */
record FileTap(SharedFile file) implements Element {
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
