package io.linerate.graph;

/**
 * An output of tokens of a running element: each token is handled by the element behind it before
 * the call returns. What that throws is counted there, and does not come back.
 *
 * <p>For the worker's thread; on any other it throws {@link WrongThreadException}.
 */
public abstract class TokenOutlet {
  private final TokenLink link;

  TokenOutlet(TokenLink link) {
    this.link = link;
  }

  /** Whether it leads anywhere: an optional output need not. */
  public boolean isConnected() {
    return link.isConnected();
  }

  @Override
  public String toString() {
    return link.toString();
  }
}
