package io.linerate.graph;

import io.linerate.core.config.NearestWord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds everything that is wrong with a graph by itself, and in which order packets pass it. */
final class GraphCheck {
  private static final String STEP = "[A-Za-z][A-Za-z0-9_-]{0,63}";

  /** A path for what is in parts. */
  private static final Pattern NAME = Pattern.compile(STEP + "(/" + STEP + ")*");

  private static final String OUTSIDE_CURE = "put the graph into another, or take the edge away";

  private final Graph graph;
  private final Map<String, PlacedElement> byName = new LinkedHashMap<>();

  private final Map<String, GraphPart> parts = new LinkedHashMap<>();

  /** Edges between elements, inputs and outputs that exist. */
  private final List<Edge> sound = new ArrayList<>();

  /**
   * Elements and parts that have a name of others, too: what is led to them may be meant for those.
   */
  private final Set<String> twice = new TreeSet<>();

  /** The same as the sound ones, and those that lead from or to the outside. */
  private final List<Edge> connected = new ArrayList<>();

  private final List<GraphProblem> problems = new ArrayList<>();
  private final List<String> order = new ArrayList<>();
  private final Stages stages;

  GraphCheck(Graph graph) {
    this.graph = graph;
    names();
    graph.edges().forEach(this::edge);
    graph.elements().forEach(this::ports);
    parameters();
    cycles();
    stages = new Stages(byName, sound);
    stages.check(problems);
  }

  List<GraphProblem> problems() {
    return List.copyOf(problems);
  }

  Stages stages() {
    return stages;
  }

  /** The elements, upstream first: as far as there are cycles, in the order of the graph. */
  List<PlacedElement> ordered() {
    return order.stream().map(this::element).toList();
  }

  private PlacedElement element(String name) {
    PlacedElement placed = byName.get(name);
    if (placed == null) {
      throw new IllegalStateException("no such element: element=" + name);
    }
    return placed;
  }

  private void names() {
    for (PlacedElement placed : graph.elements()) {
      if (!NAME.matcher(placed.name()).matches()) {
        problem(
            "element has a bad name",
            placed.name(),
            "",
            "a name is a letter, then at most 63 letters, digits, '-' and '_'");
      }
      if (byName.putIfAbsent(placed.name(), placed) != null && twice.add(placed.name())) {
        problem("element name stands twice", placed.name(), "", "give each element its own name");
      }
    }
    for (GraphPart part : graph.parts()) {
      if ((byName.containsKey(part.name()) || parts.putIfAbsent(part.name(), part) != null)
          && twice.add(part.name())) {
        problem("element name stands twice", part.name(), "", "give each element its own name");
      }
    }
    if (graph.elements().isEmpty()) {
      problem("graph is empty", "none", "", "add elements");
    }
  }

  private void edge(Edge edge) {
    boolean hasOutput = edge.isFromOutside() || hasPort(edge, edge.from(), true, edge.output());
    boolean hasInput = edge.isToOutside() || hasPort(edge, edge.to(), false, edge.input());
    if (edge.isFromOutside()) {
      problem("input of a graph that is in no other", edge.to(), edge.output(), OUTSIDE_CURE);
    }
    if (edge.isToOutside()) {
      problem("output of a graph that is in no other", edge.from(), edge.input(), OUTSIDE_CURE);
    }
    if (hasOutput && hasInput && hasOneType(edge)) {
      connected.add(edge);
      if (!edge.isFromOutside() && !edge.isToOutside()) {
        sound.add(edge);
      }
    }
  }

  private boolean hasOneType(Edge edge) {
    if (edge.isFromOutside() || edge.isToOutside()) {
      return true;
    }
    TokenType given = type(element(edge.from()).element().shape().findOutput(edge.output()));
    TokenType taken = type(element(edge.to()).element().shape().findInput(edge.input()));
    if (!taken.takes(given)) {
      problem(
          "types of an edge differ (%s gives %s)".formatted(edge.from(), given),
          edge.to(),
          edge.input(),
          "it takes %s: put what converts them between, or lead another output to it"
              .formatted(taken));
      return false;
    }
    return true;
  }

  private static TokenType type(Optional<ElementPort> port) {
    return port.map(ElementPort::type).orElse(TokenType.PACKETS);
  }

