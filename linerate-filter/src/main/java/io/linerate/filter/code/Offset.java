package io.linerate.filter.code;

/**
 * Where something begins in a packet: a constant, to which what a register holds is added if it
 * depends on the packet.
 */
final class Offset {
  /** There is no such place. */
  static final int NOT_SET = -1;

  int constant;
  boolean isVariable;
  int register = Registers.NONE;

  void copy(Offset other) {
    constant = other.constant;
    isVariable = other.isVariable;
    register = other.register;
  }
}
