package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FewInTurnTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 4_096})
  void shouldCompareAFewHoweverManyThereAreAndEachInItsTurn(int size) {
    FewInTurn many = new FewInTurn(size);
    Set<Integer> seen = new HashSet<>();
    int[] compared = {0};
    int rounds = Math.ceilDiv(size, FewInTurn.FEW);
    for (int i = 0; i < rounds; i++) {
      many.reduce((_, next) -> {
        seen.add(next);
        compared[0]++;
        return next;
      });
    }
    assertThat(compared[0]).isEqualTo(rounds * Math.min(size, FewInTurn.FEW));
    assertThat(seen).hasSize(size);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void shouldReturnWhatWasChosenLast(int size) {
    FewInTurn many = new FewInTurn(size);
    assertThat(many.reduce((chosen, _) -> chosen)).isEqualTo(FewInTurn.NONE);
    assertThat(many.reduce((_, next) -> next)).isBetween(0, size - 1);
  }
}
