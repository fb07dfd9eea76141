package io.linerate.filter.syntax;

/** A number that is made of a packet, 32 bits, unsigned. */
public sealed interface Arithmetic {
  /** Where it stands, counted from 1. */
  int column();

  /**
   * A constant.
   *
   * @param column where it stands
   * @param value it
   */
  record Constant(int column, int value) implements Arithmetic {}

  /**
   * {@code len}.
   *
   * @param column where it stands
   */
  record Length(int column) implements Arithmetic {}

  /**
   * Bytes of the packet, such as {@code ip[2:2]}.
   *
   * @param column where it stands
   * @param protocol whose header
   * @param index bytes behind its begin
   * @param sizeBytes how many
   */
  record Load(int column, Protocol protocol, Arithmetic index, int sizeBytes)
      implements Arithmetic {}

  /**
   * {@code -operand}.
   *
   * @param column where it stands
   * @param operand what is negated
   */
  record Negation(int column, Arithmetic operand) implements Arithmetic {}

  /**
   * An operation of two numbers.
   *
   * @param column where its operator stands
   * @param operator it
   * @param left the first number
   * @param right the second
   */
  record Operation(int column, Operator operator, Arithmetic left, Arithmetic right)
      implements Arithmetic {}
}
