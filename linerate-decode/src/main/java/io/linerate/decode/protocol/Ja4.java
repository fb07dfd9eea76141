package io.linerate.decode.protocol;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * JA4 of a client's hello: what can be read at once, then hashes of its cipher suites and of its
 * extensions, both sorted, with its signature algorithms.
 *
 * <p>As https://github.com/FoxIO-LLC/ja4 defines it in technical_details/JA4.md.
 */
final class Ja4 {
  private static final int SERVER_NAME = 0;
  private static final int SIGNATURE_ALGORITHMS = 13;
  private static final int APPLICATION_PROTOCOLS = 16;
  private static final int SUPPORTED_VERSIONS = 43;
  private static final int MOST = 99;
  private static final int HASH_DIGITS = 12;
  private static final String NO_HASH = "000000000000";

  private Ja4() {}

  /**
   * The fingerprint.
   *
   * @param transport t of TCP, q of QUIC, d of datagrams
   * @param isText whether what would be hashed is there instead of the hashes
   */
  static String of(TlsHello hello, char transport, boolean isText) {
    int[] ciphers = hello.ciphers();
    int[] extensions = hello.extensionTypes();
    StringBuilder text = new StringBuilder().append(transport).append(version(hello));
    text.append(hello.has(SERVER_NAME) ? 'd' : 'i');
    two(text, ciphers.length);
    two(text, extensions.length);
    protocol(text, hello.protocol());
    String sorted = sorted(ciphers, "");
    String others = sorted(rest(extensions), signatures(hello));
    return text.append('_')
        .append(isText ? sorted : hash(sorted, ciphers.length))
        .append('_')
        .append(isText ? others : hash(others, others.length()))
        .toString();
  }

  private static String version(TlsHello hello) {
    int best = 0;
    for (int version : hello.list(SUPPORTED_VERSIONS, 1, 2)) {
      best = Math.max(best, version);
    }
    return switch (best == 0 ? hello.version() : best) {
      case 0x0304 -> "13";
      case 0x0303 -> "12";
      case 0x0302 -> "11";
      case 0x0301 -> "10";
      case 0x0300 -> "s3";
      case 0x0002 -> "s2";
      case 0xFEFF -> "d1";
      case 0xFEFD -> "d2";
      case 0xFEFC -> "d3";
      default -> "00";
    };
  }

  private static void two(StringBuilder text, int count) {
    int shown = Math.min(count, MOST);
    text.append((char) ('0' + shown / 10)).append((char) ('0' + shown % 10));
  }

  /** Its first and last character; if one of them is no letter or digit, of its bytes in hex. */
  private static void protocol(StringBuilder text, byte @Nullable [] name) {
    if (name == null) {
      text.append("00");
      return;
    }
    int first = name[0] & 0xFF;
    int last = name[name.length - 1] & 0xFF;
    if (isAlphanumeric(first) && isAlphanumeric(last)) {
      text.append((char) first).append((char) last);
    } else {
      text.append(Character.forDigit(first >>> 4, 16)).append(Character.forDigit(last & 0xF, 16));
    }
  }

  private static boolean isAlphanumeric(int value) {
    return (value >= '0' && value <= '9')
        || (value >= 'A' && value <= 'Z')
        || (value >= 'a' && value <= 'z');
  }

  /** Without the server's name and the application's protocol, which the first part tells. */
  private static int[] rest(int[] extensions) {
    return Arrays.stream(extensions)
        .filter(type -> type != SERVER_NAME && type != APPLICATION_PROTOCOLS)
        .toArray();
  }

  private static String signatures(TlsHello hello) {
    StringBuilder text = new StringBuilder();
    TlsHello.join(text, hello.list(SIGNATURE_ALGORITHMS, 2, 2), 16, ',');
    return text.isEmpty() ? "" : "_" + text;
  }

  private static String sorted(int[] numbers, String more) {
    int[] copy = numbers.clone();
    Arrays.sort(copy);
    StringBuilder text = new StringBuilder();
    TlsHello.join(text, copy, 16, ',');
    return text.append(more).toString();
  }

  private static String hash(String text, int count) {
    return count == 0 ? NO_HASH : TlsFingerprint.hash("SHA-256", text).substring(0, HASH_DIGITS);
  }
}
