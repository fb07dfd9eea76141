package io.linerate.graph;

/**
 * What leaves one element by an output enters another by an input. An edge may also lead from an
 * input of the graph itself to an element, or from an element to an output of the graph, for graphs
 * that are put into others: see {@link GraphBuilder#input}.
 */
public record Edge(String from, String output, String to, String input) {
  /** In place of the name of an element: what is outside of the graph. */
  public static final String OUTSIDE = "";

  boolean isFromOutside() {
    return from.equals(OUTSIDE);
  }

  boolean isToOutside() {
    return to.equals(OUTSIDE);
  }

  /** As Click writes it: {@code from [output] -> [input] to}. */
  @Override
  public String toString() {
    return from + " [" + output + "] -> [" + input + "] " + to;
  }
}
