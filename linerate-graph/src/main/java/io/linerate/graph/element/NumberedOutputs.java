package io.linerate.graph.element;

import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.List;
import java.util.stream.IntStream;

/** An element that spreads packets over its outputs {@code out1}, {@code out2} and so on. */
public interface NumberedOutputs extends Element {
  /** Outputs at most. */
  int MAX = 64;

  /** How many there are, 1 to {@link #MAX}. */
  int outputs();

  @Override
  default Shape shape() {
    Shape shape = Shape.NONE.input("in");
    for (int i = 1; i <= Math.min(outputs(), MAX); i++) {
      shape = shape.output("out" + i);
    }
    return shape;
  }

  @Override
  default List<String> problems() {
    return Parameters.check().range("outputs", outputs(), 1, MAX).problems();
  }

  /** The outputs whose names are {@code name} and a number, from 1 on. */
  static Outlet[] of(Wiring wiring, String name, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> wiring.output(name + i))
        .toArray(Outlet[]::new);
  }
}
