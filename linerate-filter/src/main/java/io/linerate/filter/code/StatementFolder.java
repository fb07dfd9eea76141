package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ABS;
import static io.linerate.filter.code.Opcodes.ADD;
import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.AND;
import static io.linerate.filter.code.Opcodes.DIV;
import static io.linerate.filter.code.Opcodes.IMM;
import static io.linerate.filter.code.Opcodes.IND;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.LD;
import static io.linerate.filter.code.Opcodes.LDX;
import static io.linerate.filter.code.Opcodes.LEN;
import static io.linerate.filter.code.Opcodes.LSH;
import static io.linerate.filter.code.Opcodes.MEM;
import static io.linerate.filter.code.Opcodes.MISC;
import static io.linerate.filter.code.Opcodes.MOD;
import static io.linerate.filter.code.Opcodes.MUL;
import static io.linerate.filter.code.Opcodes.NEG;
import static io.linerate.filter.code.Opcodes.OR;
import static io.linerate.filter.code.Opcodes.RSH;
import static io.linerate.filter.code.Opcodes.SUB;
import static io.linerate.filter.code.Opcodes.TXA;
import static io.linerate.filter.code.Opcodes.XOR;
import static io.linerate.filter.code.Registers.A;
import static io.linerate.filter.code.Registers.X;

import io.linerate.filter.FilterException;
import java.util.function.Function;

/**
 * Follows values through statements, and takes out or simplifies those whose result is known: value
 * numbering, and folding of constants.
 */
final class StatementFolder {
  private final ValueTable table;
  private final Progress progress;
  private final Function<String, FilterException> wrong;

  StatementFolder(ValueTable table, Progress progress, Function<String, FilterException> wrong) {
    this.table = table;
    this.progress = progress;
    this.wrong = wrong;
  }

  /**
   * @param values numbers of the values of registers, before and after
   * @param alters whether the statement may be changed
   */
  void fold(Statement s, int[] values, boolean alters) {
    switch (Opcodes.classOf(s.code)) {
      case LD -> load(s, values, alters);
      case LDX -> loadX(s, values, alters);
      case Opcodes.ST -> set(s, values, s.k, values[A], alters);
      case Opcodes.STX -> set(s, values, s.k, values[X], alters);
      case ALU -> operation(s, values, alters);
      case MISC -> {
        boolean isTxa = s.code == (MISC | TXA);
        set(s, values, isTxa ? A : X, values[isTxa ? X : A], alters);
      }
      default -> throw new IllegalStateException("no statement: code=" + s.code);
    }
  }

  /** Sets a register, or takes the statement out, if it has that value already. */
  private static void set(Statement s, int[] values, int register, int value, boolean alters) {
    if (alters && value != ValueTable.UNKNOWN && values[register] == value) {
      s.code = Statement.NONE;
    } else {
      values[register] = value;
    }
  }

  private void load(Statement s, int[] values, boolean alters) {
    int value =
        switch (Opcodes.modeOf(s.code)) {
          case IMM -> table.ofConstant(s.k);
          case MEM -> fromMemory(s, values, LD | IMM, alters);
          case IND -> indirect(s, values, alters);
          case LEN -> table.of(s.code, 0, 0);
          default -> table.of(s.code, s.k, 0);
        };
    set(s, values, A, value, alters);
  }

  private void loadX(Statement s, int[] values, boolean alters) {
    int value =
        switch (Opcodes.modeOf(s.code)) {
          case IMM -> table.ofConstant(s.k);
          case MEM -> fromMemory(s, values, LDX | IMM, alters);
          default -> table.of(s.code, s.k, 0);
        };
    set(s, values, X, value, alters);
  }

  private int fromMemory(Statement s, int[] values, int constantLoad, boolean alters) {
    int value = values[s.k];
    if (alters && table.isConstant(value)) {
      s.code = constantLoad;
      s.k = table.constant(value);
      progress.made();
    }
    return value;
  }

