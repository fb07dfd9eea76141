package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ADD;
import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.AND;
import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.IMM;
import static io.linerate.filter.code.Opcodes.IND;
import static io.linerate.filter.code.Opcodes.JEQ;
import static io.linerate.filter.code.Opcodes.JGE;
import static io.linerate.filter.code.Opcodes.JGT;
import static io.linerate.filter.code.Opcodes.JMP;
import static io.linerate.filter.code.Opcodes.JSET;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.LD;
import static io.linerate.filter.code.Opcodes.LDX;
import static io.linerate.filter.code.Opcodes.MEM;
import static io.linerate.filter.code.Opcodes.MISC;
import static io.linerate.filter.code.Opcodes.MSH;
import static io.linerate.filter.code.Opcodes.ST;
import static io.linerate.filter.code.Opcodes.SUB;
import static io.linerate.filter.code.Opcodes.TAX;
import static io.linerate.filter.code.Opcodes.TXA;
import static io.linerate.filter.code.Registers.A;
import static io.linerate.filter.code.Registers.A_AND_X;
import static io.linerate.filter.code.Registers.X;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the statements of one block fewer, and its jump simpler. */
final class BlockOptimiser {
  private final ValueTable table;
  private final StatementFolder folder;
  private final Progress progress;

  BlockOptimiser(ValueTable table, StatementFolder folder, Progress progress) {
    this.table = table;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * @param alters whether statements may be changed, or only followed
   */
  void optimise(Block block, boolean alters) {
    begin(block);
    int a = block.values[A];
    int x = block.values[X];
    for (Statement statement : block.statements) {
      if (!statement.isNone()) {
        folder.fold(statement, block.values, alters);
      }
    }
    if (alters && (block.isReturn() || hasNoEffect(block, a, x))) {
      if (!block.statements.isEmpty()) {
        block.statements.clear();
        progress.made();
      }
    } else {
      simplify(block);
      removeDeadStores(block);
    }
    block.operand = Opcodes.sourceOf(block.code) == K ? table.ofConstant(block.k) : block.values[X];
    block.whenTrue.code = block.code;
    block.whenFalse.code = -block.code;
  }

  private static boolean hasNoEffect(Block block, int a, int x) {
    return block.usedBehind == 0
        && a != ValueTable.UNKNOWN
        && block.values[A] == a
        && x != ValueTable.UNKNOWN
        && block.values[X] == x;
  }

  /** Takes the values of the blocks in front, where all agree. */
  private static void begin(Block block) {
    Edge edge = block.in;
    if (edge == null) {
      Arrays.fill(block.values, ValueTable.UNKNOWN);
      return;
    }
    System.arraycopy(edge.from.values, 0, block.values, 0, Registers.COUNT);
    for (edge = edge.nextIn; edge != null; edge = edge.nextIn) {
      for (int i = 0; i < Registers.COUNT; i++) {
        if (block.values[i] != edge.from.values[i]) {
          block.values[i] = ValueTable.UNKNOWN;
        }
      }
    }
  }

  private static int next(List<Statement> statements, int from) {
    int at = from;
    while (at < statements.size() && statements.get(at).isNone()) {
      at++;
    }
    return at;
  }

  private static @Nullable Statement get(List<Statement> statements, int at) {
    return at < statements.size() ? statements.get(at) : null;
  }

  private void simplify(Block block) {
    List<Statement> statements = block.statements;
    if (statements.isEmpty()) {
      return;
    }
    Statement last = statements.getFirst();
    int at = next(statements, 0);
    while (at < statements.size()) {
      int following = next(statements, at + 1);
      if (following >= statements.size()) {
        break;
      }
      last = statements.get(following);
      simplifyPair(statements.get(at), last);
      simplifyIndex(block, at, following);
      at = next(statements, following);
    }
    if (block.code == (JMP | JEQ | K) && isUnusedBehind(block, A)) {
      simplifyEquality(block, last);
    }
    simplifyJump(block);
  }

  private static boolean isUnusedBehind(Block block, int register) {
    return (block.usedBehind & (1 << register)) == 0;
  }

  private void simplifyPair(Statement first, Statement second) {
    if (first.code == ST && second.code == (LDX | MEM) && first.k == second.k) {
      second.code = MISC | TAX;
      progress.made();
    }
    if (first.code == (LD | IMM) && second.code == (MISC | TAX)) {
      first.code = LDX | IMM;
      second.code = MISC | TXA;
      progress.made();
    }
  }

  /**
   * A constant that is added to X becomes part of the load behind it:
   *
   * <pre>
   * ld   #2                    ldxb 4*([14]&0xf)
   * ldxb 4*([14]&0xf)          ld   [x + 2]
   * add  x              -->
   * tax
   * ld   [x + 0]
   * </pre>
   */
  private void simplifyIndex(Block block, int at, int following) {
    List<Statement> statements = block.statements;
    Statement constant = statements.get(at);
    if (constant.code != (LD | IMM) || !isUnusedBehind(block, X)) {
      return;
    }
    boolean loadsX = statements.get(following).code == (LDX | MSH | B);
    int addAt = loadsX ? next(statements, following + 1) : following;
    Statement add = get(statements, addAt);
    int taxAt = next(statements, addAt + 1);
    Statement tax = get(statements, taxAt);
    Statement load = get(statements, next(statements, taxAt + 1));
    if (add == null
        || tax == null
        || load == null
        || add.code != (ALU | ADD | Opcodes.X)
        || tax.code != (MISC | TAX)
        || Opcodes.classOf(load.code) != LD
        || Opcodes.modeOf(load.code) != IND) {
      return;
    }
    load.k += constant.k;
    constant.code = Statement.NONE;
    add.code = Statement.NONE;
    tax.code = Statement.NONE;
    progress.made();
  }

  /** An operation before a comparison for equality may be done to its constant in advance. */
  private void simplifyEquality(Block block, Statement last) {
    if (last.code == (ALU | SUB | Opcodes.X)) {
      int x = block.values[X];
      if (table.isConstant(x)) {
        block.k += table.constant(x);
      } else if (block.k == 0) {
        block.code = JMP | JEQ | Opcodes.X;
      } else {
        return;
      }
    } else if (last.code == (ALU | SUB | K)) {
      block.k += last.k;
    } else if (last.code == (ALU | AND | K) && block.k == 0) {
      block.k = last.k;
      block.code = JMP | JSET | K;
      Block jt = block.whenTrue.to;
      block.whenTrue.to = block.whenFalse.to;
      block.whenFalse.to = jt;
    } else {
      return;
    }
    last.code = Statement.NONE;
    progress.made();
  }

  private void simplifyJump(Block block) {
    if (block.code == (JMP | JSET | K)) {
      if (block.k == 0) {
        block.whenTrue.to = block.whenFalse.to;
      }
      if (block.k == -1) {
        block.whenFalse.to = block.whenTrue.to;
      }
    }
    int x = block.values[X];
    if (table.isConstant(x) && Opcodes.sourceOf(block.code) == Opcodes.X) {
      block.code &= ~Opcodes.X;
      block.k = table.constant(x);
    }
    int a = block.values[A];
    if (table.isConstant(a) && Opcodes.sourceOf(block.code) == K) {
      boolean holds = holds(block, table.constant(a));
      if (block.whenTrue.to != block.whenFalse.to) {
        progress.made();
      }
      if (holds) {
        block.whenFalse.to = block.whenTrue.to;
      } else {
        block.whenTrue.to = block.whenFalse.to;
      }
    }
  }

  private static boolean holds(Block block, int a) {
    return switch (Opcodes.operationOf(block.code)) {
      case JEQ -> a == block.k;
      case JGT -> Integer.compareUnsigned(a, block.k) > 0;
      case JGE -> Integer.compareUnsigned(a, block.k) >= 0;
      default -> (a & block.k) != 0;
    };
  }

  /** Takes out what sets a register that is set again, or ends, before it is used. */
  private void removeDeadStores(Block block) {
    @Nullable Statement[] last = new Statement[Registers.COUNT];
    for (Statement statement : block.statements) {
      use(last, RegisterUse.used(statement.code, statement.k));
      int set = RegisterUse.set(statement.code, statement.k);
      if (set != Registers.NONE) {
        Statement before = last[set];
        if (before != null) {
          progress.made();
          before.code = Statement.NONE;
        }
        last[set] = statement;
      }
    }
    use(last, RegisterUse.used(block.code, block.k));
    for (int register = 0; register < Registers.COUNT; register++) {
      Statement dead = last[register];
      if (dead != null && isUnusedBehind(block, register)) {
        dead.code = Statement.NONE;
        block.values[register] = ValueTable.UNKNOWN;
        progress.made();
      }
    }
  }

  private static void use(@Nullable Statement[] last, int register) {
    if (register == A_AND_X) {
      last[A] = null;
      last[X] = null;
    } else if (register != Registers.NONE) {
      last[register] = null;
    }
  }
}
