package io.linerate.graph;

import java.util.function.LongConsumer;

/** An output of tokens that are {@code long}. */
public abstract class LongOutlet extends TokenOutlet implements LongConsumer {
  LongOutlet(TokenLink link) {
    super(link);
  }

  /** Hands a token on. */
  @Override
  public abstract void accept(long token);
}
