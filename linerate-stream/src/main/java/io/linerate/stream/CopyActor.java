package io.linerate.stream;

import io.linerate.graph.DoubleOutlet;
import io.linerate.graph.Element;
import io.linerate.graph.LongOutlet;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Hands each token to all outputs, the first first. Objects are the same for all.
 *
 * @param copies number of outputs
 */
record CopyActor(TokenType in, int copies) implements Element {
  /** Name of an output. */
  static String output(int index) {
    return "out" + (index + 1);
  }

  private List<String> outputs() {
    return IntStream.range(0, copies).mapToObj(CopyActor::output).toList();
  }

  @Override
  public Shape shape() {
    Shape shape = Shape.NONE.tokenInput("in", in);
    for (String output : outputs()) {
      shape = shape.tokenOutput(output, in);
    }
    return shape;
  }

  @Override
  public void open(Wiring wiring) {
    if (in.equals(TokenType.LONGS)) {
      wiring.linkLongs(
          "in",
          links -> {
            LongOutlet[] all = outputs().stream().map(links::longs).toArray(LongOutlet[]::new);
            return token -> {
              for (LongOutlet each : all) {
                each.accept(token);
              }
            };
          });
    } else if (in.equals(TokenType.DOUBLES)) {
      wiring.linkDoubles(
          "in",
          links -> {
            DoubleOutlet[] all =
                outputs().stream().map(links::doubles).toArray(DoubleOutlet[]::new);
            return token -> {
              for (DoubleOutlet each : all) {
                each.accept(token);
              }
            };
          });
    } else {
      copy(in.carrier(), wiring);
    }
  }

  private <T> void copy(Class<T> type, Wiring wiring) {
    wiring.linkObjects(
        "in",
        type,
        links -> {
          List<ObjectOutlet<T>> all =
              outputs().stream().map(output -> links.objects(output, type)).toList();
          return token -> {
            for (int i = 0; i < all.size(); i++) {
              all.get(i).accept(token);
            }
          };
        });
  }
}
