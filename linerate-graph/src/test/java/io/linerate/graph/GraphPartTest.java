package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.counter.Sample;
import io.linerate.core.worker.Engine;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.ToPort;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Graphs with inputs and outputs, in the place of elements of others. */
class GraphPartTest {
  /** Counts what begins with 1 and what begins with 2; the rest leaves by an output of its own. */
  private static Graph sorter() {
    return Graph.of(g -> {
      Node kind = g.add("kind", Classifier.of("one 0/01", "two 0/02", "rest -"));
      g.chain(g.input("in"), kind);
      g.chain(kind.out("one"), g.add("ones", new Counter()), g.output("out"));
      g.chain(kind.out("two"), g.add("twos", new Counter()), g.output("out"));
      g.chain(kind.out("rest"), g.output("rest"));
    });
  }

  private static Graph around(Graph part) {
    return Graph.of(g -> {
      Node sort = g.add("sort", part);
      g.chain(g.add("from", new FromPort("p")), sort, g.add("to", new ToPort("p")));
      g.chain(sort.out("rest"), g.add("other", new Discard()));
    });
  }

  private static List<String> edges(Graph graph) {
    return graph.edges().stream().map(Edge::toString).toList();
  }

  private static List<String> names(Graph graph) {
    return graph.elements().stream().map(PlacedElement::name).toList();
  }

  private static List<String> problems(Graph graph) {
    return graph.problems().stream().map(GraphProblem::toString).toList();
  }

  @Test
  void shouldBeTheElementsAndEdgesThatAreInIt() {
    assertThat(sorter().inputs()).containsExactly("in");
    assertThat(sorter().outputs()).containsExactly("out", "rest");
    Graph graph = around(sorter());
    assertThat(graph.problems()).isEmpty();
    assertThat(names(graph))
        .containsExactly("sort/kind", "sort/ones", "sort/twos", "from", "to", "other");
    assertThat(edges(graph))
        .containsExactlyInAnyOrder(
            "from [out] -> [in] sort/kind",
            "sort/kind [one] -> [in] sort/ones",
            "sort/kind [two] -> [in] sort/twos",
            "sort/ones [out] -> [in] to",
            "sort/twos [out] -> [in] to",
            "sort/kind [rest] -> [in] other");
  }

  @Test
  void shouldBePutIntoOneAnother() {
    Graph twice =
        Graph.of(g -> {
          Node first = g.add("first", sorter());
          Node second = g.add("second", sorter());
          g.chain(g.input("in"), first, second, g.output("out"));
          g.chain(first.out("rest"), g.output("rest"));
          g.chain(second.out("rest"), g.output("rest"));
        });
    Graph graph = around(twice);
    assertThat(graph.problems()).isEmpty();
    assertThat(edges(graph))
        .hasSize(11)
        .contains(
            "from [out] -> [in] sort/first/kind",
            "sort/first/ones [out] -> [in] sort/second/kind",
            "sort/first/twos [out] -> [in] sort/second/kind",
            "sort/second/twos [out] -> [in] to",
            "sort/first/kind [rest] -> [in] other",
            "sort/second/kind [rest] -> [in] other");
    assertThat(graph.parts())
        .extracting(GraphPart::name)
        .containsExactlyInAnyOrder("sort", "sort/first", "sort/second");
  }

  /** By the names of what is in a part that is in a part. */
  @Test
  void shouldBeConnectedByPath() {
    Graph open = Graph.of(g -> g.add("inner", sorter()));
    Graph graph =
        Graph.of(g -> {
          g.add("sort", open);
          g.add("end", new Discard());
          g.add("from", new FromPort("p"));
          g.connect("from", "out", "sort/inner", "in");
          g.connect("sort/inner/ones", "out", "end", "in");
          g.connect("sort/inner/twos", "out", "end", "in");
          g.connect("sort/inner", "rest", "end", "in");
        });
    assertThat(graph.problems()).isEmpty();
    assertThat(edges(graph))
        .contains("from [out] -> [in] sort/inner/kind", "sort/inner/kind [rest] -> [in] end");
    Graph byHand =
        new Graph(
            graph.elements(), List.of(new Edge("from", "out", "sort/inner", "in")), graph.parts());
    assertThat(problems(byHand))
        .contains(
            "no such element, at the edge from [out] -> [in] sort/inner: element=sort/inner; add it, or name another");
  }

