package io.linerate.filter.syntax;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads arithmetic expressions.
 *
 * <p>Operators of equal precedence are taken from left to right. Beside one that has none, {@code
 * %} or {@code ^}, what follows is taken first: so libpcap's grammar has it.
 */
final class Numbers {
  /** Operators of an expression: the stack has to suffice for those in a row. */
  private static final int MAX_OPERATORS = 500;

  private final Words words;
  private final Runnable enter;
  private final Runnable leave;
  private int operators;

  Numbers(Words words, Runnable enter, Runnable leave) {
    this.words = words;
    this.enter = enter;
    this.leave = leave;
  }

  Arithmetic expression() {
    return rest(operand());
  }

  /** What follows a first operand, and that itself. */
  Arithmetic rest(Arithmetic first) {
    operators = 0;
    return rest(first, null);
  }

  /** The relation that comes next, which is not taken, or null. */
  @Nullable Relation relation() {
    return words.is(Token.Kind.SYMBOL) ? Relation.of(words.peek().text()) : null;
  }

  /**
   * @param waiting precedence of the operator whose second operand this is, or null
   */
  private Arithmetic rest(Arithmetic first, @Nullable Integer waiting) {
    Arithmetic left = first;
    for (Operator next = operator(); next != null && binds(next, waiting); next = operator()) {
      int column = words.take().column();
      if (++operators > MAX_OPERATORS) {
        throw words.wrong(column, "too many operators: most=%d".formatted(MAX_OPERATORS));
      }
      enter.run();
      Arithmetic right = rest(operand(), next.precedence());
      leave.run();
      left = new Arithmetic.Operation(column, next, left, right);
    }
    return left;
  }

  private @Nullable Operator operator() {
    return words.is(Token.Kind.SYMBOL) ? Operator.of(words.peek().text()) : null;
  }

  /** Whether an operator takes what stands in front of it away from the operator that waits. */
  private static boolean binds(Operator next, @Nullable Integer waiting) {
    return waiting == null
        || waiting == Operator.NO_PRECEDENCE
        || next.precedence() == Operator.NO_PRECEDENCE
        || next.precedence() > waiting;
  }

  Arithmetic operand() {
    Token token = words.peek();
    if (words.is(Token.Kind.NUMBER)) {
      return new Arithmetic.Constant(token.column(), words.take().number());
    }
    if (words.takeIf("len")) {
      return new Arithmetic.Length(token.column());
    }
    if (words.takeIf("-")) {
      enter.run();
      Arithmetic operand = rest(operand(), Operator.NEGATION_PRECEDENCE);
      leave.run();
      return new Arithmetic.Negation(token.column(), operand);
    }
    if (words.takeIf("(")) {
      enter.run();
      Arithmetic inside = rest(operand(), null);
      leave.run();
      words.require(")");
      return inside;
    }
    Protocol protocol = words.is(Token.Kind.KEYWORD) ? Keywords.protocol(token.text()) : null;
    if (protocol == null) {
      throw words.expected("a number, len, or bytes such as ip[2:2]");
    }
    words.take();
    return load(token.column(), protocol);
  }

  /** Bytes of a protocol that was taken. */
  Arithmetic load(int column, Protocol protocol) {
    words.require("[");
    enter.run();
    Arithmetic index = rest(operand(), null);
    leave.run();
    int size = words.takeIf(":") ? words.requireNumber() : 1;
    words.require("]");
    return new Arithmetic.Load(column, protocol, Objects.requireNonNull(index), size);
  }
}
