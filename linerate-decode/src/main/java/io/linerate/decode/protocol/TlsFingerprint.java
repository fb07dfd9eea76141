package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Texts and hashes of what a hello offers, which tell one implementation of TLS from another: JA3
 * and JA3S (https://github.com/salesforce/ja3), and JA4 of clients
 * (https://github.com/FoxIO-LLC/ja4). They are computed only where they are wanted.
 */
final class TlsFingerprint {
  private static final Fields TLS = TlsProtocol.TLS.source("https://github.com/salesforce/ja3");
  private static final Field JA3_TEXT = TLS.floating("tls.handshake.ja3_full", 0, TEXT, "JA3 text");
  private static final Field JA3 = TLS.floating("tls.handshake.ja3", 0, TEXT, "JA3");
  private static final Field JA3S_TEXT =
      TLS.floating("tls.handshake.ja3s_full", 0, TEXT, "JA3S text");
  private static final Field JA3S = TLS.floating("tls.handshake.ja3s", 0, TEXT, "JA3S");
  private static final Field JA4 =
      TLS.source("https://github.com/FoxIO-LLC/ja4, technical details, JA4")
          .floating("tls.handshake.ja4", 0, TEXT, "JA4");
  private static final Field JA4_TEXT = TLS.floating("tls.handshake.ja4_r", 0, TEXT, "JA4 text");

  private static final int SUPPORTED_GROUPS = 10;
  private static final int POINT_FORMATS = 11;

  private TlsFingerprint() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  /**
   * Those of a client; the cursor is behind its hello, and stays.
   *
   * @param start offset of the hello's version
   */
  static void client(Dissection dissection, int start) {
    boolean isJa3 = dissection.wants(JA3) || dissection.wants(JA3_TEXT);
    boolean isJa4 = dissection.wants(JA4) || dissection.wants(JA4_TEXT);
    if (!isJa3 && !isJa4) {
      return;
    }
    TlsHello hello = new TlsHello(dissection, start);
    if (isJa3) {
      String text = ja3(hello);
      dissection.text(JA3_TEXT, text, 0, 0);
      dissection.text(JA3, hash("MD5", text), 0, 0);
    }
    if (isJa4) {
      dissection.text(JA4_TEXT, Ja4.of(hello, transport(dissection), true), 0, 0);
      dissection.text(JA4, Ja4.of(hello, transport(dissection), false), 0, 0);
    }
  }

  /** As {@link #client}, of a server. */
  static void server(Dissection dissection, int start) {
    if (dissection.wants(JA3S) || dissection.wants(JA3S_TEXT)) {
      String text = new TlsHello(dissection, start).serverText();
      dissection.text(JA3S_TEXT, text, 0, 0);
      dissection.text(JA3S, hash("MD5", text), 0, 0);
    }
  }

  private static char transport(Dissection dissection) {
    Layer outer = dissection.outer();
    return outer != null && outer.is(QuicProtocol.QUIC) ? 'q' : 't';
  }

  private static String ja3(TlsHello hello) {
    StringBuilder text = new StringBuilder().append(hello.version()).append(',');
    TlsHello.join(text, hello.ciphers(), 10, '-');
    text.append(',');
    TlsHello.join(text, hello.extensionTypes(), 10, '-');
    text.append(',');
    TlsHello.join(text, hello.list(SUPPORTED_GROUPS, 2, 2), 10, '-');
    text.append(',');
    TlsHello.join(text, hello.list(POINT_FORMATS, 1, 1), 10, '-');
    return text.toString();
  }

  /** A hash in hexadecimal. */
  static String hash(String algorithm, String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Java has no such hash: name=" + algorithm, e);
    }
  }
}
