package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class KeysTest {
  /** Doubled, so many texts have one hash. */
  private static final int DOUBLED = 10;

  /** How often keys were compared for being the same. */
  private long compared;

  /** A key whose hash somebody has chosen. */
  private final class Chosen implements Comparable<Chosen> {
    private final int number;
    private final int hash;

    Chosen(int number, int hash) {
      this.number = number;
      this.hash = hash;
    }

    @Override
    public boolean equals(Object other) {
      compared++;
      return other instanceof Chosen chosen && chosen.number == number;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public int compareTo(Chosen other) {
      return Integer.compare(number, other.number);
    }
  }

  private static Keys<Object> keys(int most) {
    return Keys.ofObjects(key -> key, UnaryOperator.identity(), WindowKeys.of(most));
  }

  /** 2 to the power of {@link #DOUBLED}. */
  private static List<String> textsOfOneHash() {
    List<String> texts = List.of("");
    for (int i = 0; i < DOUBLED; i++) {
      List<String> longer = new ArrayList<>();
      for (String text : texts) {
        longer.add(text + "Aa");
        longer.add(text + "BB");
      }
      texts = longer;
    }
    return texts;
  }

  @Test
  void shouldBeQuickWhateverTheHashesOfKeysOfSeveralClasses() {
    Keys<Object> keys = keys(1 << 20);
    List<String> texts = textsOfOneHash();
    texts.forEach(keys::number);
    int hash = texts.getFirst().hashCode();
    for (int i = 0; i < texts.size(); i++) {
      int number = keys.number(new Chosen(i, hash));
      assertThat(keys.number(new Chosen(i, hash))).isEqualTo(number);
    }
    assertThat(compared).isLessThan(20L * DOUBLED * texts.size());
    assertThat(keys.size()).isEqualTo(2 * texts.size());
  }

  @Test
  void shouldKeepNoKeyThatItHasForgotten() {
    Keys<Object> keys = keys(100);
    for (int i = 0; i < 50; i++) {
      assertThat(keys.number("key" + i)).isEqualTo(i);
    }
    keys.remove(7);
    assertThat(keys.key(7)).isNull();
    assertThat(keys.number("another")).isEqualTo(7);
    keys.clear();
    for (int i = 0; i < 50; i++) {
      assertThat(keys.key(i)).isNull();
    }
    assertThat(keys.number("key0")).isZero();
  }

  @Test
  void shouldHaveRoomAgainWhenKeysAreForgotten() {
    Keys<Object> keys =
        Keys.ofObjects(
            key -> key, UnaryOperator.identity(), WindowKeys.of(2).with(String.class, 1));
    for (int i = 0; i < 3; i++) {
      assertThat(keys.number("a")).isNotNegative();
      assertThat(keys.number("b")).isEqualTo(Keys.NONE);
      assertThat(keys.number(1)).isNotNegative();
      assertThat(keys.number(2L)).isNotNegative();
      assertThat(keys.number(3L)).isEqualTo(Keys.NONE);
      keys.remove(keys.number(2L));
      assertThat(keys.number(3L)).isNotNegative();
      assertThat(keys.size()).isEqualTo(3);
      keys.clear();
    }
  }
}
