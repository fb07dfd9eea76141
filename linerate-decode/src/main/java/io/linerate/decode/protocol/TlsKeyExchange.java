package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;

/**
 * The messages that exchange keys up to TLS 1.2. What they are depends on the cipher suite, which
 * another packet has: here their own lengths tell as much as they can.
 */
final class TlsKeyExchange {
  private static final Fields TLS = TlsProtocol.TLS.source("RFC 8422, section 5.4");
  private static final Field CURVE_TYPE = field("server_curve_type", 8, HEX, "Curve type");
  private static final Field CURVE =
      TLS.floating("tls.handshake.server_named_curve", 16, HEX, "Curve", TlsNames.GROUPS);
  private static final Field SERVER_POINT_LENGTH =
      field("server_point_len", 8, DECIMAL, "Point length");
  private static final Field SERVER_POINT = field("server_point", 0, BYTES, "Point");
  private static final Field CLIENT_POINT_LENGTH =
      field("client_point_len", 8, DECIMAL, "Point length");
  private static final Field CLIENT_POINT = field("client_point", 0, BYTES, "Point");
  private static final Field PRIME_LENGTH =
      TLS.source("RFC 5246, section 7.4.3")
          .floating("tls.handshake.p_len", 16, DECIMAL, "Prime length");
  private static final Field PRIME = field("p", 0, BYTES, "Prime");
  private static final Field GENERATOR_LENGTH = field("g_len", 16, DECIMAL, "Generator length");
  private static final Field GENERATOR = field("g", 0, BYTES, "Generator");
  private static final Field PUBLIC_LENGTH = field("ys_len", 16, DECIMAL, "Public value length");
  private static final Field PUBLIC = field("ys", 0, BYTES, "Public value");
  private static final Field HINT_LENGTH =
      TLS.source("RFC 4279, section 2").floating("tls.handshake.hint_len", 16, DECIMAL, "Length");
  private static final Field HINT = field("hint", 0, BYTES, "Identity hint");
  private static final Field SIGNATURE_LENGTH =
      TLS.source("RFC 5246, section 7.4.3")
          .floating("tls.handshake.sig_len", 16, DECIMAL, "Signature length");
  private static final Field SIGNATURE = field("sig", 0, BYTES, "Signature");
  private static final Field VERIFY_LENGTH =
      TLS.source("RFC 5246, section 7.4.8")
          .floating("tls.handshake.client_cert_vrfy.sig_len", 16, DECIMAL, "Signature length");
  private static final Field VERIFY = field("client_cert_vrfy.sig", 0, BYTES, "Signature");
  private static final Field OTHER =
      TLS.source("RFC 5246, section 7.4.7")
          .floating("tls.handshake.key_exchange", 0, BYTES, "Keys");

  private static final int NAMED_CURVE = 3;

  private TlsKeyExchange() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static Field field(String name, int bits, Kind kind, String label) {
    return TLS.floating("tls.handshake." + name, bits, kind, label);
  }

  /** Says what the server's parameters are, which are all that is left. */
  static void server(Dissection dissection, boolean hasAlgorithm) {
    int left = dissection.left();
    if (left >= 4 && dissection.u8(0) == NAMED_CURVE && dissection.u8(3) <= left - 4) {
      dissection.add(CURVE_TYPE);
      dissection.add(CURVE);
      TlsHandshake.bytes(dissection, SERVER_POINT_LENGTH, SERVER_POINT);
      signature(dissection, hasAlgorithm, SIGNATURE_LENGTH, SIGNATURE);
    } else if (left >= 2 && dissection.u16(0) == left - 2) {
      TlsHandshake.bytes(dissection, HINT_LENGTH, HINT);
    } else if (isGroup(dissection)) {
      TlsHandshake.bytes(dissection, PRIME_LENGTH, PRIME);
      TlsHandshake.bytes(dissection, GENERATOR_LENGTH, GENERATOR);
      TlsHandshake.bytes(dissection, PUBLIC_LENGTH, PUBLIC);
      signature(dissection, hasAlgorithm, SIGNATURE_LENGTH, SIGNATURE);
    } else {
      dissection.add(OTHER, left);
    }
  }

  /** Whether three values follow each other, each behind its length. */
  private static boolean isGroup(Dissection dissection) {
    int at = 0;
    for (int i = 0; i < 3; i++) {
      if (!dissection.has(at + 2) || dissection.u16(at) == 0) {
        return false;
      }
      at += 2 + dissection.u16(at);
    }
    return dissection.has(at);
  }

  private static void signature(
      Dissection dissection, boolean hasAlgorithm, Field length, Field data) {
    if (dissection.left() == 0) {
      return;
    }
    if (hasAlgorithm) {
      TlsExtensions.signatureAlgorithm(dissection);
    }
    TlsHandshake.bytes(dissection, length, data);
  }

  /** Says what the client's signature is, which is all that is left. */
  static void verify(Dissection dissection, boolean hasAlgorithm) {
    signature(dissection, hasAlgorithm, VERIFY_LENGTH, VERIFY);
  }

  /** Says what the client's parameters are, which are all that is left. */
  static void client(Dissection dissection) {
    int left = dissection.left();
    if (left > 1 && dissection.u8(0) == left - 1) {
      TlsHandshake.bytes(dissection, CLIENT_POINT_LENGTH, CLIENT_POINT);
    } else if (left > 0) {
      dissection.add(OTHER, left);
    }
  }
}
