package io.linerate.graph;

import java.util.function.DoubleConsumer;

/** An output of tokens that are {@code double}. */
public abstract class DoubleOutlet extends TokenOutlet implements DoubleConsumer {
  DoubleOutlet(TokenLink link) {
    super(link);
  }

  /** Hands a token on. */
  @Override
  public abstract void accept(double token);
}
