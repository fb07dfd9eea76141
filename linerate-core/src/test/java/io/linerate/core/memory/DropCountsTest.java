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
    assertThat(counts.of(DropReason.MALFORMED)).isZero();
  }

  @Test
  void shouldCountReasonsOfOneNameTogether() {
    DropCounts counts = new DropCounts();
    for (int i = 0; i < 10_000; i++) {
      counts.add(DropReason.named("same"), 1);
    }
    assertThat(counts.size()).isEqualTo(1);
    assertThat(counts.of(DropReason.named("same"))).isEqualTo(10_000);
  }

  @Test
  void shouldMoveWhatWasCountedAndBeginAnew() {
    DropCounts whole = new DropCounts();
    DropCounts target = new DropCounts(whole);
    DropCounts counts = new DropCounts();
    target.add(DropReason.MALFORMED, 1);
    counts.add(DropReason.CONSUMED, 2);
    counts.moveTo(target);
    counts.add(DropReason.MALFORMED, 4);
    counts.moveTo(target);
    assertThat(counts.total()).isZero();
    assertThat(target.of(DropReason.CONSUMED)).isEqualTo(2);
    assertThat(target.of(DropReason.MALFORMED)).isEqualTo(5);
    assertThat(whole.total()).isEqualTo(7);
  }

  @Test
  void shouldCountWhatIsTooManyReasonsAsOther() {
    DropCounts counts = new DropCounts();
    for (int i = 0; i < 1_000; i++) {
      counts.add(DropReason.named("reason_" + i % 500), 1);
    }
    assertThat(counts.size()).isEqualTo(DropCounts.MAX_REASONS);
    assertThat(counts.of(DropReason.named("reason_0"))).isEqualTo(2);
    assertThat(counts.of(DropReason.OTHER)).isEqualTo(1_000 - 2 * (DropCounts.MAX_REASONS - 1));
    assertThat(counts.total()).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upper", "1st", "with space", "dash-ed", "_x", "ümlaut"})
  void shouldRefuseNamesThatAreNoKeys(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> DropReason.named(name));
  }
}
