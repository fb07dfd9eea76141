package io.linerate.graph;

/** What leaves one element by an output enters another by an input. */
public record Edge(String from, String output, String to, String input) {
  /** As Click writes it: {@code from [output] -> [input] to}. */
  @Override
  public String toString() {
    return from + " [" + output + "] -> [" + input + "] " + to;
  }
}
