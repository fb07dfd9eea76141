package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;

/** The messages of TLS handshakes that are not encrypted; RFC 8446, section 4. */
final class TlsHandshake {
  private static final Fields TLS = TlsProtocol.TLS.source("RFC 8446, section 4");
  private static final Field MESSAGE = field("", 0, NONE, "Handshake message");
  private static final Field TYPE =
      TLS.floating("tls.handshake.type", 8, DECIMAL, "Message type", TlsNames.MESSAGES);
  private static final Field LENGTH = field(".length", 24, DECIMAL, "Length");
  private static final Field VERSION =
      TLS.source("RFC 8446, section 4.1.2")
          .floating("tls.handshake.version", 16, HEX, "Version", TlsNames.VERSIONS);
  private static final Field RANDOM = field(".random", 0, BYTES, "Random");
  private static final Field RANDOM_TIME = field(".random_time", 32, TIME, "Time");
  private static final Field RANDOM_BYTES = field(".random_bytes", 0, BYTES, "Random bytes");
  private static final Field SESSION_LENGTH =
      field(".session_id_length", 8, DECIMAL, "Session length");
  private static final Field SESSION = field(".session_id", 0, BYTES, "Session");
  private static final Field CIPHERS_LENGTH =
      field(".cipher_suites_length", 16, DECIMAL, "Cipher suites length");
  private static final Field CIPHERS = field(".ciphersuites", 0, NONE, "Cipher suites");
  private static final Field CIPHER = field(".ciphersuite", 16, HEX, "Cipher suite");
  private static final Field COMPRESSIONS_LENGTH =
      field(".comp_methods_length", 8, DECIMAL, "Compression methods length");
  private static final Field COMPRESSIONS = field(".comp_methods", 0, NONE, "Compression methods");
  private static final Field COMPRESSION = field(".comp_method", 8, DECIMAL, "Compression method");
  private static final Field CERTIFICATES_LENGTH =
      TLS.source("RFC 5246, section 7.4.2")
          .floating("tls.handshake.certificates_length", 24, DECIMAL, "Certificates length");
  private static final Field CERTIFICATES = field(".certificates", 0, NONE, "Certificates");
  private static final Field CERTIFICATE_LENGTH =
      field(".certificate_length", 24, DECIMAL, "Certificate length");
  private static final Field CERTIFICATE = field(".certificate", 0, BYTES, "Certificate");
  private static final Field TYPES_COUNT =
      TLS.source("RFC 5246, section 7.4.4")
          .floating("tls.handshake.cert_types_count", 8, DECIMAL, "Certificate types count");
  private static final Field TYPES = field(".cert_types", 0, NONE, "Certificate types");
  private static final Field CERTIFICATE_TYPE = field(".cert_type", 8, DECIMAL, "Certificate type");
  private static final Field LIFETIME =
      TLS.source("RFC 5077, section 3.3")
          .floating("tls.handshake.session_ticket_lifetime_hint", 32, DECIMAL, "Lifetime in s");
  private static final Field TICKET_LENGTH =
      field(".session_ticket_length", 16, DECIMAL, "Ticket length");
  private static final Field TICKET = field(".session_ticket", 0, BYTES, "Ticket");
  private static final Field RESPONSE_LENGTH =
      TLS.source("RFC 6066, section 8")
          .floating("tls.handshake.ocsp_response_len", 24, DECIMAL, "OCSP response length");

  private static final int HEADER_BYTES = 4;
  private static final int RANDOM_LENGTH = 32;
  private static final int TIME_LENGTH = 4;
  private static final long NS_PER_SECOND = 1_000_000_000L;
  private static final int TLS_1_2 = 0x0303;

  /** Most bytes of a message that is not encrypted, as this takes it. */
  private static final int MAX_BYTES = 1 << 18;

  /** A bit for each type of message below 32. */
  private static final int TYPES_KNOWN = 0b0000_0011_0111_0001_1111_1001_0011_1111;

  private TlsHandshake() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {
    TlsExtensions.declare();
    TlsKeyExchange.declare();
    TlsFingerprint.declare();
  }

  private static Field field(String name, int bits, Kind kind, String label) {
    return TLS.floating("tls.handshake" + name, bits, kind, label);
  }

