package io.linerate.graph;

import java.util.List;
import java.util.stream.Collectors;

/** A graph cannot run. The message has a line for everything that is wrong with it. */
public final class GraphException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<GraphProblem> problems;

  GraphException(List<GraphProblem> problems) {
    super(problems.stream().map(GraphProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<GraphProblem> problems() {
    return problems;
  }
}