  private boolean hasPort(Edge edge, String name, boolean isOutput, String port) {
    PlacedElement placed = byName.get(name);
    GraphPart part = parts.get(name);
    if (placed != null) {
      Shape shape = placed.element().shape();
      List<ElementPort> ports = isOutput ? shape.outputs() : shape.inputs();
      return requireAmong(ElementPort.names(ports), name, isOutput, port);
    }
    // The builder leads edges through parts; it leaves those for which there is no input or output.
    if (part != null
        && !requireAmong(isOutput ? part.outputNames() : part.inputNames(), name, isOutput, port)) {
      return false;
    }
    Set<String> names = new LinkedHashSet<>(byName.keySet());
    names.addAll(parts.keySet());
    names.remove(name);
    problem(
        "no such element, at the edge " + edge,
        name,
        "",
        "add it, or name another" + nearest(name, names));
    return false;
  }

  private boolean requireAmong(List<String> ports, String name, boolean isOutput, String port) {
    if (ports.contains(port)) {
      return true;
    }
    if (twice.contains(name)) {
      return false;
    }
    String kind = isOutput ? "output" : "input";
    problem(
        "element has no such " + kind,
        name,
        port.isEmpty() ? "none" : port,
        ports.isEmpty() ? "it has no " + kind + " at all" : "it has " + String.join(", ", ports));
    return false;
  }

  private void ports(PlacedElement placed) {
    if (twice.contains(placed.name())) {
      return;
    }
    for (ElementPort port : placed.element().shape().inputs()) {
      if (!port.isOptional() && !isLed(placed.name(), false, port.name())) {
        unconnected(placed.name(), false, port.name(), "lead an output to it");
      }
    }
    placed.element().shape().inputs().stream()
        .filter(ElementPort::isAlternative)
        .findFirst()
        .filter(_ -> !hasAlternative(placed))
        .ifPresent(
            first -> unconnected(placed.name(), false, first.name(), "lead an output to it"));
    for (ElementPort port : placed.element().shape().outputs()) {
      List<Edge> edges = edges(placed.name(), true, port.name());
      if (!port.isOptional() && !isLed(placed.name(), true, port.name())) {
        unconnected(
            placed.name(),
            true,
            port.name(),
            "lead it to an input, that of a Discard if its packets are not needed");
      } else if (edges.size() > 1) {
        problem(
            "output is connected "
                + edges.size()
                + " times, with "
                + edges.stream().map(Edge::to).collect(Collectors.joining(", ")),
            placed.name(),
            port.name(),
            port.type().isPackets()
                ? "put a Tee behind it if each is to get a copy"
                : "put an element behind it that has an output for each");
      }
    }
  }

  private boolean hasAlternative(PlacedElement placed) {
    return placed.element().shape().inputs().stream()
        .anyMatch(port -> port.isAlternative() && isLed(placed.name(), false, port.name()));
  }

  /** What is hardly meant: inputs that nothing comes by, as far as that is allowed. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (PlacedElement placed : byName.values()) {
      for (ElementPort port : placed.element().shape().inputs()) {
        if (port.isOptional()
            && !port.isAlternative()
            && edges(placed.name(), false, port.name()).isEmpty()) {
          warnings.add(
              "no edge leads to the input, nothing comes by it: element=%s, input=%s; lead an output to it"
                  .formatted(placed.name(), port.name()));
        }
      }
    }
    return warnings;
  }

  /** Whether any edge is there: what is wrong with it is said of the edge. */
  private boolean isLed(String name, boolean isOutput, String port) {
    return graph.edges().stream().anyMatch(edge -> isAt(edge, name, isOutput, port));
  }

  private List<Edge> edges(String name, boolean isOutput, String port) {
    return connected.stream().filter(edge -> isAt(edge, name, isOutput, port)).toList();
  }

  /** What is an input or output of a part is known by that to who has put the part there. */
  private void unconnected(String name, boolean isOutput, String port, String cure) {
    String element = name;
    String shown = port;
    for (GraphPart part : parts.values()) {
      for (Edge way : isOutput ? part.outputs() : part.inputs()) {
        if (isAt(way, name, isOutput, port) && part.name().length() < element.length()) {
          element = part.name();
          shown = isOutput ? way.input() : way.output();
        }
      }
    }
    GraphProblem found =
        new GraphProblem(
            (isOutput ? "output" : "input") + " is not connected", element, shown, cure);
    if (!problems.contains(found)) {
      problems.add(found);
    }
  }

