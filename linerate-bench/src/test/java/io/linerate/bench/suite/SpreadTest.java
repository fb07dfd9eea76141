package io.linerate.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void shouldFindMedianAndSpreadWhateverTheOrder() {
    Spread spread = new Spread(4, 1, 3, 2, 5);
    assertThat(spread.min()).isEqualTo(1);
    assertThat(spread.median()).isEqualTo(3);
    assertThat(spread.max()).isEqualTo(5);
    assertThat(spread.relativeSpread()).isEqualTo(2.0 / 3);
    assertThat(new Spread(1, 2).median()).isEqualTo(1.5);
  }

  @Test
  void shouldDividePairByPair() {
    assertThat(new Spread(1, 4, 9).dividedBy(new Spread(1, 2, 3)).samples())
        .containsExactly(1, 2, 3);
    Spread three = new Spread(1, 2, 3);
    assertThatThrownBy(() -> three.dividedBy(new Spread(1)))
        .hasMessage("not pairs: samples=3, others=1");
  }
}
