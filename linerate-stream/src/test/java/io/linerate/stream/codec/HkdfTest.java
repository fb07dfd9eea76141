package io.linerate.stream.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HkdfTest {
  @Test
  void shouldDeriveAsTheRfcsFirstCase() {
    assertCase(
        "0b".repeat(22),
        "000102030405060708090a0b0c",
        "f0f1f2f3f4f5f6f7f8f9",
        "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  }

  @Test
  void shouldDeriveAsTheRfcsSecondCaseWithLongInputs() {
    assertCase(
        range(0x00, 0x50),
        range(0x60, 0xB0),
        range(0xB0, 0x100),
        "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
            + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
            + "cc30c58179ec3e87c14c01d5c1f3434f1d87");
  }

  @Test
  void shouldDeriveAsTheRfcsThirdCaseWithoutSaltAndInfo() {
    assertCase(
        "0b".repeat(22),
        "",
        "",
        "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
  }

  @Test
  void shouldRefuseMoreThanTheRfcAllows() {
    assertThat(Hkdf.expand(new byte[32], new byte[0], Hkdf.MAX_BYTES)).hasSize(8160);
    for (int bytes : new int[] {0, Hkdf.MAX_BYTES + 1}) {
      assertThatThrownBy(() -> Hkdf.expand(new byte[32], new byte[0], bytes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("HKDF cannot derive so much: bytes=" + bytes);
    }
  }

  private static void assertCase(
      String secret, String salt, String info, String pseudorandomKey, String output) {
    byte[] extracted = Hkdf.extract(hex(salt), hex(secret));
    int bytes = output.length() / 2;

    assertThat(extracted).isEqualTo(hex(pseudorandomKey));
    assertThat(Hkdf.expand(extracted, hex(info), bytes)).isEqualTo(hex(output));
    assertThat(Hkdf.derive(hex(salt), hex(secret), hex(info), bytes)).isEqualTo(hex(output));
  }

  private static String range(int from, int to) {
    StringBuilder hex = new StringBuilder();
    IntStream.range(from, to).forEach(i -> hex.append("%02x".formatted(i)));
    return hex.toString();
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
