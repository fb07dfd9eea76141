package io.linerate.filter.code;

import io.linerate.core.memory.LinkType;
import io.linerate.filter.BpfInstruction;
import io.linerate.filter.FilterException;
import io.linerate.filter.FilterOptions;
import io.linerate.filter.syntax.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles a syntax tree to instructions. */
public final class FilterCompiler {
  /** Blocks of a program that is made shorter: the time it takes grows with their square. */
  private static final int MAX_OPTIMISED_BLOCKS = 4_096;

  private static final int MAX_BLOCKS = 100_000;

  private FilterCompiler() {}

  /**
   * The instructions of a filter for packets that begin with a link type.
   *
   * @param expression its text, for messages
   * @param condition what it says, or null if it accepts all
   * @throws FilterException if it says nothing of such packets, or accepts none
   */
  public static List<BpfInstruction> compile(
      String expression, @Nullable Condition condition, LinkType type, FilterOptions options) {
    Emitter emitter = new Emitter(expression, type);
    if (!emitter.layout.isKnown) {
      throw emitter.unsupported("filters do not know such packets");
    }
    if (condition == null) {
      return Assembler.assemble(Block.returning(options.snapLengthBytes()));
    }
    Block root = new Generator(emitter, options).program(condition);
    emitter.at(1);
    int blocks = FlowGraph.postOrder(root, true).size();
    if (blocks > MAX_BLOCKS) {
      throw emitter.wrong(
          "the filter is too large: tests=%d, most=%d".formatted(blocks, MAX_BLOCKS));
    }
    if (options.optimises() && !emitter.hasJumpsInBlocks() && blocks <= MAX_OPTIMISED_BLOCKS) {
      root = Optimiser.optimise(root, emitter::wrong);
      if (root.isReturn() && root.k == 0) {
        throw emitter.wrong(
            "linktype=%s, the filter accepts no packet at all".formatted(type.name()));
      }
    }
    return Assembler.assemble(root);
  }
}
