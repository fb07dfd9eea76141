package io.linerate.filter.code;

import org.jspecify.annotations.Nullable;

/** One of the two ways out of a block. */
final class Edge {
  final Block from;

  /** Null until it is known, and of a block that returns. */
  @Nullable Block to;

  int id;

  /** Code of the block's jump; negative, if this is the way that it goes when its test fails. */
  int code;

  /** Edges that one has to pass before this, as bits. */
  int[] dominators = {};

  /** The next that leads to the same block. */
  @Nullable Edge nextIn;

  Edge(Block from) {
    this.from = from;
  }
}
