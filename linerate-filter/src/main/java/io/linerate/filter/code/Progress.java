package io.linerate.filter.code;

/** Whether a pass of the optimiser has changed something. */
final class Progress {
  private boolean isMade;
  private boolean isMoreThanMoves;

  void begin() {
    isMade = false;
    isMoreThanMoves = false;
  }

  void made() {
    isMade = true;
    isMoreThanMoves = true;
  }

  /** An edge leads elsewhere now: that alone may go round in a circle. */
  void moved() {
    isMade = true;
  }

  boolean isMade() {
    return isMade;
  }

  boolean isMoreThanMoves() {
    return isMoreThanMoves;
  }
}
