package io.linerate.filter.syntax;

import org.jspecify.annotations.Nullable;

/** How two numbers are compared. */
public enum Relation {
  GREATER(">"),
  GREATER_OR_EQUAL(">="),
  EQUAL("="),
  LESS_OR_EQUAL("<="),
  LESS("<"),
  NOT_EQUAL("!=");

  private final String symbol;

  Relation(String symbol) {
    this.symbol = symbol;
  }

  static @Nullable Relation of(String symbol) {
    for (Relation each : values()) {
      if (each.symbol.equals(symbol)) {
        return each;
      }
    }
    return null;
  }
}
