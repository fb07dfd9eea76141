package io.linerate.filter.code;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An instruction of a block, before its last. */
final class Statement {
  /** Code of one that the optimiser has taken out. */
  static final int NONE = -1;

  int code;
  int k;

  /** Of a jump inside its block: where to go to if its condition holds. */
  @Nullable Statement whenTrue;

  /** And where to, if not. */
  @Nullable Statement whenFalse;

  Statement(int code, int k) {
    this.code = code;
    this.k = k;
  }

  boolean isNone() {
    return code == NONE;
  }

  /** A list that more may be added to. */
  static List<Statement> list(Statement... statements) {
    return new ArrayList<>(List.of(statements));
  }
}
