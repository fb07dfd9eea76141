package io.linerate.graph.element;

import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.List;
import java.util.stream.IntStream;

/** The outputs {@code out1}, {@code out2} and so on of elements that spread packets. */
final class NumberedOutputs {
  private static final int MAX = 64;

  private NumberedOutputs() {}

  static Shape shape(int count) {
    Shape shape = Shape.NONE.input("in");
    for (int i = 1; i <= Math.min(count, MAX); i++) {
      shape = shape.output("out" + i);
    }
    return shape;
  }

  static List<String> problems(int count) {
    return Parameters.check().range("outputs", count, 1, MAX).problems();
  }

  static Outlet[] of(Wiring wiring, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> wiring.output("out" + i))
        .toArray(Outlet[]::new);
  }
}
