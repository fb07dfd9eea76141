package io.linerate.apps.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.apps.measure.ThroughputSearch.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThroughputSearchTest {
  private static final double LINE = 10e6;

  private static Answer search(double capacity, double first) {
    return new ThroughputSearch(rate -> rate <= capacity ? rate : 0, 0.01, LINE).search(first);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 1e7",
    "100, 200",
    "12345, 1e7",
    "999999, 1e7",
    "999999, 1e6",
    "3141592, 1e6",
    "9999999, 3e6"
  })
  void shouldFindWhatADeviceCanDo(double capacity, double first) {
    Answer answer = search(capacity, first);
    assertThat(answer.pps()).isBetween(capacity * 0.989, capacity);
    assertThat(answer.limit()).isEqualTo(Limit.DEVICE);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e6, 9e6, 10e6, 11e6})
  void shouldTryNoMoreThanTheLine(double first) {
    List<Double> rates = new ArrayList<>();
    ThroughputSearch search =
        new ThroughputSearch(
            rate -> {
              rates.add(rate);
              return rate;
            },
            0.01,
            LINE);
    assertThat(search.search(first)).isEqualTo(new Answer(LINE, Limit.LINE));
    assertThat(rates.getLast()).isEqualTo(LINE);
    assertThat(rates).isSorted();
  }

  @Test
  void shouldSayThatTheSenderReachesNoMore() {
    ThroughputSearch search =
        new ThroughputSearch(rate -> Math.min(rate, 1.3e6), 0.01, Double.POSITIVE_INFINITY);
    assertThat(search.search(1.2e6)).isEqualTo(new Answer(1.3e6, Limit.SENDER));
    assertThat(search.search(1.3e6)).isEqualTo(new Answer(1.3e6, Limit.SENDER));
  }

  @Test
  void shouldEndWhenNothingPasses() {
    assertThat(search(0, LINE)).isEqualTo(new Answer(0, Limit.DEVICE));
  }

  @Test
  void shouldAnswerWhatWasReallySent() {
    Answer answer =
        new ThroughputSearch(rate -> rate <= 4e6 ? 0.99 * rate : 0, 0.001, LINE).search(LINE);
    assertThat(answer.pps()).isBetween(0.99 * 3.99e6, 0.99 * 4e6);
  }
}
