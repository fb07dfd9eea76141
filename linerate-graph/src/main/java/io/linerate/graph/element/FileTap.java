package io.linerate.graph.element;

import io.linerate.driver.pcap.CaptureTap;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Passes everything on, and writes it to a capture file that the program holds, one for all
 * workers.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  tap: its file, and how much that takes
 * drops       none
 * example     g.chain(census, g.add("file", new FileTap(tap)), end)
 * </pre>
 */
public record FileTap(CaptureTap tap) implements Element {
  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    wiring.input(
        "in",
        burst -> {
          tap.write(burst);
          out.push(burst);
        });
  }
}
