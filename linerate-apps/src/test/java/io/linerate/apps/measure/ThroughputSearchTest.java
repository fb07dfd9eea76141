package io.linerate.apps.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThroughputSearchTest {
  private static double search(double capacity, double most, double resolution) {
    return new ThroughputSearch(rate -> rate <= capacity ? rate : 0, resolution).search(most);
  }

  @ParameterizedTest
  @ValueSource(doubles = {100, 12_345, 999_999, 3_141_592, 9_999_999})
  void shouldFindWhatADeviceCanDo(double capacity) {
    assertThat(search(capacity, 10e6, 0.01)).isBetween(capacity * 0.989, capacity);
  }

  @Test
  void shouldTryNoMoreThanTheMost() {
    List<Double> rates = new ArrayList<>();
    double found =
        new ThroughputSearch(
                rate -> {
                  rates.add(rate);
                  return rate;
                },
                0.01)
            .search(5e6);
    assertThat(found).isEqualTo(5e6);
    assertThat(rates).containsExactly(5e6);
  }

  @Test
  void shouldEndWhenNothingPasses() {
    assertThat(search(0, 10e6, 0.01)).isZero();
  }

  @Test
  void shouldAnswerWhatWasReallySent() {
    double found = new ThroughputSearch(rate -> rate <= 4e6 ? 0.99 * rate : 0, 0.001).search(10e6);
    assertThat(found).isBetween(0.99 * 3.99e6, 0.99 * 4e6);
  }
}