  private int indirect(Statement s, int[] values, boolean alters) {
    int index = values[X];
    if (!alters || !table.isConstant(index)) {
      return table.of(s.code, s.k, index);
    }
    s.code = LD | ABS | Opcodes.sizeOf(s.code);
    s.k += table.constant(index);
    progress.made();
    return table.of(s.code, s.k, 0);
  }

  private void operation(Statement s, int[] values, boolean alters) {
    if (s.code == (ALU | NEG)) {
      if (alters && table.isConstant(values[A])) {
        s.code = LD | IMM;
        s.k = -table.constant(values[A]);
        values[A] = table.ofConstant(s.k);
      } else {
        values[A] = table.of(s.code, values[A], 0);
      }
    } else if (Opcodes.sourceOf(s.code) == K) {
      withConstant(s, values, alters);
    } else {
      withX(s, values, alters);
    }
  }

  private void withConstant(Statement s, int[] values, boolean alters) {
    int operation = Opcodes.operationOf(s.code);
    if (alters && s.k == 0 && withZero(s, values, operation)) {
      return;
    }
    if (alters && table.isConstant(values[A])) {
      fold(s, values, s.k);
      return;
    }
    values[A] = table.of(s.code, values[A], table.ofConstant(s.k));
  }

  private boolean withZero(Statement s, int[] values, int operation) {
    switch (operation) {
      // SUB stays: a comparison behind it may become simpler by it.
      case ADD, LSH, RSH, OR, XOR -> s.code = Statement.NONE;
      case MUL, AND -> {
        s.code = LD | IMM;
        values[A] = table.ofConstant(0);
      }
      case DIV, MOD -> throw wrong.apply("found=0 to divide by, expected=another number");
      default -> {
        return false;
      }
    }
    return true;
  }

  private void withX(Statement s, int[] values, boolean alters) {
    int operation = Opcodes.operationOf(s.code);
    if (alters && table.isConstant(values[X])) {
      int operand = table.constant(values[X]);
      if (table.isConstant(values[A])) {
        fold(s, values, operand);
        return;
      }
      s.code = ALU | K | operation;
      s.k = operand;
      boolean isShift = operation == LSH || operation == RSH;
      if (isShift && Integer.compareUnsigned(operand, 31) > 0) {
        throw wrong.apply(
            "found=a shift by %s, most=31".formatted(Integer.toUnsignedString(operand)));
      }
      progress.made();
      values[A] = table.of(s.code, values[A], table.ofConstant(operand));
      return;
    }
    if (alters && table.isConstant(values[A]) && table.constant(values[A]) == 0) {
      if (ofZero(s, values, operation)) {
        return;
      }
    }
    values[A] = table.of(s.code, values[A], values[X]);
  }

  private boolean ofZero(Statement s, int[] values, int operation) {
    switch (operation) {
      case ADD, OR, XOR -> {
        s.code = MISC | TXA;
        set(s, values, A, values[X], true);
      }
      case MUL, DIV, MOD, AND, LSH, RSH -> {
        s.code = LD | IMM;
        s.k = 0;
        set(s, values, A, table.ofConstant(0), true);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Of two constants: a load of the result. */
  private void fold(Statement s, int[] values, int operand) {
    int a = table.constant(values[A]);
    int operation = Opcodes.operationOf(s.code);
    if (operand == 0 && (operation == DIV || operation == MOD)) {
      throw wrong.apply("found=0 to divide by, expected=another number");
    }
    s.k =
        switch (operation) {
          case ADD -> a + operand;
          case SUB -> a - operand;
          case MUL -> a * operand;
          case DIV -> Integer.divideUnsigned(a, operand);
          case MOD -> Integer.remainderUnsigned(a, operand);
          case AND -> a & operand;
          case OR -> a | operand;
          case XOR -> a ^ operand;
          case LSH -> Integer.compareUnsigned(operand, 32) < 0 ? a << operand : 0;
          case RSH -> Integer.compareUnsigned(operand, 32) < 0 ? a >>> operand : 0;
          default -> throw new IllegalStateException("no operation: code=" + s.code);
        };
    s.code = LD | IMM;
    progress.made();
    values[A] = table.ofConstant(s.k);
  }
}
