package io.linerate.graph;

import java.util.List;

/**
 * An operation on packets: its parameters, and what it does with a burst.
 *
 * <p>An element is a value, best a record: two that are equal are of the same class and have the
 * same parameters, and where a running graph is replaced by one that has an equal element of the
 * same name, that element goes on with its state. State is never in the element itself: {@link
 * #open} makes it, once for each worker, so that no two threads share it.
 *
 * <pre>{@code
 * public record MinLength(int minBytes) implements Element {
 *   private static final DropReason TOO_SHORT = DropReason.named("too_short");
 *
 *   public void open(Wiring wiring) {
 *     wiring.each("in", packet -> {
 *       if (packet.length() < minBytes) {
 *         packet.drop(TOO_SHORT);
 *       }
 *     }, wiring.output("out"));
 *   }
 * }
 * }</pre>
 */
public interface Element {
  /**
   * Its inputs and outputs, and what else the check of a graph needs to know. Always the same: one
   * input {@code in} and one output {@code out} unless an element says something else.
   */
  default Shape shape() {
    return Shape.inOut();
  }

  /**
   * Makes the element's state on one worker, and says what is done with the bursts of each input.
   *
   * <p>Called before packets come, not on the worker's thread; everything that is registered with
   * the wiring is called on the worker's thread only.
   *
   * @throws io.linerate.core.config.ConfigException if the machine does not have what it needs,
   *     such as a file
   */
  void open(Wiring wiring);

  /**
   * What is wrong with its parameters: sentences of the form {@code what is wrong: name=value; what
   * to write instead}. They are reported with everything else that is wrong in the graph.
   */
  default List<String> problems() {
    return List.of();
  }
}