  @Test
  void shouldCountAndReadByPath() {
    try (GraphInvoker invoker = new GraphInvoker(around(sorter()), () -> 0)) {
      invoker.receive("p", new byte[] {1}, new byte[] {2}, new byte[] {3}, new byte[] {1});
      assertThat(invoker.read("sort/ones.packets").text()).isEqualTo("2");
      assertThat(invoker.read("sort/twos.packets").text()).isEqualTo("1");
      assertThat(invoker.read("other.packets").text()).isEqualTo("1");
      assertThat(invoker.transmitted("p")).hasSize(3);
    }
  }

  @Test
  void shouldKeepTheStateOfEqualElementsInsideWhenTheGraphChanges() {
    Graph wider =
        Graph.of(g -> {
          Node sort = g.add("sort", sorter());
          Node rest = g.add("rest", new Counter());
          g.chain(g.add("from", new FromPort("p")), sort, g.add("to", new ToPort("p")));
          g.chain(sort.out("rest"), rest, g.add("other", new Discard()));
        });
    try (GraphInvoker invoker = new GraphInvoker(around(sorter()), () -> 0)) {
      invoker.receive("p", new byte[] {1}, new byte[] {2});
      invoker.change(wider);
      invoker.receive("p", new byte[] {1}, new byte[] {3});
      assertThat(invoker.read("sort/ones.packets").text()).isEqualTo("2");
      assertThat(invoker.read("sort/twos.packets").text()).isEqualTo("1");
      assertThat(invoker.read("rest.packets").text()).isEqualTo("1");
    }
  }

  @Test
  void shouldBeNamedByPathInDescriptionsAndSamples() {
    try (Engine engine = new Engine()) {
      engine.port("p", "ring:parts");
      GraphRunner runner = GraphRunner.install(around(sorter()), engine);
      assertThat(runner.description().elements())
          .extracting(ElementDescription::name)
          .contains("sort/kind", "sort/ones");
      assertThat(engine.samples())
          .filteredOn(sample -> sample.name().equals("linerate_element_info"))
          .extracting(Sample::labels)
          .anyMatch(labels -> labels.toString().contains("sort/twos"));
    }
  }

  @Test
  void shouldPlaceAllThatIsInIt() {
    Graph graph =
        Graph.of(g -> {
          Node sort = g.add("sort", sorter());
          Node sorted = g.add("sortable", new Counter());
          g.chain(sort, sorted);
          g.on(1, sort);
        });
    Map<String, Set<Integer>> workers =
        Map.of(
            "sort/kind",
            Set.of(1),
            "sort/ones",
            Set.of(1),
            "sort/twos",
            Set.of(1),
            "sortable",
            Set.of());
    assertThat(graph.elements())
        .allSatisfy(placed -> assertThat(placed.workers()).isEqualTo(workers.get(placed.name())));
    Graph again = Graph.of(g -> g.on(2, g.add("twice", graph)));
    assertThat(again.element("twice/sort/kind").orElseThrow().workers()).containsExactly(1, 2);
    assertThat(again.element("twice/sortable").orElseThrow().workers()).containsExactly(2);
  }

  /** Two stages; packets are dropped before the first while the queue between them is full. */
  private static Graph stages(Graph first) {
    return Graph.of(g -> {
      Node before = g.add("before", first);
      Node end = g.add("end", new Discard());
      g.chain(before, end);
      g.on(1, end);
    });
  }

