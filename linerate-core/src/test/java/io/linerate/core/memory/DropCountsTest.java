package io.linerate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DropCountsTest {
  @Test
  void shouldCountAnyNumberOfReasons() {
    DropCounts counts = new DropCounts();
    List<DropReason> reasons = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      reasons.add(DropReason.named("reason_" + i));
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 40; i++) {
        counts.add(reasons.get(i), i);
      }
    }
    assertThat(counts.size()).isEqualTo(40);
    assertThat(counts.reasons()).isEqualTo(reasons);
    assertThat(counts.of(reasons.get(39))).isEqualTo(3 * 39);
    assertThat(counts.count(39)).isEqualTo(3 * 39);
    assertThat(counts.total()).isEqualTo(3 * 39 * 40 / 2);
    assertThat(counts.of(DropReason.RULE)).isZero();
  }

  @Test
  void shouldTellReasonsOfOneNameApart() {
    DropCounts counts = new DropCounts();
    DropReason one = DropReason.named("same");
    DropReason other = DropReason.named("same");
    counts.add(one, 1);
    assertThat(counts.of(other)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upper", "1st", "with space", "dash-ed", "_x", "ümlaut"})
  void shouldRefuseNamesThatAreNoKeys(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> DropReason.named(name));
  }
}
