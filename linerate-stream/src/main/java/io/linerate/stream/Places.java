package io.linerate.stream;

import io.linerate.graph.Links;
import io.linerate.graph.TokenType;

/** Inputs and outputs by the type of their tokens. */
final class Places {
  private Places() {}

  /** What takes the tokens of an output. */
  static Object out(Links links, String output, TokenType type) {
    if (type.equals(TokenType.LONGS)) {
      return links.longs(output);
    }
    return type.equals(TokenType.DOUBLES)
        ? links.doubles(output)
        : links.objects(output, type.carrier());
  }
}