  @Test
  void shouldRunOnTwoWorkersAndWatchTheQueueInside() {
    Graph first =
        Graph.of(g -> {
          Node from = g.add("from", new FromPort("p", List.of("queue")));
          g.chain(from, g.add("queue", new Queue(512)), g.output("out"));
          g.on(0, from);
        });
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      engine.port("p", "pcap:rx=../examples/captures/mixed.pcapng");
      GraphRunner runner = GraphRunner.install(stages(first), engine);
      assertThat(engine.run().failures()).isEmpty();
      assertThat(runner.counts("end").packetsIn())
          .isPositive()
          .isEqualTo(runner.counts("before/from").packetsOut());
      assertThat(runner.counts("before/queue").held()).isZero();
    }
  }

  @Test
  void shouldWatchNoQueueOfAnotherPart() {
    Graph first =
        Graph.of(g -> g.chain(g.add("from", new FromPort("p", List.of("queue"))), g.output("out")));
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("before", first),
                g.add("queue", new Queue(512)),
                g.add("end", new Discard())));
    assertThat(problems(graph))
        .containsExactly(
            "element watches the congestion of what is no queue (before/queue): element=before/from; name one of [queue]");
  }

  @Test
  void shouldLeadStraightThroughAPart() {
    Graph nothing = Graph.of(g -> g.chain(g.input("in"), g.output("out")));
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort("p")),
                g.add("nothing", nothing),
                g.add("again", nothing),
                g.add("end", new Discard())));
    assertThat(graph.problems()).isEmpty();
    assertThat(edges(graph)).containsExactly("from [out] -> [in] end");
    Graph circle =
        Graph.of(g -> {
          Node one = g.add("one", nothing);
          g.chain(g.add("from", new FromPort("p")), one, g.add("other", nothing), one);
        });
    assertThat(problems(circle))
        .containsExactly(
            "output is not connected: element=from, port=out; lead it to an input, that of a Discard if its packets are not needed");
  }

  @Test
  void shouldLeadThroughManyPartsOneAfterAnother() {
    Graph nothing = Graph.of(g -> g.chain(g.input("in"), g.output("out")));
    Graph graph =
        Graph.of(g -> {
          Node last = g.add("from", new FromPort("p"));
          for (int i = 0; i < 3_000; i++) {
            Node next = g.add("part" + i, nothing);
            g.chain(last, next);
            last = next;
          }
          g.chain(last, g.add("end", new Discard()));
        });
    assertThat(problems(graph)).isEmpty();
    assertThat(edges(graph)).containsExactly("from [out] -> [in] end");
  }

  /** Known by what its user has written. */
  @Test
  void shouldSayByItsOwnNamesWhatIsNotConnected() {
    Graph graph =
        Graph.of(g -> {
          Node sort =
              g.add(
                  "sort",
                  Graph.of(in -> {
                    Node inner = in.add("inner", sorter());
                    in.chain(in.input("enter"), inner, in.output("leave"));
                    in.chain(inner.out("rest"), in.output("rest"));
                  }));
          g.chain(g.add("from", new FromPort("p")), g.add("end", new Discard()));
          g.chain(sort.out("left"), g.add("count", new Counter()), sort.in("door"));
        });
    assertThat(problems(graph))
        .containsExactlyInAnyOrder(
            "element has no such output: element=sort, port=left; it has leave, rest",
            "element has no such input: element=sort, port=door; it has enter",
            "input is not connected: element=sort, port=enter; lead an output to it",
            "output is not connected: element=sort, port=leave; lead it to an input, that of a Discard if its packets are not needed",
            "output is not connected: element=sort, port=rest; lead it to an input, that of a Discard if its packets are not needed");
  }

  @Test
  void shouldNameThePathOfWhatIsWrongInside() {
    Graph broken =
        Graph.of(g -> {
          Node kind = g.add("kind", Classifier.of("one 0/0", "rest -"));
          g.chain(g.input("in"), kind);
          g.chain(kind.out("rest"), g.add("rest", new Discard()));
          g.chain(g.add("a", new Counter()), g.add("b", new Counter()), new Node("a", "in", ""));
        });
    Graph graph = Graph.of(g -> g.chain(g.add("from", new FromPort("p")), g.add("part", broken)));
    assertThat(problems(graph))
        .containsExactlyInAnyOrder(
            "not a clause (0/0): pattern=one 0/0, element=part/kind; write NAME OFFSET/HEX..., such as arp 12/0806",
            "output is not connected: element=part/kind, port=one; lead it to an input, that of a Discard if its packets are not needed",
            "cycle without a queue: element=part/a -> part/b -> part/a; put a Queue into it, or take an edge away");
  }

  @Test
  void shouldHaveANameOfItsOwn() {
    Graph graph =
        Graph.of(g -> {
          g.add("sort", sorter());
          g.add("sort", new Counter());
          g.add("9", sorter());
        });
    assertThat(problems(graph))
        .contains(
            "element name stands twice: element=sort; give each element its own name",
            "element has a bad name: element=9/kind; a name is a letter, then at most 63 letters, digits, '-' and '_'");
    Graph same = Graph.of(g -> g.chain(g.add("sort", sorter()), g.add("sort", sorter())));
    assertThat(problems(same))
        .contains("element name stands twice: element=sort; give each element its own name");
  }

  @Test
  void shouldNotRunByItself() {
    assertThat(problems(sorter()))
        .containsExactlyInAnyOrder(
            "input of a graph that is in no other: element=kind, port=in; put the graph into another, or take the edge away",
            "output of a graph that is in no other: element=ones, port=out; put the graph into another, or take the edge away",
            "output of a graph that is in no other: element=twos, port=out; put the graph into another, or take the edge away",
            "output of a graph that is in no other: element=kind, port=rest; put the graph into another, or take the edge away");
  }

  @Test
  void shouldEqualWhatIsMadeInTheSameWay() {
    assertThat(around(sorter())).isEqualTo(around(sorter()));
    assertThat(Map.of(around(sorter()), 1)).containsExactly(entry(around(sorter()), 1));
  }
}
