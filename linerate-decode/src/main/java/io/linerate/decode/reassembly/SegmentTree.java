package io.linerate.decode.reassembly;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Segments by their place, of which no two overlap: none is further from the root than twice the
 * logarithm of their number, in whatever order they come. Source: Andersson, Balanced Search Trees
 * Made Simple (1993). It makes no object.
 */
final class SegmentTree {
  private final StreamMemory memory;
  private @Nullable Segment root;

  SegmentTree(StreamMemory memory) {
    this.memory = memory;
  }

  void clear() {
    root = null;
  }

  /** The first that ends behind a position; null if none does. */
  @Nullable Segment firstBehind(long position) {
    Segment found = null;
    Segment at = root;
    while (at != null) {
      memory.steps++;
      if (at.end > position) {
        found = at;
        at = at.left;
      } else {
        at = at.right;
      }
    }
    return found;
  }

  void add(Segment segment) {
    segment.left = null;
    segment.right = null;
    segment.level = 1;
    root = added(root, segment);
  }

  private Segment added(@Nullable Segment at, Segment segment) {
    memory.steps++;
    if (at == null) {
      return segment;
    }
    if (segment.start < at.start) {
      at.left = added(at.left, segment);
    } else {
      at.right = added(at.right, segment);
    }
    return split(skew(at));
  }

  /** Takes one out that is in the tree; its {@link Segment#next} has to be the next there is. */
  void remove(Segment segment) {
    root = removed(Objects.requireNonNull(root), segment);
  }

  private @Nullable Segment removed(Segment at, Segment segment) {
    memory.steps++;
    Segment top = at;
    if (segment.start < at.start) {
      at.left = removed(Objects.requireNonNull(at.left), segment);
    } else if (segment.start > at.start) {
      at.right = removed(Objects.requireNonNull(at.right), segment);
    } else if (at.left == null) {
      return at.right;
    } else {
      top = Objects.requireNonNull(at.next);
      top.right = removed(Objects.requireNonNull(at.right), top);
      top.left = at.left;
      top.level = at.level;
    }
    return balanced(top);
  }

  private static Segment balanced(Segment at) {
    int level = Math.min(level(at.left), level(at.right)) + 1;
    if (level < at.level) {
      at.level = level;
      if (at.right != null && level < at.right.level) {
        at.right.level = level;
      }
    }
    Segment top = skew(at);
    if (top.right != null) {
      top.right = skew(top.right);
      if (top.right.right != null) {
        top.right.right = skew(top.right.right);
      }
    }
    top = split(top);
    if (top.right != null) {
      top.right = split(top.right);
    }
    return top;
  }

  private static int level(@Nullable Segment at) {
    return at == null ? 0 : at.level;
  }

  private static Segment skew(Segment at) {
    Segment left = at.left;
    if (left == null || left.level != at.level) {
      return at;
    }
    at.left = left.right;
    left.right = at;
    return left;
  }

  private static Segment split(Segment at) {
    Segment right = at.right;
    if (right == null || right.right == null || right.right.level != at.level) {
      return at;
    }
    at.right = right.left;
    right.left = at;
    right.level++;
    return right;
  }
}
