package io.linerate.filter.syntax;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the parser has read between two of {@code and}, {@code or} and parentheses.
 *
 * @param kind what it is
 * @param column where it stands
 * @param condition of a term or a list of names
 * @param arithmetic of an arithmetic expression
 * @param number of a number
 * @param qualifiers those that a name behind it has, if it has none of its own
 */
record Unit(
    Kind kind,
    int column,
    @Nullable Condition condition,
    @Nullable Arithmetic arithmetic,
    int number,
    Qualifiers qualifiers) {
  /** What a unit is. */
  enum Kind {
    /** A condition. */
    TERM,
    /** A name or address, negated perhaps. */
    ID,
    /** Several of them. */
    ID_IN_PARENTHESES,
    /** A number: it may be a name's, or begin an arithmetic expression. */
    NUMBER,
    /** An arithmetic expression that is no number. */
    ARITHMETIC
  }

  static Unit term(Condition condition, Qualifiers qualifiers) {
    return new Unit(Kind.TERM, condition.column(), condition, null, 0, qualifiers);
  }

  static Unit id(Condition condition, Qualifiers qualifiers) {
    return new Unit(Kind.ID, condition.column(), condition, null, 0, qualifiers);
  }

  static Unit idInParentheses(Condition condition, Qualifiers qualifiers) {
    return new Unit(Kind.ID_IN_PARENTHESES, condition.column(), condition, null, 0, qualifiers);
  }

  static Unit number(int column, int number, Qualifiers qualifiers) {
    return new Unit(Kind.NUMBER, column, null, null, number, qualifiers);
  }

  static Unit arithmetic(Arithmetic arithmetic, Qualifiers qualifiers) {
    return new Unit(Kind.ARITHMETIC, arithmetic.column(), null, arithmetic, 0, qualifiers);
  }

  Condition requireCondition() {
    return Objects.requireNonNull(condition);
  }

  Arithmetic toArithmetic() {
    return arithmetic == null ? new Arithmetic.Constant(column, number) : arithmetic;
  }
}
