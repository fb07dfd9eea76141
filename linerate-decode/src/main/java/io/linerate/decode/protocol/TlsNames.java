package io.linerate.decode.protocol;

import io.linerate.decode.ValueNames;
import java.util.Map;

/** Names of the values of TLS: https://www.iana.org/assignments/tls-parameters. */
final class TlsNames {
  static final ValueNames VERSIONS =
      ValueNames.of(
          Map.of(
              0x0300,
              "SSL 3.0",
              0x0301,
              "TLS 1.0",
              0x0302,
              "TLS 1.1",
              0x0303,
              "TLS 1.2",
              0x0304,
              "TLS 1.3",
              0xFEFF,
              "DTLS 1.0",
              0xFEFD,
              "DTLS 1.2",
              0xFEFC,
              "DTLS 1.3"));

  static final ValueNames ALERTS =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(0, "close notify"),
              Map.entry(10, "unexpected message"),
              Map.entry(20, "bad record MAC"),
              Map.entry(22, "record overflow"),
              Map.entry(40, "handshake failure"),
              Map.entry(42, "bad certificate"),
              Map.entry(43, "unsupported certificate"),
              Map.entry(44, "certificate revoked"),
              Map.entry(45, "certificate expired"),
              Map.entry(46, "certificate unknown"),
              Map.entry(47, "illegal parameter"),
              Map.entry(48, "unknown CA"),
              Map.entry(49, "access denied"),
              Map.entry(50, "decode error"),
              Map.entry(51, "decrypt error"),
              Map.entry(70, "protocol version"),
              Map.entry(71, "insufficient security"),
              Map.entry(80, "internal error"),
              Map.entry(86, "inappropriate fallback"),
              Map.entry(90, "user canceled"),
              Map.entry(109, "missing extension"),
              Map.entry(110, "unsupported extension"),
              Map.entry(112, "unrecognized name"),
              Map.entry(116, "certificate required"),
              Map.entry(120, "no application protocol")));

  static final ValueNames MESSAGES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(0, "hello request"),
              Map.entry(1, "client hello"),
              Map.entry(2, "server hello"),
              Map.entry(3, "hello verify request"),
              Map.entry(4, "new session ticket"),
              Map.entry(5, "end of early data"),
              Map.entry(8, "encrypted extensions"),
              Map.entry(11, "certificate"),
              Map.entry(12, "server key exchange"),
              Map.entry(13, "certificate request"),
              Map.entry(14, "server hello done"),
              Map.entry(15, "certificate verify"),
              Map.entry(16, "client key exchange"),
              Map.entry(20, "finished"),
              Map.entry(21, "certificate URL"),
              Map.entry(22, "certificate status"),
              Map.entry(24, "key update"),
              Map.entry(25, "compressed certificate")));

  static final ValueNames EXTENSIONS =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(0, "server name"),
              Map.entry(1, "max fragment length"),
              Map.entry(5, "status request"),
              Map.entry(10, "supported groups"),
              Map.entry(11, "point formats"),
              Map.entry(13, "signature algorithms"),
              Map.entry(14, "use SRTP"),
              Map.entry(15, "heartbeat"),
              Map.entry(16, "application protocol"),
              Map.entry(18, "certificate timestamp"),
              Map.entry(21, "padding"),
              Map.entry(22, "encrypt then MAC"),
              Map.entry(23, "extended master secret"),
              Map.entry(27, "compress certificate"),
              Map.entry(28, "record size limit"),
              Map.entry(35, "session ticket"),
              Map.entry(41, "pre-shared key"),
              Map.entry(42, "early data"),
              Map.entry(43, "supported versions"),
              Map.entry(44, "cookie"),
              Map.entry(45, "key exchange modes"),
              Map.entry(47, "certificate authorities"),
              Map.entry(49, "post-handshake authentication"),
              Map.entry(50, "certificate signature algorithms"),
              Map.entry(51, "key share"),
              Map.entry(57, "QUIC transport parameters"),
              Map.entry(17513, "application settings"),
              Map.entry(65037, "encrypted client hello"),
              Map.entry(65281, "renegotiation info")));

  static final ValueNames GROUPS =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(23, "secp256r1"),
              Map.entry(24, "secp384r1"),
              Map.entry(25, "secp521r1"),
              Map.entry(29, "x25519"),
              Map.entry(30, "x448"),
              Map.entry(256, "ffdhe2048"),
              Map.entry(257, "ffdhe3072"),
              Map.entry(258, "ffdhe4096"),
              Map.entry(4588, "X25519MLKEM768")));

  private TlsNames() {}
}
