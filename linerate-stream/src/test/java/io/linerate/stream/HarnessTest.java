package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.graph.Graph;
import io.linerate.testkit.graph.ElementHarness;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Actors without ports, engines and threads, as elements have it. */
class HarnessTest {
  private static final Graph EVEN =
      Streams.graph(s -> {
        Split<LongTokens> parts = s.longsIn("numbers").split("split", n -> n % 2 == 0);
        parts.matching().mapToDouble("half", n -> n / 2.0).out("halves");
        parts.rest().mapToObject("text", String.class, n -> 100 / (n - 7) + "").out("odd");
      });

  @Test
  void shouldFeedActorsAndShowWhatTheyMake() {
    try (var harness = new ElementHarness(EVEN)) {
      harness.give(1L, 2L, 3L, 4L);
      assertThat(harness.tokens("halves")).containsExactly(1.0, 2.0);
      assertThat(harness.tokens("odd")).containsExactly("-16", "-25");
      assertThat(harness.tokens("odd")).isEmpty();
    }
  }

  @Test
  void shouldShowWhatAnActorHasThrown() {
    try (var harness = new ElementHarness(EVEN)) {
      harness.giveTo("numbers", 7L, 8L);
      assertThat(harness.tokens("halves")).containsExactly(4.0);
      assertThat(harness.counts().tokens().dropped()).isEqualTo(Map.of("handler_error", 1L));
      assertThat(harness.failure().orElseThrow()).contains("element=subject/text", "/ by zero");
    }
  }

  @Test
  void shouldRefuseTokensThatTheInputDoesNotTake() {
    try (var harness = new ElementHarness(EVEN)) {
      assertThatThrownBy(() -> harness.give(2L, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "input takes no such tokens: input=numbers, takes=long, given=java.lang.Integer, token=1; write numbers as 1L");
      assertThatThrownBy(() -> harness.giveTo("numbers", "x"))
          .hasMessageContaining("takes=long, given=java.lang.String, token=x");
      assertThat(harness.tokens("halves")).isEmpty();
    }
    Graph texts =
        Streams.graph(
            s -> s.objectsIn("in", String.class).mapToLong("n", String::length).out("out"));
    try (var harness = new ElementHarness(texts)) {
      assertThatThrownBy(() -> harness.give(1L))
          .hasMessageContaining("takes=String, given=java.lang.Long")
          .hasMessageContaining("write objects of that class");
    }
  }

  @Test
  void shouldPutAGraphOfActorsIntoOthers() {
    Graph twice =
        Streams.graph(s -> {
          var inner = s.graph().add("inner", EVEN);
          s.longsIn("in").to(inner);
          s.doubles(inner.out("halves")).map("square", x -> x * x).out("squares");
          s.objects(inner.out("odd"), String.class).filter("none", _ -> false).out("odd");
        });
    try (var harness = new ElementHarness(twice)) {
      harness.give(6L, 9L);
      assertThat(harness.tokens("squares")).containsExactly(9.0);
      assertThat(harness.tokens("odd")).isEmpty();
    }
  }
}