  /** Says what the messages of a record are, from the cursor to the end. */
  static void dissect(Dissection dissection, int recordVersion) {
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      int bytes = dissection.has(HEADER_BYTES) ? dissection.u16(2) | (dissection.u8(1) << 16) : 0;
      dissection.open(MESSAGE, HEADER_BYTES + bytes);
      if (isPlain(dissection, type, bytes)) {
        message(dissection, type, bytes, recordVersion);
      } else {
        dissection.skip(dissection.left());
      }
      dissection.close();
    }
  }

  /** What follows a change of the cipher is encrypted; a look at its first bytes tells. */
  private static boolean isPlain(Dissection dissection, int type, int bytes) {
    return dissection.has(HEADER_BYTES)
        && type < Integer.SIZE
        && ((TYPES_KNOWN >>> type) & 1) != 0
        && bytes < MAX_BYTES;
  }

  private static void message(Dissection dissection, int type, int bytes, int recordVersion) {
    dissection.add(TYPE);
    dissection.add(LENGTH);
    if (!dissection.has(bytes)) {
      begun(dissection, type);
      return;
    }
    int before = dissection.enter(bytes);
    switch (type) {
      case 1 -> clientHello(dissection);
      case 2 -> serverHello(dissection);
      case 4 -> ticket(dissection);
      case 8 -> TlsExtensions.dissect(dissection, TlsExtensions.Message.SERVER_HELLO);
      case 11 -> certificates(dissection);
      case 12 -> TlsKeyExchange.server(dissection, recordVersion >= TLS_1_2);
      case 13 -> certificateRequest(dissection, recordVersion >= TLS_1_2);
      case 15 -> TlsKeyExchange.verify(dissection, recordVersion >= TLS_1_2);
      case 16 -> TlsKeyExchange.client(dissection);
      case 22 -> certificateStatus(dissection);
      default -> {}
    }
    dissection.leave(before);
  }

  /** The rest of it is in the records that follow, or in the next segment. */
  private static void begun(Dissection dissection, int type) {
    switch (type) {
      case 1 -> clientHello(dissection);
      case 2 -> serverHello(dissection);
      default -> {}
    }
    dissection.skip(dissection.left());
  }

  /**
   * Says what a list is that has its length before it: of numbers.
   *
   * @return whether the list is there as a whole
   */
  static boolean numbers(Dissection dissection, Field length, Field whole, Field item) {
    int bytes = (int) dissection.add(length);
    if (!dissection.has(bytes)) {
      dissection.skip(bytes);
      return false;
    }
    dissection.open(whole, bytes);
    int before = dissection.enter(bytes);
    while (dissection.left() > 0) {
      dissection.add(item);
    }
    dissection.leave(before);
    dissection.close();
    return true;
  }

  /** Says what bytes are that have their length before them; none are not told. */
  static void bytes(Dissection dissection, Field length, Field data) {
    int bytes = (int) dissection.add(length);
    if (bytes > 0) {
      dissection.add(data, bytes);
    }
  }

  private static void random(Dissection dissection, boolean hasTime) {
    if (!dissection.has(RANDOM_LENGTH)) {
      dissection.skip(RANDOM_LENGTH);
      return;
    }
    dissection.bytes(RANDOM, 0, RANDOM_LENGTH);
    if (hasTime) {
      dissection.value(RANDOM_TIME, dissection.u32(0) * NS_PER_SECOND, 0, TIME_LENGTH);
      dissection.bytes(RANDOM_BYTES, TIME_LENGTH, RANDOM_LENGTH - TIME_LENGTH);
    }
    dissection.skip(RANDOM_LENGTH);
  }

  private static void clientHello(Dissection dissection) {
    int start = dissection.offset();
    dissection.add(VERSION);
    random(dissection, true);
    bytes(dissection, SESSION_LENGTH, SESSION);
    if (dissection.left() == 0
        || !numbers(dissection, CIPHERS_LENGTH, CIPHERS, CIPHER)
        || dissection.left() == 0
        || !numbers(dissection, COMPRESSIONS_LENGTH, COMPRESSIONS, COMPRESSION)) {
      return;
    }
    if (dissection.left() == 0
        || TlsExtensions.dissect(dissection, TlsExtensions.Message.CLIENT_HELLO)) {
      TlsFingerprint.client(dissection, start);
    }
  }

  private static void serverHello(Dissection dissection) {
    int start = dissection.offset();
    boolean isOld = !TlsExtensions.hasServerVersion(dissection);
    dissection.add(VERSION);
    random(dissection, isOld);
    bytes(dissection, SESSION_LENGTH, SESSION);
    if (!dissection.has(3)) {
      dissection.skip(3);
      return;
    }
    dissection.add(CIPHER);
    dissection.add(COMPRESSION);
    if (dissection.left() == 0
        || TlsExtensions.dissect(dissection, TlsExtensions.Message.SERVER_HELLO)) {
      TlsFingerprint.server(dissection, start);
    }
  }

  private static void ticket(Dissection dissection) {
    dissection.add(LIFETIME);
    bytes(dissection, TICKET_LENGTH, TICKET);
  }

  /** Those of TLS 1.3 are encrypted. */
  private static void certificates(Dissection dissection) {
    int bytes = (int) dissection.add(CERTIFICATES_LENGTH);
    if (bytes == 0 || !dissection.has(bytes)) {
      dissection.skip(bytes);
      return;
    }
    dissection.open(CERTIFICATES, bytes);
    int before = dissection.enter(bytes);
    while (dissection.left() > 0) {
      bytes(dissection, CERTIFICATE_LENGTH, CERTIFICATE);
    }
    dissection.leave(before);
    dissection.close();
  }

  private static void certificateRequest(Dissection dissection, boolean hasAlgorithms) {
    if (!numbers(dissection, TYPES_COUNT, TYPES, CERTIFICATE_TYPE)) {
      return;
    }
    if (hasAlgorithms) {
      TlsExtensions.signatureAlgorithms(dissection);
    }
    TlsExtensions.authorities(dissection);
  }

  private static void certificateStatus(Dissection dissection) {
    dissection.add(TlsExtensions.STATUS_TYPE);
    dissection.skip((int) dissection.add(RESPONSE_LENGTH));
  }
}
