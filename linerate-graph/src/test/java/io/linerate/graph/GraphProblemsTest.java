package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.worker.Engine;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every wrong graph gets all its errors at once. */
class GraphProblemsTest {
  @Test
  void shouldHaveNothingAgainstTheEmptiestGraphThatDoesSomething() {
    assertThat(
            Graph.of(g -> g.chain(g.add("in", new FromPort("p")), g.add("end", new Discard())))
                .problems())
        .isEmpty();
  }

  @Test
  void shouldNameElementPortAndCureOfEverythingThatIsWrong() {
    List<GraphProblem> problems =
        Graph.of(
                g -> {
                  Node in = g.add("in", new FromPort("p"));
                  Node kind = g.add("kind", Classifier.of("arp 12/08zz", "rest -"));
                  g.chain(g.add("twice", new FromPort("q")), g.add("twice", new Discard()));
                  g.add("9", new Discard());
                  Node a = g.add("a", new Counter());
                  Node b = g.add("b", new Counter());
                  g.chain(in, kind.out("rest"), a, b, a);
                  g.chain(kind.out("ipx"), a);
                  g.chain(in, b);
                  g.connect("a", "out", "bb", "in");
                  g.add("again", new FromPort("p"));
                })
            .problems();
    assertThat(problems)
        .extracting(GraphProblem::toString)
        .containsExactlyInAnyOrder(
            "element name stands twice: element=twice; give each element its own name",
            "element has a bad name: element=9; a name is a letter, then at most 63 letters, digits, '-' and '_'",
            "element has no such output: element=kind, port=ipx; it has arp, rest",
            "no such element, at the edge a [out] -> [in] bb: element=bb; add it, or name another: b is meant?",
            "output is connected 2 times, with kind, b: element=in, port=out; put a Tee behind it if each is to get a copy",
            "output is not connected: element=kind, port=arp; lead it to an input, that of a Discard if its packets are not needed",
            "output is not connected: element=again, port=out; lead it to an input, that of a Discard if its packets are not needed",
            "input is not connected: element=9, port=in; lead an output to it",
            "not a clause (12/08zz): pattern=arp 12/08zz, element=kind; write NAME OFFSET/HEX..., such as arp 12/0806",
            "cycle without a queue: element=a -> b -> a; put a Queue into it, or take an edge away",
            "two readers of one receive queue: element=in, again, port=p; receive from it in one element, and use a Tee or a Classifier behind it");
  }

  @Test
  void shouldAddWhatIsWrongOnThisEngine() {
    Graph graph =
        Graph.of(g -> {
          Node in = g.add("in", new FromPort("eth0"));
          Node count = g.add("count", new Counter());
          Node out = g.add("out", new ToPort("null"));
          g.chain(in, count, out);
          g.chain(g.add("other", new FromPort("null")), g.add("unused", new Counter()));
          g.on(0, in).on(3, out);
        });
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      engine.port("eth1", "ring:eth1");
      engine.port("null", "pcap:tx=/dev/null");
      GraphException refused =
          catchThrowableOfType(GraphException.class, () -> GraphRunner.install(graph, engine));
      assertThat(refused.problems())
          .extracting(GraphProblem::toString)
          .containsExactlyInAnyOrder(
              "output is not connected: element=unused, port=out; lead it to an input, that of a Discard if its packets are not needed",
              "elements are connected, but on different workers ([0] and [3]): element=in, out; put a Queue between them, or place them on the same workers",
              "no such worker (3): element=out; the engine has [0, 1]; set workers=4",
              "engine has no such port: element=in, port=eth0; open it first; there are eth1, null: eth1 is meant?",
              "port has no receive queue (pcap:tx=/dev/null): element=other, port=null; give its address one, such as rx=PATH, or receive from another");
      assertThat(refused).hasMessageContaining("\n");
    }
  }
}
