package io.linerate.stream;

import io.linerate.graph.Node;
import java.util.List;

/**
 * Results of windows.
 *
 * @param <K> class of the keys
 * @param <T> class of the tokens
 * @param <R> class of the values
 */
public final class Windowed<K, T, R> {
  private final Tokens<T> tokens;
  private final Node node;

  Windowed(Tokens<T> tokens, Node node) {
    this.tokens = tokens;
    this.node = node;
  }

  /** One of each key of each window that has ended, in the order of the windows. */
  public Tokens<WindowResult<K, R>> results() {
    return new Tokens<>(
        tokens.builder(), WindowOutput.raw(WindowResult.class), List.of(node.out("out")));
  }

  /**
   * Tokens that came when their window had ended. Nobody asks: they are dropped, as {@code late}.
   */
  public Tokens<T> late() {
    return tokens.at(node.out(WindowActor.LATE));
  }
}
