package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenStep;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;

/** Makes one token of each, or none. */
record StepActor(TokenType in, TokenType out, TokenStep step, Supervision supervision)
    implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", in).tokenOutput("out", out);
  }

  @Override
  public void open(Wiring wiring) {
    wiring.step("in", step, "out");
    Supervisor.watch(wiring, supervision);
  }
}
