package io.linerate.filter.code;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A basic block: statements, and a conditional jump or a return. */
final class Block {
  List<Statement> statements;
  int code;
  int k;
  final Edge whenTrue = new Edge(this);
  final Edge whenFalse = new Edge(this);

  // What follows is the optimiser's and the assembler's.

  int id;
  int level;

  /** The next of a level, or an equal block that is to be used in place of this. */
  @Nullable Block link;

  /** The first edge that leads here. */
  @Nullable Edge in;

  /** Blocks that one has to pass before this, as bits. */
  int[] dominators = {};

  /** Registers whose values are used here or later, as bits. */
  int used;

  /** Registers whose values are used by blocks behind this, as bits. */
  int usedBehind;

  /** Registers that are set here before they are used, as bits. */
  int killed;

  /** Numbers of the values that registers have at the end. */
  final int[] values = new int[Registers.COUNT];

  /** Number of the value that the jump compares with. */
  int operand;

  /** Equal to that of a walk that has been here. */
  int mark;

  /** Place of its first instruction. */
  int offset;

  /** Whether a jump of its own leads to where 255 instructions do not reach. */
  boolean isFarWhenTrue;

  boolean isFarWhenFalse;

  Block(List<Statement> statements, int code, int k) {
    this.statements = new ArrayList<>(statements);
    this.code = code;
    this.k = k;
  }

  static Block returning(int value) {
    return new Block(List.of(), Opcodes.RET | Opcodes.K, value);
  }

  boolean isReturn() {
    return Opcodes.classOf(code) == Opcodes.RET;
  }

  @Nullable Block jt() {
    return whenTrue.to;
  }

  @Nullable Block jf() {
    return whenFalse.to;
  }

  void setInFront(List<Statement> first) {
    List<Statement> all = new ArrayList<>(first);
    all.addAll(statements);
    statements = all;
  }
}
