package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.Packet;
import io.linerate.graph.element.Capture;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Delay;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.ToPort;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GraphInvokerTest {
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2, 2};

  private static Graph between(String name, Element element) {
    return Graph.of(g ->
        g.chain(
            g.add("in", new FromPort("eth0")),
            g.add("count", new Counter()),
            g.add(name, element),
            g.add("out", new ToPort("eth1"))));
  }

  @Test
  void shouldPassBurstsOfPortsThroughTheGraph() {
    try (var invoker = new GraphInvoker(between("more", new Counter()), () -> 0)) {
      invoker.receive("eth0", ONE, TWO);
      assertThat(invoker.transmitted("eth1")).containsExactly(ONE, TWO);
      assertThat(invoker.transmitted("eth1")).isEmpty();
      assertThat(invoker.read("count.bytes").text()).isEqualTo("3");
      assertThat(invoker.counts()).containsOnlyKeys("in", "count", "more", "out");
      assertThat(invoker.counts().get("out").packetsOut()).isEqualTo(2);
    }
  }

  @Test
  void shouldDoInRoundsWhatIsDueAtTheTimeGiven() {
    long[] nowNs = {5_000};
    try (var invoker = new GraphInvoker(between("late", new Delay(100)), () -> nowNs[0])) {
      invoker.receive("eth0", ONE);
      nowNs[0] += 99;
      assertThat(invoker.round()).isZero();
      assertThat(invoker.transmitted("eth1")).isEmpty();
      nowNs[0]++;
      assertThat(invoker.round()).isEqualTo(1);
      assertThat(invoker.transmitted("eth1")).containsExactly(ONE);
    }
  }

  /** A pipeline, too: its queue has both sides here. */
  @Test
  void shouldRunAllElementsWhereverTheyArePlaced() {
    Graph pipeline =
        Graph.of(g -> {
          Node in = g.add("in", new FromPort("eth0"));
          Node out = g.add("out", new ToPort("eth1"));
          g.chain(in, g.add("queue", Queue.dropping(8)), out);
          g.on(1, in).on(2, out);
        });
    try (var invoker = new GraphInvoker(pipeline, () -> 0)) {
      invoker.receive("eth0", ONE, TWO);
      assertThat(invoker.transmitted("eth1")).isEmpty();
      invoker.round();
      assertThat(invoker.transmitted("eth1")).containsExactly(ONE, TWO);
    }
  }

  @Test
  void shouldKeepTheStateOfElementsThatStayWhenTheGraphChanges() {
    try (var invoker = new GraphInvoker(between("hold", Queue.dropping(8)), () -> 0)) {
      invoker.receive("eth0", ONE);
      invoker.change(between("pass", new Counter()));
      assertThat(invoker.transmitted("eth1")).containsExactly(ONE); // It was sent on before.
      invoker.receive("eth0", TWO);
      assertThat(invoker.transmitted("eth1")).containsExactly(TWO);
      assertThat(invoker.read("count.packets").sum()).isEqualTo(2);
      Graph wrong = Graph.of(g -> g.add("in", new FromPort("eth0")));
      assertThatThrownBy(() -> invoker.change(wrong)).isInstanceOf(GraphException.class);
      invoker.receive("eth0", ONE);
      assertThat(invoker.transmitted("eth1")).containsExactly(ONE);
    }
  }

  @Test
  void shouldRefuseWhatCannotBe() {
    assertThatThrownBy(() -> new GraphInvoker(Graph.of(_ -> {}), () -> 0).close())
        .isInstanceOf(GraphException.class)
        .hasMessageStartingWith("graph is empty");
    Graph missing = between("file", new Capture("/no/such/folder/file.pcap"));
    assertThatThrownBy(() -> new GraphInvoker(missing, () -> 0).close())
        .isInstanceOf(ConfigException.class);
    try (var invoker = new GraphInvoker(between("more", new Counter()), () -> 0)) {
      assertThatThrownBy(() -> invoker.receive("eth1", ONE))
          .hasMessage("graph receives from no such port: port=eth1; it has eth0");
      assertThatThrownBy(() -> invoker.transmitted("eth2"))
          .hasMessage("graph transmits to no such port: port=eth2; it has eth1");
      assertThatThrownBy(() -> invoker.receive("eth0", new byte[33][1]))
          .hasMessage("too many packets for one burst: packets=33, max=32");
      assertThatThrownBy(() -> invoker.read("none.packets")).isInstanceOf(ConfigException.class);
      Runnable receiving = () -> invoker.receive("eth0", ONE);
      assertThatThrownBy(() -> CompletableFuture.runAsync(receiving).join())
          .hasCauseInstanceOf(WrongThreadException.class);
    }
  }

  /** Loses what comes, by a fault of this package. */
  private record Thief() implements Element {
    @Override
    public void open(Wiring wiring) {
      PacketQueue queue = wiring.queue(1);
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              queue.add(packet);
              queue.ring().removeFirst();
            }
          });
    }
  }

  @Test
  void shouldSayAtItsEndThatPacketsAreMissing() {
    var invoker = new GraphInvoker(between("thief", new Thief()), () -> 0);
    invoker.receive("eth0", ONE);
    assertThatThrownBy(invoker::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("packets are missing: counts={")
        .hasMessageEndingWith(
            "pools with buffers missing=[received]; each packet is sent, dropped or stored");
  }
}
