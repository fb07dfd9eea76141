package io.linerate.graph;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds what of a running graph cannot be changed into another one while packets flow. */
record ChangeCheck(EngineCheck check, Graph before, Layout layoutBefore) {
  void run() {
    check.graph().elements().forEach(this::element);
    before.elements().forEach(this::crossingBefore);
    Map<String, String> receivers = receivers(check.graph());
    Map<String, String> receiversBefore = receivers(before);
    receiversBefore.forEach((port, element) -> {
      if (!receivers.containsKey(port)) {
        problem("port is received no longer", element, port, "keep an element that receives it");
      }
    });
    receivers.forEach((port, element) -> {
      if (!receiversBefore.containsKey(port)) {
        problem("port was not received before", element, port, "start with an element for it");
      }
    });
  }

  private static Map<String, String> receivers(Graph graph) {
    Map<String, String> receivers = new LinkedHashMap<>();
    for (PlacedElement placed : graph.elements()) {
      placed.element().shape().receives().forEach(port -> receivers.put(port, placed.name()));
    }
    return receivers;
  }

  private void element(PlacedElement placed) {
    Optional<PlacedElement> old = before.element(placed.name());
    if (crosses(placed) && (old.isEmpty() || !old.get().element().equals(placed.element()))) {
      problem(
          "queue between workers is new or has other parameters",
          placed.name(),
          "",
          "start with it: packets of the old way could be overtaken");
    }
    if (old.isPresent() && old.get().element().equals(placed.element()) && hasMoved(placed)) {
      problem(
          "element moves to another worker",
          placed.name(),
          "",
          "keep it on %s, or give it another name".formatted(layoutBefore.both(placed.name())));
    }
  }

  private void crossingBefore(PlacedElement old) {
    boolean crossed = !layoutBefore.inputs(old.name()).equals(layoutBefore.outputs(old.name()));
    if (crossed && check.graph().element(old.name()).isEmpty()) {
      problem(
          "queue between workers is missing",
          old.name(),
          "",
          "keep it: packets in it could be overtaken");
    }
  }

  private boolean crosses(PlacedElement placed) {
    return !check.layout().inputs(placed.name()).equals(check.layout().outputs(placed.name()));
  }

  private boolean hasMoved(PlacedElement placed) {
    String name = placed.name();
    return !check.layout().inputs(name).equals(left(layoutBefore.inputs(name)))
        || !check.layout().outputs(name).equals(left(layoutBefore.outputs(name)));
  }

  /** Without the workers that have been retired. */
  private Set<Integer> left(Set<Integer> before) {
    Set<Integer> left = new TreeSet<>(before);
    left.retainAll(check.workers());
    return left;
  }

  private void problem(String what, String element, String port, String cure) {
    check.add(new GraphProblem(what, element, port, cure));
  }
}
