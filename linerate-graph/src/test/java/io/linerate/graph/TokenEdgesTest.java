package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.element.Discard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class TokenEdgesTest {
  /** Gives 0, 1, 2 and so on, some in each round. */
  private record Numbers(long count, int eachRound) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.tokenOutput("out", TokenType.LONGS);
    }

    @Override
    public void open(Wiring wiring) {
      AtomicLong next = new AtomicLong();
      wiring.linkRound(links -> new Giving(count, eachRound, next, links.longs("out")));
    }
  }

  private record Giving(long count, int eachRound, AtomicLong next, LongOutlet out)
      implements Round {
    @Override
    public int run() {
      long end = Math.min(count, next.get() + eachRound);
      int given = (int) (end - next.get());
      while (next.get() < end) {
        out.accept(next.getAndIncrement());
      }
      return given;
    }

    @Override
    public boolean isActive() {
      return next.get() < count;
    }
  }

  private record Mapped(LongUnaryOperator function) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.tokenInput("in", TokenType.LONGS).tokenOutput("out", TokenType.LONGS);
    }

    @Override
    public void open(Wiring wiring) {
      wiring.linkLongs(
          "in",
          links -> {
            LongOutlet out = links.longs("out");
            return token -> out.accept(function.applyAsLong(token));
          });
    }
  }

  private record Sorted(LongPredicate isBig) implements Element {
    private static final DropReason SMALL = DropReason.named("small");

    @Override
    public Shape shape() {
      return Shape.NONE
          .tokenInput("in", TokenType.LONGS)
          .tokenOutput("out", TokenType.LONGS)
          .optionalTokenOutput("texts", TokenType.of(String.class));
    }

    @Override
    public void open(Wiring wiring) {
      wiring.linkLongs(
          "in",
          links -> {
            LongOutlet out = links.longs("out");
            ObjectOutlet<String> texts = links.objects("texts", String.class);
            return token -> {
              if (isBig.test(token)) {
                out.accept(token);
              } else if (texts.isConnected()) {
                texts.accept(Long.toString(token));
              } else {
                wiring.dropToken(SMALL);
              }
            };
          });
    }
  }

  private record Kept(List<Long> all) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.tokenInput("in", TokenType.LONGS);
    }

    @Override
    public void open(Wiring wiring) {
      wiring.longs("in", all::add);
    }
  }

  private record KeptTexts(List<CharSequence> all) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.tokenInput("in", TokenType.of(CharSequence.class));
    }

    @Override
    public void open(Wiring wiring) {
      wiring.objects("in", CharSequence.class, all::add);
    }
  }

  @Test
  void shouldHandTokensFromElementToElement() {
    List<Long> kept = new ArrayList<>();
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("numbers", new Numbers(5, 3)),
                g.add("twice", new Mapped(n -> 2 * n)),
                g.add("more", new Mapped(n -> n + 1)),
                g.add("kept", new Kept(kept))));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      assertThat(invoker.round()).isEqualTo(3);
      assertThat(kept).containsExactly(1L, 3L, 5L);
      assertThat(invoker.round()).isEqualTo(2);
      assertThat(kept).containsExactly(1L, 3L, 5L, 7L, 9L);
      assertThat(invoker.counts().get("twice").tokens())
          .isEqualTo(new TokenCounts(5, 5, Map.of(), 0));
    }
  }

  @Test
  void shouldTakeOtherEdgesWhileItRuns() {
    List<Long> kept = new ArrayList<>();
    List<CharSequence> texts = new ArrayList<>();
    Numbers numbers = new Numbers(6, 2);
    Sorted sorted = new Sorted(n -> n % 2 == 1);
    Kept end = new Kept(kept);
    Graph before =
        Graph.of(g ->
            g.chain(
                g.add("numbers", numbers),
                g.add("sorted", sorted),
                g.add("more", new Mapped(n -> n + 100)),
                g.add("kept", end)));
    Graph after =
        Graph.of(g -> {
          Node some = g.add("sorted", sorted);
          g.chain(g.add("numbers", numbers), some, g.add("kept", end));
          g.chain(some.out("texts"), g.add("texts", new KeptTexts(texts)));
        });
    try (var invoker = new GraphInvoker(before, () -> 0)) {
      invoker.round();
      invoker.change(after);
      invoker.round();
      invoker.round();
      assertThat(kept).containsExactly(101L, 3L, 5L);
      assertThat(texts).containsExactly("2", "4");
      TokenCounts counts = invoker.counts().get("sorted").tokens();
      assertThat(counts.in()).isEqualTo(6);
      assertThat(counts.out()).isEqualTo(5);
      assertThat(counts.dropped()).containsExactly(Map.entry("small", 1L));
      assertThat(invoker.counts().get("kept").tokens().in()).isEqualTo(3);
    }
  }

  @Test
  void shouldCountATokenThatAHandlerThrowsAt() {
    List<Long> kept = new ArrayList<>();
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("numbers", new Numbers(3, 3)),
                g.add("inverse", new Mapped(n -> 6 / (n - 1))),
                g.add("kept", new Kept(kept))));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.round();
      assertThat(kept).containsExactly(-6L, 6L);
      assertThat(invoker.counts().get("inverse").tokens())
          .isEqualTo(new TokenCounts(3, 2, Map.of("handler_error", 1L), 0));
      assertThat(invoker.failure())
          .hasValueSatisfying(
              failure -> assertThat(failure).contains("element=inverse", "/ by zero"));
    }
  }

  @Test
  void shouldNameTheElementsOfAnEdgeWhoseTypesDiffer() {
    Graph graph =
        Graph.of(g -> {
          Node numbers = g.add("numbers", new Numbers(3, 3));
          g.chain(numbers, g.add("texts", new KeptTexts(List.of())));
          g.chain(g.add("more", new Numbers(1, 1)), g.add("end", new Discard()));
        });
    assertThat(graph.problems())
        .extracting(GraphProblem::toString)
        .containsExactly(
            "types of an edge differ (numbers gives long): element=texts, port=in; it takes CharSequence: put what converts them between, or lead another output to it",
            "types of an edge differ (more gives long): element=end, port=in; it takes packets: put what converts them between, or lead another output to it");
  }

  @Test
  void shouldRefuseAnotherThread() throws InterruptedException {
    List<LongOutlet> outlets = new ArrayList<>();
    record Leaking(List<LongOutlet> to) implements Element {
      @Override
      public Shape shape() {
        return Shape.NONE.optionalTokenOutput("out", TokenType.LONGS);
      }

      @Override
      public void open(Wiring wiring) {
        wiring.linkRound(links -> {
          to.add(links.longs("out"));
          return () -> 0;
        });
      }
    }
    Graph graph = Graph.of(g -> g.add("leaking", new Leaking(outlets)));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      Throwable[] thrown = new Throwable[1];
      Thread thread =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  outlets.getFirst().accept(1);
                } catch (Throwable e) {
                  thrown[0] = e;
                }
              });
      thread.join();
      assertThat(thrown[0]).isInstanceOf(WrongThreadException.class);
      outlets.getFirst().accept(1);
      assertThat(invoker.counts().get("leaking").tokens().dropped())
          .containsExactly(Map.entry("unconnected", 1L));
      assertThatThrownBy(() -> TokenType.of(int.class))
          .hasMessage("no tokens of this type: type=int; use long or double");
    }
  }
}
