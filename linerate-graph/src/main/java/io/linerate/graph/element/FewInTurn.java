package io.linerate.graph.element;

import java.util.function.IntBinaryOperator;

/** Chooses one of many by comparing a few of them, the next ones each time: constant work. */
final class FewInTurn {
  static final int NONE = -1;
  static final int FEW = 8;

  private final int size;
  private int next;

  /**
   * @param size how many there are, numbered from 0
   */
  FewInTurn(int size) {
    this.size = size;
  }

  /**
   * Returns what was chosen at last.
   *
   * @param choose of the one that was chosen until now, {@link #NONE} at first, and the next one
   */
  int reduce(IntBinaryOperator choose) {
    int chosen = NONE;
    for (int i = Math.min(FEW, size); i > 0; i--) {
      chosen = choose.applyAsInt(chosen, next);
      next = next + 1 == size ? 0 : next + 1;
    }
    return chosen;
  }
}
