package io.linerate.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
  void shouldSayHowFarSamplesAreApart() {
    assertThat(new Spread(1.1, 0.9, 1, 1, 1).relativeRange()).isCloseTo(0.2, within(1e-12));
    assertThat(new Spread(2).relativeRange()).isZero();
    assertThat(new Spread(1, 0, 0).relativeRange()).isInfinite();
  }

  @Test
  void shouldFindTheMedianOfEachGroup() {
    assertThat(new Spread(3, 1, 2, 30, 10, 20).medians(2).samples()).containsExactly(2, 20);
    assertThat(new Spread(3, 1, 2).medians(1).samples()).containsExactly(2);
    Spread five = new Spread(1, 2, 3, 4, 5);
    assertThatThrownBy(() -> five.medians(2))
        .hasMessage("not groups of one size: samples=5, groups=2");
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
