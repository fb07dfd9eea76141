package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.JA;
import static io.linerate.filter.code.Opcodes.JMP;

import io.linerate.filter.BpfInstruction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts blocks one behind the other. Conditional jumps reach 255 instructions: where that is not
 * enough, a jump that is not conditional follows them.
 */
final class Assembler {
  private static final int MAX_JUMP = 255;

  private final List<Block> blocks;
  private final BpfInstruction[] instructions;
  private boolean isTooFar;

  private Assembler(List<Block> blocks) {
    this.blocks = blocks;
    instructions = new BpfInstruction[blocks.stream().mapToInt(Assembler::size).sum()];
  }

  static List<BpfInstruction> assemble(Block root) {
    List<Block> blocks = FlowGraph.postOrder(root, false);
    while (true) {
      Assembler assembler = new Assembler(blocks);
      assembler.place();
      if (!assembler.isTooFar) {
        return Arrays.asList(assembler.instructions);
      }
    }
  }

  private static int size(Block block) {
    int count = 1 + (block.isFarWhenTrue ? 1 : 0) + (block.isFarWhenFalse ? 1 : 0);
    for (Statement statement : block.statements) {
      count += statement.isNone() ? 0 : 1;
    }
    return count;
  }

  /** From the end to the begin. */
  private void place() {
    int end = instructions.length;
    for (Block block : blocks) {
      end -= size(block);
      block.offset = end;
      place(block);
    }
  }

  private void place(Block block) {
    List<Statement> statements = new ArrayList<>(block.statements);
    statements.removeIf(Statement::isNone);
    int at = block.offset;
    for (int i = 0; i < statements.size(); i++) {
      instructions[at++] = inside(statements, i);
    }
    if (block.isReturn()) {
      instructions[at] = new BpfInstruction(block.code, 0, 0, block.k);
    } else {
      jump(block, at);
    }
  }

  private static BpfInstruction inside(List<Statement> statements, int i) {
    Statement statement = statements.get(i);
    boolean isConditional = Opcodes.classOf(statement.code) == JMP && statement.code != (JMP | JA);
    return isConditional
        ? new BpfInstruction(
            statement.code,
            distance(statements, i, statement.whenTrue),
            distance(statements, i, statement.whenFalse),
            statement.k)
        : new BpfInstruction(statement.code, 0, 0, statement.k);
  }

  private static int distance(List<Statement> statements, int from, @Nullable Statement to) {
    if (to == null) { // Behind all of them is the block's own jump.
      return statements.size() - from - 1;
    }
    for (int i = from + 1; i < statements.size(); i++) {
      if (statements.get(i) == to) {
        return i - from - 1;
      }
    }
    throw new IllegalStateException("a jump leads out of its block: at=" + from);
  }

  private void jump(Block block, int at) {
    int more = 0;
    int jt = Objects.requireNonNull(block.jt()).offset - at - 1;
    int jf = Objects.requireNonNull(block.jf()).offset - at - 1;
    if (jt > MAX_JUMP) {
      isTooFar |= !block.isFarWhenTrue;
      block.isFarWhenTrue = true;
    }
    if (jf > MAX_JUMP) {
      isTooFar |= !block.isFarWhenFalse;
      block.isFarWhenFalse = true;
    }
    if (isTooFar) {
      return; // All is placed anew.
    }
    if (block.isFarWhenTrue) {
      more++;
      instructions[at + more] = new BpfInstruction(JMP | JA, 0, 0, jt - more);
      jt = 0;
    }
    if (block.isFarWhenFalse) {
      more++;
      instructions[at + more] = new BpfInstruction(JMP | JA, 0, 0, jf - more);
      jf = more - 1;
    }
    instructions[at] = new BpfInstruction(block.code, jt, jf, block.k);
  }
}
