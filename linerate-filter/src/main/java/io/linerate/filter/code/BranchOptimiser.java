package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.JEQ;
import static io.linerate.filter.code.Opcodes.JMP;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Registers.A;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Leads edges past tests whose results are known where they come from, and sorts tests. */
final class BranchOptimiser {
  private final FlowGraph graph;
  private final Progress progress;

  BranchOptimiser(FlowGraph graph, Progress progress) {
    this.graph = graph;
    this.progress = progress;
  }

  void optimise() {
    int highest = graph.highestLevel();
    for (int level = 1; level <= highest; level++) {
      for (Block block = graph.first(level); block != null; block = block.link) {
        shorten(block.whenTrue);
        shorten(block.whenFalse);
      }
    }
    graph.findInEdges();
    for (int level = 1; level <= highest; level++) {
      for (Block block = graph.first(level); block != null; block = block.link) {
        pullUp(block, true);
        pullUp(block, false);
      }
    }
  }

  private void shorten(Edge edge) {
    Block to = Objects.requireNonNull(edge.to);
    if (to.isReturn()) {
      return;
    }
    Block jt = Objects.requireNonNull(to.jt());
    if (jt == to.jf() && !conflicts(edge.from, jt)) {
      progress.made();
      edge.to = jt;
    }
    boolean isMoved = true;
    while (isMoved && !Objects.requireNonNull(edge.to).isReturn()) {
      isMoved = passKnownTest(edge);
    }
  }

  /** Leads an edge past a block whose result an edge before it decides. */
  private boolean passKnownTest(Edge edge) {
    Block to = Objects.requireNonNull(edge.to);
    for (int i = 0; i < edge.dominators.length; i++) {
      for (int bits = edge.dominators[i]; bits != 0; bits &= bits - 1) {
        int id = i * Integer.SIZE + Integer.numberOfTrailingZeros(bits);
        Block target = known(to, graph.edges[id]);
        if (target != null && !conflicts(edge.from, target)) {
          progress.moved();
          edge.to = target;
          return true;
        }
      }
    }
    return false;
  }

  /** Where a block leads to for those that have come over an edge, or null, if it does not say. */
  private static @Nullable Block known(Block block, Edge passed) {
    boolean isTrue = passed.code >= 0;
    int code = isTrue ? passed.code : -passed.code;
    if (block.code != code || block.values[A] != passed.from.values[A]) {
      return null;
    }
    if (block.operand == passed.from.operand) {
      return isTrue ? block.jt() : block.jf();
    }
    // A is equal to one constant, and so not to another: they have other numbers.
    return isTrue && code == (JMP | JEQ | K) ? block.jf() : null;
  }

  /** Whether a block uses behind it what has another value in the other. */
  private static boolean conflicts(Block block, Block successor) {
    for (int used = successor.usedBehind; used != 0; used &= used - 1) {
      int register = Integer.numberOfTrailingZeros(used);
      if (block.values[register] != successor.values[register]) {
        return true;
      }
    }
    return false;
  }

  /** The way that leads on through a chain of tests, of which one, or each, has to hold. */
  private static Edge onward(Block block, boolean isOr) {
    return isOr ? block.whenFalse : block.whenTrue;
  }

  /** The way that leaves it. */
  private static @Nullable Block exit(Block block, boolean isOr) {
    return isOr ? block.jt() : block.jf();
  }

  /**
   * Pulls a test up to others of the same value, past tests of other values that stand between:
   * {@code A = 1 or B = 1 or A = 2} becomes {@code A = 1 or A = 2 or B = 1}.
   */
  private void pullUp(Block block, boolean isOr) {
    Edge in = block.in;
    if (in == null) {
      return;
    }
    int value = in.from.values[A];
    for (Edge edge = in.nextIn; edge != null; edge = edge.nextIn) {
      if (edge.from.values[A] != value) {
        return;
      }
    }
    Edge other = in.from.jt() == block ? in.from.whenTrue : in.from.whenFalse;
    boolean isAtTop = true;
    while (true) {
      Block at = other.to;
      if (at == null || !isOfChain(at, block, isOr)) {
        return;
      }
      if (at.values[A] != value) {
        break;
      }
      other = onward(at, isOr);
      isAtTop = false;
    }
    Edge same = onward(Objects.requireNonNull(other.to), isOr);
    while (true) {
      Block at = same.to;
      if (at == null || !isOfChain(at, block, isOr)) {
        return;
      }
      if (at.values[A] == value) {
        break;
      }
      same = onward(at, isOr);
    }
    move(block, isOr, other, same, isAtTop);
  }

  private static boolean isOfChain(Block at, Block block, boolean isOr) {
    return exit(at, isOr) == exit(block, isOr) && FlowGraph.contains(at.dominators, block.id);
  }

  private void move(Block block, boolean isOr, Edge other, Edge same, boolean isAtTop) {
    Block pulled = Objects.requireNonNull(same.to);
    same.to = onward(pulled, isOr).to;
    onward(pulled, isOr).to = other.to;
    if (isAtTop) {
      for (Edge edge = block.in; edge != null; edge = edge.nextIn) {
        Edge leading = edge.from.jt() == block ? edge.from.whenTrue : edge.from.whenFalse;
        leading.to = pulled;
      }
    } else {
      other.to = pulled;
    }
    progress.moved();
    graph.findDominators();
  }
}
