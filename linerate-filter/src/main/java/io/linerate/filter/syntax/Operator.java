package io.linerate.filter.syntax;

import org.jspecify.annotations.Nullable;

/**
 * Operators of two numbers. {@code %} and {@code ^} have no precedence in libpcap's grammar: all
 * that follows them is their second operand.
 */
public enum Operator {
  OR("|", 1),
  AND("&", 2),
  SHIFT_LEFT("<<", 3),
  SHIFT_RIGHT(">>", 3),
  ADD("+", 4),
  SUBTRACT("-", 4),
  MULTIPLY("*", 5),
  DIVIDE("/", 5),
  MODULO("%", Operator.NO_PRECEDENCE),
  XOR("^", Operator.NO_PRECEDENCE);

  /** Of what is no operator of two numbers, but binds more than all of these: {@code -}. */
  static final int NEGATION_PRECEDENCE = 6;

  static final int NO_PRECEDENCE = 0;

  private final String symbol;
  private final int precedence;

  Operator(String symbol, int precedence) {
    this.symbol = symbol;
    this.precedence = precedence;
  }

  int precedence() {
    return precedence;
  }

  static @Nullable Operator of(String symbol) {
    for (Operator each : values()) {
      if (each.symbol.equals(symbol)) {
        return each;
      }
    }
    return null;
  }
}
