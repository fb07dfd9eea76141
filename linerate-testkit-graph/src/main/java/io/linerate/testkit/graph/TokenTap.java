package io.linerate.testkit.graph;

import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.List;

/**
 * Keeps what comes out.
 *
 * @param came numbers as {@code Long} and {@code Double}
 */
record TokenTap(TokenType type, List<Object> came) implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", type);
  }

  @Override
  public void open(Wiring wiring) {
    if (type.equals(TokenType.LONGS)) {
      wiring.longs("in", came::add);
    } else if (type.equals(TokenType.DOUBLES)) {
      wiring.doubles("in", came::add);
    } else {
      wiring.objects("in", type.carrier(), came::add);
    }
  }
}
