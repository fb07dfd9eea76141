package io.linerate.filter.code;

import java.util.ArrayList;
import java.util.List;

/**
 * Blocks that say whether something holds of a packet: where to begin, and the edges that are left
 * when it holds and when it does not. What is made of a test is to be used in its place.
 */
final class Test {
  private final Block head;
  private final List<Edge> whenTrue;
  private final List<Edge> whenFalse;

  private Test(Block head, List<Edge> whenTrue, List<Edge> whenFalse) {
    this.head = head;
    this.whenTrue = whenTrue;
    this.whenFalse = whenFalse;
  }

  /** A single block: a jump behind statements. */
  static Test of(List<Statement> statements, int jump, int k) {
    Block block = new Block(statements, jump, k);
    List<Edge> whenTrue = new ArrayList<>(List.of(block.whenTrue));
    return new Test(block, whenTrue, new ArrayList<>(List.of(block.whenFalse)));
  }

  Block head() {
    return head;
  }

  /** Both hold, and the other is asked second. */
  Test and(Test second) {
    lead(whenTrue, second.head);
    whenFalse.addAll(second.whenFalse);
    return new Test(head, second.whenTrue, whenFalse);
  }

  /** One of both holds, and the other is asked second. */
  Test or(Test second) {
    lead(whenFalse, second.head);
    whenTrue.addAll(second.whenTrue);
    return new Test(head, whenTrue, second.whenFalse);
  }

  Test not() {
    return new Test(head, /* whenTrue= */ whenFalse, /* whenFalse= */ whenTrue);
  }

  /** Says where to go to in the end. */
  void end(Block ifTrue, Block ifFalse) {
    lead(whenTrue, ifTrue);
    lead(whenFalse, ifFalse);
  }

  private static void lead(List<Edge> edges, Block to) {
    for (Edge edge : edges) {
      edge.to = to;
    }
  }
}
