package io.linerate.filter.code;

import io.linerate.filter.FilterException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes programs shorter. It is libpcap's algorithm, step by step: McCanne and Jacobson, The BSD
 * Packet Filter, 1993, and Begel, McCanne and Graham, BPF+, 1999. So a program has the same
 * instructions as libpcap's.
 */
final class Optimiser {
  /** Passes in a row that only move edges: more than that go round in a circle. */
  private static final int MAX_MOVES = 100;

  private final FlowGraph graph;
  private final ValueTable table = new ValueTable();
  private final Progress progress = new Progress();
  private final BlockOptimiser blocks;
  private final BranchOptimiser branches;

  private Optimiser(Block root, Function<String, FilterException> wrong) {
    graph = new FlowGraph(root);
    blocks = new BlockOptimiser(table, new StatementFolder(table, progress, wrong), progress);
    branches = new BranchOptimiser(graph, progress);
  }

  /**
   * The first block of the shorter program.
   *
   * @param wrong makes what to throw where an operation turns out to be impossible
   */
  static Block optimise(Block root, Function<String, FilterException> wrong) {
    Optimiser optimiser = new Optimiser(root, wrong);
    optimiser.repeat(false);
    optimiser.repeat(true);
    optimiser.mergeEqualBlocks();
    return optimiser.withoutVoidTests();
  }

  private void repeat(boolean alters) {
    int moves = 0;
    do {
      progress.begin();
      graph.findLevels();
      graph.findDominators();
      graph.findUses();
      graph.findEdgeDominators();
      pass(alters);
      moves = progress.isMoreThanMoves() ? 0 : moves + 1;
    } while (progress.isMade() && moves < MAX_MOVES);
  }

  private void pass(boolean alters) {
    table.clear();
    graph.findInEdges();
    for (int level = graph.highestLevel(); level >= 0; level--) {
      for (Block block = graph.first(level); block != null; block = block.link) {
        blocks.optimise(block, alters);
      }
    }
    if (!alters) {
      branches.optimise();
    }
  }

  private void mergeEqualBlocks() {
    boolean isChanged = true;
    while (isChanged) {
      for (Block block : graph.blocks) {
        block.link = null;
      }
      graph.markReached();
      for (int i = graph.blocks.size() - 2; i >= 0; i--) {
        Block block = graph.blocks.get(i);
        if (graph.isReached(block)) {
          block.link = equal(block, i + 1);
        }
      }
      isChanged = false;
      for (Block block : graph.blocks) {
        isChanged |= replace(block.whenTrue);
        isChanged |= replace(block.whenFalse);
      }
    }
  }

  private @Nullable Block equal(Block block, int from) {
    for (int i = from; i < graph.blocks.size(); i++) {
      Block other = graph.blocks.get(i);
      if (graph.isReached(other) && areEqual(block, other)) {
        return other.link == null ? other : other.link;
      }
    }
    return null;
  }

  private static boolean replace(Edge edge) {
    if (edge.to == null || edge.to.link == null) {
      return false;
    }
    edge.to = edge.to.link;
    return true;
  }

  private static boolean areEqual(Block a, Block b) {
    return a.code == b.code
        && a.k == b.k
        && a.jt() == b.jt()
        && a.jf() == b.jf()
        && areEqual(a.statements, b.statements);
  }

  private static boolean areEqual(List<Statement> a, List<Statement> b) {
    int j = 0;
    for (Statement statement : a) {
      if (statement.isNone()) {
        continue;
      }
      while (j < b.size() && b.get(j).isNone()) {
        j++;
      }
      if (j == b.size() || b.get(j).code != statement.code || b.get(j).k != statement.k) {
        return false;
      }
      j++;
    }
    while (j < b.size() && b.get(j).isNone()) {
      j++;
    }
    return j == b.size();
  }

  /** Leaves out tests at the begin that lead to the same block in any case. */
  private Block withoutVoidTests() {
    Block first = graph.root;
    List<Statement> statements = new ArrayList<>(first.statements);
    first.statements = new ArrayList<>();
    while (!first.isReturn() && first.jt() == first.jf()) {
      first = Objects.requireNonNull(first.jt());
    }
    statements.addAll(first.statements);
    first.statements = first.isReturn() ? new ArrayList<>() : statements;
    return first;
  }
}
