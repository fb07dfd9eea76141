package io.linerate.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.graph.Graph;
import io.linerate.stream.Aggregate;
import io.linerate.stream.Streams;
import io.linerate.stream.Window;
import io.linerate.testkit.graph.ElementHarness;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WordCountsTest {
  private static final Window<String> SECOND = Window.tumbling(Duration.ofSeconds(1));

  private static final Graph COUNTS =
      Streams.graph(s ->
          s.objectsIn("in", String.class)
              .keyBy(Character.class, word -> word.charAt(0))
              .window("counts", SECOND, Aggregate.count())
              .results()
              .map("text", String.class, result -> result.key() + "=" + result.value())
              .out("out"));

  @Test
  void shouldCountWordsByTheirFirstLetterInEachSecond() {
    try (var harness = new ElementHarness(COUNTS)) {
      harness.give("two", "three");
      assertThat(harness.tokens("out")).isEmpty();
      harness.advance(SECOND.sizeNs());
      assertThat(harness.tokens("out")).containsExactly("t=2");
      harness.giveTo("in", "one");
      harness.end(); // So do the windows.
      assertThat(harness.tokens("out")).containsExactly("o=1");
    }
  }

  @Test
  void shouldDropWordsWithoutALetter() {
    try (var harness = new ElementHarness(COUNTS)) {
      harness.give("");
      assertThat(harness.counts().tokens().dropped()).isEqualTo(Map.of("handler_error", 1L));
      assertThat(harness.failure()).hasValueSatisfying(text -> assertThat(text).contains("counts"));
    }
  }
}
