package io.linerate.graph;

/**
 * Something that is wrong with a graph.
 *
 * @param what in a few words
 * @param element names the element, or all elements concerned
 * @param port its input or output, or the port of the engine; "" if it is none
 * @param cure what to do
 */
public record GraphProblem(String what, String element, String port, String cure) {
  @Override
  public String toString() {
    String where = port.isEmpty() ? "" : ", port=" + port;
    String separator = what.contains(": ") ? ", " : ": ";
    return what + separator + "element=" + element + where + "; " + cure;
  }
}
