package io.linerate.decode.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.ByteView;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of https://github.com/FoxIO-LLC/ja4, technical_details/JA4.md. */
class Ja4Test {
  private static final String CIPHERS =
      "130113021303c02bc02fc02cc030cca9cca8c013c014009c009d002f0035";
  private static final String TYPES =
      "001b 0000 0033 0010 4469 0017 002d 000d 0005 0023 0012 002b ff01 000b 000a 0015";
  private static final String SIGNATURES = "04030804040105030805050108060601";

  /** A hello without its header, of a client that has the extensions. */
  private static TlsHello hello(String ciphers, String extensions) {
    ByteBuffer out = ByteBuffer.allocate(2_048);
    out.putShort((short) 0x0303).put(new byte[32]).put((byte) 0);
    byte[] suites = HexFormat.of().parseHex(ciphers);
    out.putShort((short) suites.length).put(suites).put((byte) 1).put((byte) 0);
    byte[] more = HexFormat.of().parseHex(extensions);
    out.putShort((short) more.length).put(more);
    return new TlsHello(ByteView.of(out.array(), out.position()), 0, out.position());
  }

  private static String extension(String type, String content) {
    return type + "%04x".formatted(content.length() / 2) + content;
  }

  private static String protocol(String hex) {
    int bytes = hex.length() / 2;
    return "%04x%02x%s".formatted(bytes + 1, bytes, hex);
  }

  private static String content(String type) {
    return switch (type) {
      case "0010" -> protocol("6832");
      case "000d" -> "0010" + SIGNATURES;
      case "002b" -> "062a2a03040303";
      default -> "";
    };
  }

  /** Those of the example, with values among them that have no meaning. */
  private static String extensions() {
    StringBuilder all = new StringBuilder(extension("4a4a", ""));
    for (String type : TYPES.split(" ", -1)) {
      all.append(extension(type, content(type)));
    }
    return all.append(extension("8a8a", "00")).toString();
  }

  @Test
  void shouldTellTheFingerprintOfTheExample() {
    TlsHello hello = hello("3a3a" + CIPHERS, extensions());
    assertThat(Ja4.of(hello, 't', false)).isEqualTo("t13d1516h2_8daaf6152771_e5627efa2ab1");
    assertThat(Ja4.of(hello, 't', true))
        .isEqualTo(
            "t13d1516h2"
                + "_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9"
                + "_0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01"
                + "_0403,0804,0401,0503,0805,0501,0806,0601");
  }

  @Test
  void shouldTellTheTransport() {
    TlsHello hello = hello(CIPHERS, extensions());
    assertThat(Ja4.of(hello, 'q', false)).isEqualTo("q13d1516h2_8daaf6152771_e5627efa2ab1");
  }

  @Test
  void shouldLeaveOutSignatureAlgorithmsThatAreNotThere() {
    String extensions = extensions().replace(extension("000d", "0010" + SIGNATURES), "000d0000");
    assertThat(Ja4.of(hello(CIPHERS, extensions), 't', false))
        .isEqualTo("t13d1516h2_8daaf6152771_6d807ffa2a79");
  }

  @Test
  void shouldTellNothingByZeros() {
    assertThat(Ja4.of(hello("", ""), 't', false)).isEqualTo("t12i000000_000000000000_000000000000");
  }

  @Test
  void shouldCountTo99() {
    assertThat(Ja4.of(hello("c02b".repeat(120), ""), 't', false)).startsWith("t12i990000_");
  }

  @ParameterizedTest
  @CsvSource({
    "6832, h2",
    "687474702f312e31, h1",
    "61, aa",
    "AB, ab",
    "ABCD, ad",
    "30AB, 3b",
    "3031ABCD, 3d",
    "30ABCD31, 01"
  })
  void shouldTellTheFirstAndLastOfTheProtocol(String protocol, String told) {
    String extensions = extension("0010", protocol(protocol));
    assertThat(Ja4.of(hello(CIPHERS, extensions), 't', false)).startsWith("t12i1501" + told + "_");
  }
}