  private static boolean isAt(Edge edge, String name, boolean isOutput, String port) {
    return isOutput
        ? edge.from().equals(name) && edge.output().equals(port)
        : edge.to().equals(name) && edge.input().equals(port);
  }

  private void parameters() {
    Set<String> queues =
        byName.values().stream()
            .filter(placed -> placed.element().shape().isCrossing())
            .map(PlacedElement::name)
            .collect(Collectors.toCollection(TreeSet::new));
    for (PlacedElement placed : graph.elements()) {
      for (String sentence : placed.element().problems()) {
        int cure = sentence.indexOf("; ");
        problem(
            cure < 0 ? sentence : sentence.substring(0, cure),
            placed.name(),
            "",
            cure < 0
                ? "see " + placed.element().getClass().getName()
                : sentence.substring(cure + 2));
      }
      for (String queue : placed.watches()) {
        if (!queues.contains(queue)) {
          problem(
              "element watches the congestion of what is no queue (" + queue + ")",
              placed.name(),
              "",
              queues.isEmpty() ? "the graph has no queue" : "name one of " + queues);
        }
      }
    }
  }

  /**
   * Sorts the elements, upstream first (Kahn's algorithm). A cycle is entered by one of its
   * buffered elements; one that has none is an error.
   */
  private void cycles() {
    Map<String, Integer> open = new LinkedHashMap<>();
    byName.keySet().forEach(name -> open.put(name, 0));
    sound.forEach(edge -> open.merge(edge.to(), 1, Integer::sum));
    while (!open.isEmpty()) {
      String next =
          open.keySet().stream()
              .filter(name -> open.getOrDefault(name, 0) == 0)
              .findFirst()
              .or(() -> open.keySet().stream().filter(this::isBuffered).findFirst())
              .orElse(open.keySet().iterator().next());
      order.add(next);
      open.remove(next);
      sound.stream()
          .filter(edge -> edge.from().equals(next))
          .forEach(edge -> open.computeIfPresent(edge.to(), (_, count) -> count - 1));
    }
    List<Edge> direct = sound.stream().filter(edge -> !isBuffered(edge.to())).toList();
    reportCycles(byName.keySet(), direct);
  }

  private boolean isBuffered(String name) {
    return element(name).element().shape().isBuffered();
  }

  /** What leads only into cycles, or out, is taken away, then each cycle is followed once. */
  private void reportCycles(Set<String> left, List<Edge> direct) {
    Set<String> unseen = new LinkedHashSet<>(left);
    while (unseen.removeIf(
        name ->
            direct.stream().noneMatch(e -> e.from().equals(name) && unseen.contains(e.to()))
                || direct.stream()
                    .noneMatch(e -> e.to().equals(name) && unseen.contains(e.from())))) {
      // Until nothing changes.
    }
    Set<String> onCycles = Set.copyOf(unseen);
    while (!unseen.isEmpty()) {
      List<String> path = new ArrayList<>();
      String at = unseen.iterator().next();
      while (!path.contains(at)) {
        path.add(at);
        at = next(at, onCycles, direct);
      }
      List<String> cycle = path.subList(path.indexOf(at), path.size());
      problem(
          "cycle without a queue",
          String.join(" -> ", cycle) + " -> " + at,
          "",
          "put a Queue into it, or take an edge away");
      path.forEach(unseen::remove);
    }
  }

  private static String next(String name, Collection<String> among, List<Edge> direct) {
    return direct.stream()
        .filter(edge -> edge.from().equals(name) && among.contains(edge.to()))
        .map(Edge::to)
        .findFirst()
        .orElse(name);
  }

  private static String nearest(String typed, Collection<String> words) {
    return NearestWord.to(typed, words).map(word -> ": " + word + " is meant?").orElse("");
  }

  private void problem(String what, String element, String port, String cure) {
    problems.add(new GraphProblem(what, element, port, cure));
  }
}
