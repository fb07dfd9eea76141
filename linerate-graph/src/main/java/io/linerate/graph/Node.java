package io.linerate.graph;

/**
 * A place in a graph while it is built: an element, the input by which it is entered and the output
 * by which it is left. Unless said otherwise, both are the first ones.
 *
 * @param input "" if the element has none
 * @param output "" if the element has none
 */
public record Node(String name, String input, String output) {
  /** The same element, entered by another input. */
  public Node in(String otherInput) {
    return new Node(name, otherInput, output);
  }

  /** The same element, left by another output. */
  public Node out(String otherOutput) {
    return new Node(name, input, otherOutput);
  }
}
