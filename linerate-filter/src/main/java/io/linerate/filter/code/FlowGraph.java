package io.linerate.filter.code;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a program, which has no loops, and what follows from how they lead to each other.
 */
final class FlowGraph {
  private static final int BITS = Integer.SIZE;

  Block root;
  final List<Block> blocks;

  /** By their numbers. */
  final Edge[] edges;

  private final int nodeWords;
  private final int edgeWords;

  /** The first block of each level: how many jumps are at most between it and the end. */
  private @Nullable Block[] levels = {};

  private int mark;

  FlowGraph(Block root) {
    this.root = root;
    blocks = numbered(root);
    int count = blocks.size();
    edges = new Edge[2 * count];
    nodeWords = count / BITS + 1;
    edgeWords = 2 * count / BITS + 1;
    for (int i = 0; i < count; i++) {
      Block block = blocks.get(i);
      block.dominators = new int[nodeWords];
      number(block.whenTrue, i);
      number(block.whenFalse, count + i);
    }
  }

  private void number(Edge edge, int id) {
    edge.id = id;
    edge.dominators = new int[edgeWords];
    edges[id] = edge;
  }

  /**
   * All blocks, each before those that it leads to when it is true, and these before the others.
   */
  private List<Block> numbered(Block first) {
    List<Block> all = new ArrayList<>();
    Deque<Block> open = new ArrayDeque<>();
    mark++;
    open.push(first);
    while (!open.isEmpty()) {
      Block block = open.pop();
      if (block.mark == mark) {
        continue;
      }
      block.mark = mark;
      block.id = all.size();
      all.add(block);
      if (!block.isReturn()) {
        open.push(Objects.requireNonNull(block.jf()));
        open.push(Objects.requireNonNull(block.jt()));
      }
    }
    return all;
  }

  /** Marks what can be reached. */
  void markReached() {
    for (Block block : blocks) {
      block.mark = 0;
    }
    Deque<Block> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      Block block = open.pop();
      if (block.mark == 0) {
        block.mark = 1;
        if (!block.isReturn()) {
          open.push(Objects.requireNonNull(block.jf()));
          open.push(Objects.requireNonNull(block.jt()));
        }
      }
    }
  }

  boolean isReached(Block block) {
    return block.mark != 0;
  }

  int highestLevel() {
    return root.level;
  }

  @Nullable Block first(int level) {
    return levels[level];
  }

  void findLevels() {
    levels = new Block[blocks.size()];
    for (Block block : postOrder(root, true)) {
      Block jt = block.jt();
      Block jf = block.jf();
      block.level = jt == null || jf == null ? 0 : Math.max(jt.level, jf.level) + 1;
      block.link = levels[block.level];
      levels[block.level] = block;
    }
  }

  /** All blocks, each behind those that it leads to. */
  static List<Block> postOrder(Block root, boolean trueFirst) {
    List<Block> done = new ArrayList<>();
    Deque<Block> open = new ArrayDeque<>();
    IdentityHashMap<Block, Integer> steps = new IdentityHashMap<>();
    open.push(root);
    steps.put(root, 0);
    while (!open.isEmpty()) {
      Block block = open.element();
      int step = steps.merge(block, 1, Integer::sum);
      if (block.isReturn() || step == 3) {
        done.add(open.pop());
        continue;
      }
      Block next = (step == 1) == trueFirst ? block.jt() : block.jf();
      if (steps.putIfAbsent(Objects.requireNonNull(next), 0) == null) {
        open.push(next);
      }
    }
    return done;
  }

  void findDominators() {
    for (Block block : blocks) {
      Arrays.fill(block.dominators, -1);
    }
    Arrays.fill(root.dominators, 0);
    for (int level = root.level; level >= 0; level--) {
      for (Block block = levels[level]; block != null; block = block.link) {
        insert(block.dominators, block.id);
        if (!block.isReturn()) {
          intersect(Objects.requireNonNull(block.jt()).dominators, block.dominators);
          intersect(Objects.requireNonNull(block.jf()).dominators, block.dominators);
        }
      }
    }
  }

  void findEdgeDominators() {
    for (Edge edge : edges) {
      Arrays.fill(edge.dominators, -1);
    }
    Arrays.fill(root.whenTrue.dominators, 0);
    Arrays.fill(root.whenFalse.dominators, 0);
    for (int level = root.level; level >= 0; level--) {
      for (Block block = levels[level]; block != null; block = block.link) {
        propagate(block.whenTrue);
        propagate(block.whenFalse);
      }
    }
  }

  private static void propagate(Edge edge) {
    insert(edge.dominators, edge.id);
    if (edge.to != null) {
      intersect(edge.to.whenTrue.dominators, edge.dominators);
      intersect(edge.to.whenFalse.dominators, edge.dominators);
    }
  }

  /** Links to each block the edges that lead to it, those of blocks near the end first. */
  void findInEdges() {
    for (Block block : blocks) {
      block.in = null;
    }
    for (int level = root.level; level > 0; level--) {
      for (Block block = levels[level]; block != null; block = block.link) {
        link(block.whenTrue);
        link(block.whenFalse);
      }
    }
  }

  private static void link(Edge edge) {
    Block to = Objects.requireNonNull(edge.to);
    edge.nextIn = to.in;
    to.in = edge;
  }

  /** Finds which registers are used behind each block. */
  void findUses() {
    for (int level = root.level; level >= 0; level--) {
      for (Block block = levels[level]; block != null; block = block.link) {
        RegisterUse.find(block);
        block.usedBehind = 0;
      }
    }
    for (int level = 1; level <= root.level; level++) {
      for (Block block = levels[level]; block != null; block = block.link) {
        block.usedBehind |=
            Objects.requireNonNull(block.jt()).used | Objects.requireNonNull(block.jf()).used;
        block.used |= block.usedBehind & ~block.killed;
      }
    }
  }

  static boolean contains(int[] set, int id) {
    return (set[id / BITS] & (1 << (id % BITS))) != 0;
  }

  private static void insert(int[] set, int id) {
    set[id / BITS] |= 1 << (id % BITS);
  }

  private static void intersect(int[] set, int[] other) {
    for (int i = 0; i < set.length; i++) {
      set[i] &= other[i];
    }
  }
}
