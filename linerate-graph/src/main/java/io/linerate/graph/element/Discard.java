package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * The good end of packets that are needed no longer.
 *
 * <pre>
 * inputs      in
 * drops       consumed: every packet
 * example     g.chain(kind.out("rest"), g.add("unwanted", new Discard()))
 * </pre>
 */
public record Discard() implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.input("in").anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", burst -> burst.dropAll(DropReason.CONSUMED));
  }
}
