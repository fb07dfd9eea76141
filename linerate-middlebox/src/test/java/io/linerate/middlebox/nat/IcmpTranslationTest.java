package io.linerate.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of RFC 7915, sections 4.2 and 5.2. */
class IcmpTranslationTest {
  private final IcmpTranslation translation = new IcmpTranslation(1_500);

  private String made() {
    return "%d/%d %s"
        .formatted(
            translation.type(), translation.code(), Integer.toUnsignedString(translation.rest()));
  }

  @ParameterizedTest
  @CsvSource({
    "3, 0, 0, 1/0 0",
    "3, 1, 0, 1/0 0",
    "3, 2, 0, 4/1 6",
    "3, 3, 0, 1/4 0",
    "3, 4, 1400, 2/0 1420",
    "3, 4, 0, 2/0 1280",
    "3, 5, 0, 1/0 0",
    "3, 6, 0, 1/0 0",
    "3, 7, 0, 1/0 0",
    "3, 8, 0, 1/0 0",
    "3, 9, 0, 1/1 0",
    "3, 10, 0, 1/1 0",
    "3, 11, 0, 1/0 0",
    "3, 12, 0, 1/0 0",
    "3, 13, 0, 1/1 0",
    "3, 14, 0, ",
    "3, 15, 0, 1/1 0",
    "3, 16, 0, ",
    "4, 0, 0, ",
    "5, 0, 0, ",
    "11, 0, 99, 3/0 0",
    "11, 1, 0, 3/1 0",
    "12, 0, 0, 4/0 0",
    "12, 0, 16777216, 4/0 1",
    "12, 2, 33554432, 4/0 4",
    "12, 0, 67108864, ",
    "12, 0, 134217728, 4/0 7",
    "12, 0, 150994944, 4/0 6",
    "12, 0, 167772160, ",
    "12, 0, 201326592, 4/0 8",
    "12, 0, 318767104, 4/0 24",
    "12, 0, 335544320, ",
    "12, 1, 0, ",
    "12, 3, 0, ",
    "6, 0, 0, ",
  })
  void shouldCallErrorsAsIcmpv6Does(int type, int code, int rest, String made) {
    assertThat(translation.toIcmpv6(type, code, rest, 1_300)).isEqualTo(made != null);
    if (made != null) {
      assertThat(made()).isEqualTo(made);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, 3/1 0",
    "1, 1, 0, 3/10 0",
    "1, 2, 0, 3/1 0",
    "1, 3, 0, 3/1 0",
    "1, 4, 0, 3/3 0",
    "1, 5, 0, ",
    "2, 0, 1280, 3/4 1260",
    "2, 0, 9000, 3/4 1480",
    "2, 0, -1, 3/4 1480",
    "2, 0, 19, 3/4 0",
    "3, 0, 0, 11/0 0",
    "3, 1, 0, 11/1 0",
    "4, 0, 0, 12/0 0",
    "4, 0, 1, 12/0 16777216",
    "4, 0, 2, ",
    "4, 0, 3, ",
    "4, 0, 4, 12/0 33554432",
    "4, 0, 5, 12/0 33554432",
    "4, 0, 6, 12/0 150994944",
    "4, 0, 7, 12/0 134217728",
    "4, 0, 8, 12/0 201326592",
    "4, 0, 23, 12/0 201326592",
    "4, 0, 24, 12/0 268435456",
    "4, 0, 39, 12/0 268435456",
    "4, 0, 40, ",
    "4, 0, -1, ",
    "4, 1, 6, 3/2 0",
    "4, 1, -1, 3/2 0",
    "4, 2, 0, ",
    "5, 0, 0, ",
    "100, 0, 0, ",
  })
  void shouldCallErrorsAsIcmpDoes(int type, int code, int rest, String made) {
    assertThat(translation.toIcmp(type, code, rest)).isEqualTo(made != null);
    if (made != null) {
      assertThat(made()).isEqualTo(made);
    }
  }

  /** RFC 1191, section 7: who says no MTU has meant less than what was too long. */
  @ParameterizedTest
  @CsvSource({"1500, 1512", "1492, 1280", "2002, 1512", "9000, 8186", "65535, 9000", "68, 1280"})
  void shouldGuessWhatOldRoutersMean(int quotedBytes, int mtu) {
    IcmpTranslation wide = new IcmpTranslation(9_000);
    assertThat(wide.toIcmpv6(3, 4, 0, quotedBytes)).isTrue();
    assertThat(wide.rest()).isEqualTo(mtu);
  }
}
