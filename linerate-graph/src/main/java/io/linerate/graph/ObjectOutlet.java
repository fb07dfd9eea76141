package io.linerate.graph;

import java.util.function.Consumer;

/**
 * An output of tokens that are objects.
 *
 * @param <T> their class
 */
public abstract class ObjectOutlet<T> extends TokenOutlet implements Consumer<T> {
  ObjectOutlet(TokenLink link) {
    super(link);
  }

  /** Hands a token on. */
  @Override
  public abstract void accept(T token);
}
