package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;

/** The extensions of TLS hellos; RFC 8446, section 4.2. */
final class TlsExtensions {
  /** Which message they are in: some have another form in each. */
  enum Message {
    CLIENT_HELLO,
    SERVER_HELLO
  }

  private static final Fields TLS = TlsProtocol.TLS.source("RFC 8446, section 4.2");
  private static final Field LENGTH_OF_ALL =
      field("handshake.extensions_length", 16, DECIMAL, "Extensions length");
  private static final Field EXTENSION = field("handshake.extension", 0, NONE, "Extension");
  private static final Field TYPE =
      TLS.floating("tls.handshake.extension.type", 16, DECIMAL, "Type", TlsNames.EXTENSIONS);
  private static final Field LENGTH = field("handshake.extension.len", 16, DECIMAL, "Length");
  private static final Field DATA = field("handshake.extension.data", 0, BYTES, "Data");

  private static final Field NAMES_LENGTH =
      section("6066, section 3", "handshake.extensions_server_name_list_len", 16, "List length");
  private static final Field NAME_TYPE =
      field("handshake.extensions_server_name_type", 8, DECIMAL, "Name type");
  private static final Field NAME_LENGTH =
      field("handshake.extensions_server_name_len", 16, DECIMAL, "Name length");
  private static final Field NAME =
      field("handshake.extensions_server_name", 0, TEXT, "Server name");
  private static final Field FRAGMENT_LENGTH =
      section("6066, section 4", "handshake.max_fragment_length", 8, "Fragment length");
  static final Field STATUS_TYPE =
      section("6066, section 8", "handshake.extensions_status_request_type", 8, "Status type");
  private static final Field RESPONDERS =
      field(
          "handshake.extensions_status_request_responder_ids_len",
          16,
          DECIMAL,
          "Responders length");
  private static final Field STATUS_EXTENSIONS =
      field("handshake.extensions_status_request_exts_len", 16, DECIMAL, "Extensions length");
  private static final Field STATUS_LIST_LENGTH =
      section(
          "6961, section 2.2", "handshake.extensions_status_request_list_len", 16, "List length");
  private static final Field STATUS_LENGTH =
      field("handshake.extensions_status_request_len", 16, DECIMAL, "Request length");
  private static final Field CERTIFICATE_TYPES_LENGTH =
      section("7250, section 3", "handshake.cert_type.types_len", 8, "Types length");
  private static final Field CERTIFICATE_TYPES =
      field("handshake.cert_type.types", 0, NONE, "Certificate types");
  private static final Field CERTIFICATE_TYPE =
      field("handshake.cert_type.type", 8, HEX, "Certificate type");
  private static final Field GROUPS_LENGTH =
      section(
          "8446, section 4.2.7",
          "handshake.extensions_supported_groups_length",
          16,
          "Groups length");
  private static final Field GROUPS =
      field("handshake.extensions_supported_groups", 0, NONE, "Groups");
  private static final Field GROUP =
      TLS.floating("tls.handshake.extensions_supported_group", 16, HEX, "Group", TlsNames.GROUPS);
  private static final Field FORMATS_LENGTH =
      section(
          "8422, section 5.1.2",
          "handshake.extensions_ec_point_formats_length",
          8,
          "Point formats length");
  private static final Field FORMATS =
      field("handshake.extensions_ec_point_formats", 0, NONE, "Point formats");
  private static final Field FORMAT =
      field("handshake.extensions_ec_point_format", 8, DECIMAL, "Point format");
  private static final Field USER_LENGTH =
      section("5054, section 2.8.1", "handshake.extensions_srp_len", 8, "User length");
  private static final Field USER = field("handshake.extensions_srp_username", 0, TEXT, "User");
  private static final Field ALGORITHMS_LENGTH =
      section("8446, section 4.2.3", "handshake.sig_hash_alg_len", 16, "Algorithms length");
  private static final Field ALGORITHMS =
      field("handshake.sig_hash_algs", 0, NONE, "Signature algorithms");
  private static final Field ALGORITHM =
      field("handshake.sig_hash_alg", 16, HEX, "Signature algorithm");
  private static final Field ALGORITHM_HASH = field("handshake.sig_hash_hash", 8, DECIMAL, "Hash");
  private static final Field ALGORITHM_SIGNATURE =
      field("handshake.sig_hash_sig", 8, DECIMAL, "Signature");
  private static final Field HEARTBEAT =
      section("6520, section 2", "handshake.extension.heartbeat.mode", 8, "Mode");
  private static final Field PROTOCOLS_LENGTH =
      section("7301, section 3.1", "handshake.extensions_alpn_len", 16, "Protocols length");
  private static final Field PROTOCOLS =
      field("handshake.extensions_alpn_list", 0, NONE, "Application protocols");
  private static final Field PROTOCOL_LENGTH =
      field("handshake.extensions_alpn_str_len", 8, DECIMAL, "Protocol length");
  private static final Field PROTOCOL =
      field("handshake.extensions_alpn_str", 0, TEXT, "Application protocol");
  private static final Field PADDING =
      section("7685, section 3", "handshake.extensions_padding_data", 0, BYTES, "Padding");
  private static final Field COMPRESSIONS_LENGTH =
      section("8879, section 3", "compress_certificate.algorithms_length", 8, "Algorithms length");
  private static final Field COMPRESSION =
      field("compress_certificate.algorithm", 16, DECIMAL, "Compression algorithm");
  private static final Field RECORD_LIMIT =
      section("8449, section 4", "record_size_limit", 16, "Record size limit");
  private static final Field EARLY_DATA =
      section("8446, section 4.2.10", "early_data.max_early_data_size", 32, "Most early data");
  private static final Field VERSIONS_LENGTH =
      section(
          "8446, section 4.2.1",
          "handshake.extensions.supported_versions_len",
          8,
          "Versions length");
  private static final Field VERSION =
      TLS.floating(
          "tls.handshake.extensions.supported_version",
          16,
          HEX,
          "Supported version",
          TlsNames.VERSIONS);
  private static final Field COOKIE_LENGTH =
      section("8446, section 4.2.2", "handshake.extensions.cookie_len", 16, "Cookie length");
  private static final Field COOKIE = field("handshake.extensions.cookie", 0, BYTES, "Cookie");
  private static final Field MODES_LENGTH =
      section("8446, section 4.2.9", "extension.psk_ke_modes_length", 8, "Modes length");
  private static final Field MODE = field("extension.psk_ke_mode", 8, DECIMAL, "Key exchange mode");
  private static final Field AUTHORITIES_LENGTH =
      section("8446, section 4.2.4", "handshake.dnames_len", 16, "Authorities length");
  private static final Field AUTHORITIES = field("handshake.dnames", 0, NONE, "Authorities");
  private static final Field AUTHORITY_LENGTH =
      field("handshake.dname_len", 16, DECIMAL, "Name length");
  private static final Field AUTHORITY = field("handshake.dname", 0, NONE, "Authority");
  private static final Field CONNECTION_LENGTH =
      section("9146, section 3", "connection_id_length", 8, "Connection length");
  private static final Field CONNECTION = field("connection_id", 0, BYTES, "Connection");
  private static final Field SETTINGS_LENGTH =
      section("draft-vvv-tls-alps-01", "handshake.extensions_alps_len", 16, "Application settings");
  private static final Field SETTINGS =
      field("handshake.extensions_alps_alpn_list", 0, NONE, "Application protocols");
  private static final Field SETTING_LENGTH =
      field("handshake.extensions_alps_alpn_str_len", 8, DECIMAL, "Protocol length");
  private static final Field SETTING =
      field("handshake.extensions_alps_alpn_str", 0, TEXT, "Application protocol");
  private static final Field RENEGOTIATION_LENGTH =
      section(
          "5746, section 3.2", "handshake.extensions_reneg_info_len", 8, "Renegotiation length");
  private static final Field RENEGOTIATION =
      field("handshake.extensions_reneg_info", 0, BYTES, "Renegotiation");

  private static final int HEADER_BYTES = 4;
  private static final int SUPPORTED_VERSIONS = 43;

  private TlsExtensions() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {
    TlsKeyShares.declare();
    QuicTransportParameters.declare();
  }

  private static Field field(String name, int bits, Kind kind, String label) {
    return TLS.floating("tls." + name, bits, kind, label);
  }

  private static Field section(String rfc, String name, int bits, String label) {
    return section(rfc, name, bits, DECIMAL, label);
  }

  private static Field section(String rfc, String name, int bits, Kind kind, String label) {
    TLS.source(Character.isDigit(rfc.charAt(0)) ? "RFC " + rfc : rfc);
    return field(name, bits, kind, label);
  }

  /**
   * Says what they are; the cursor is at their length.
   *
   * @return whether each of them is there as a whole
   */
  static boolean dissect(Dissection dissection, Message message) {
    int bytes = (int) dissection.add(LENGTH_OF_ALL);
    int before = dissection.enter(bytes);
    while (dissection.left() > 0) {
      int type = dissection.u16(0);
      int length = dissection.u16(2);
      if (!dissection.has(HEADER_BYTES + length)) {
        dissection.skip(HEADER_BYTES + length);
        dissection.leave(before);
        return false;
      }
      dissection.open(EXTENSION, HEADER_BYTES + length);
      dissection.add(TYPE);
      dissection.add(LENGTH);
      int beforeOne = dissection.enter(length);
      value(dissection, type, message == Message.CLIENT_HELLO);
      dissection.leave(beforeOne);
      dissection.close();
    }
    dissection.leave(before);
    return true;
  }

  private static void value(Dissection dissection, int type, boolean isClient) {
    int left = dissection.left();
    switch (type) {
      case 0 -> serverNames(dissection);
      case 1 -> dissection.add(FRAGMENT_LENGTH);
      case 5 -> status(dissection);
      case 9, 19, 20 -> certificateTypes(dissection, isClient);
      case 10 -> TlsHandshake.numbers(dissection, GROUPS_LENGTH, GROUPS, GROUP);
      case 11 -> TlsHandshake.numbers(dissection, FORMATS_LENGTH, FORMATS, FORMAT);
      case 12 -> TlsHandshake.bytes(dissection, USER_LENGTH, USER);
      case 13, 34, 50 -> signatureAlgorithms(dissection);
      case 14, 18, 22, 23, 49, 13172 -> {}
      case 15 -> dissection.add(HEARTBEAT);
      case 16 -> texts(dissection, PROTOCOLS_LENGTH, PROTOCOLS, PROTOCOL_LENGTH, PROTOCOL);
      case 17 -> statuses(dissection);
      case 21 -> dissection.add(PADDING, left);
      case 27 -> plainNumbers(dissection, COMPRESSIONS_LENGTH, COMPRESSION);
      case 28 -> dissection.add(RECORD_LIMIT);
      case 41 -> TlsKeyShares.preShared(dissection, isClient);
      case 42 -> {
        if (left > 0) {
          dissection.add(EARLY_DATA);
        }
      }
      case SUPPORTED_VERSIONS -> versions(dissection, isClient);
      case 44 -> TlsHandshake.bytes(dissection, COOKIE_LENGTH, COOKIE);
      case 45 -> plainNumbers(dissection, MODES_LENGTH, MODE);
      case 47 -> authorities(dissection);
      case 51 -> TlsKeyShares.shares(dissection, isClient);
      case 54 -> TlsHandshake.bytes(dissection, CONNECTION_LENGTH, CONNECTION);
      case 57, 65445 -> QuicTransportParameters.dissect(dissection);
      case 17513 -> texts(dissection, SETTINGS_LENGTH, SETTINGS, SETTING_LENGTH, SETTING);
      case 65281 -> TlsHandshake.bytes(dissection, RENEGOTIATION_LENGTH, RENEGOTIATION);
      default -> dissection.add(DATA, left);
    }
  }

  private static void plainNumbers(Dissection dissection, Field length, Field item) {
    int before = dissection.enter((int) dissection.add(length));
    while (dissection.left() > 0) {
      dissection.add(item);
    }
    dissection.leave(before);
  }

  private static void texts(
      Dissection dissection, Field length, Field whole, Field itemLength, Field item) {
    int bytes = (int) dissection.add(length);
    if (!dissection.has(bytes)) {
      dissection.skip(bytes);
      return;
    }
    dissection.open(whole, bytes);
    int before = dissection.enter(bytes);
    while (dissection.left() > 0) {
      dissection.add(item, (int) dissection.add(itemLength));
    }
    dissection.leave(before);
    dissection.close();
  }

  private static void serverNames(Dissection dissection) {
    if (dissection.left() == 0) {
      return;
    }
    int before = dissection.enter((int) dissection.add(NAMES_LENGTH));
    while (dissection.left() > 0) {
      dissection.add(NAME_TYPE);
      dissection.add(NAME, (int) dissection.add(NAME_LENGTH));
    }
    dissection.leave(before);
  }

  private static void status(Dissection dissection) {
    if (dissection.left() > 0) {
      dissection.add(STATUS_TYPE);
      dissection.skip((int) dissection.add(RESPONDERS));
      dissection.skip((int) dissection.add(STATUS_EXTENSIONS));
    }
  }

  private static void statuses(Dissection dissection) {
    if (dissection.left() == 0) {
      return;
    }
    int before = dissection.enter((int) dissection.add(STATUS_LIST_LENGTH));
    while (dissection.left() > 0) {
      dissection.add(STATUS_TYPE);
      int beforeOne = dissection.enter((int) dissection.add(STATUS_LENGTH));
      dissection.skip((int) dissection.add(RESPONDERS));
      dissection.skip((int) dissection.add(STATUS_EXTENSIONS));
      dissection.leave(beforeOne);
    }
    dissection.leave(before);
  }

  private static void certificateTypes(Dissection dissection, boolean isClient) {
    if (isClient) {
      TlsHandshake.numbers(
          dissection, CERTIFICATE_TYPES_LENGTH, CERTIFICATE_TYPES, CERTIFICATE_TYPE);
    } else {
      dissection.add(CERTIFICATE_TYPE);
    }
  }

  private static void versions(Dissection dissection, boolean isClient) {
    if (isClient) {
      plainNumbers(dissection, VERSIONS_LENGTH, VERSION);
    } else {
      dissection.add(VERSION);
    }
  }

  /** Whether the server hello that is left says its version in an extension. */
  static boolean hasServerVersion(Dissection dissection) {
    int at = 34;
    int session = dissection.has(at + 1) ? dissection.u8(at) : 0;
    at += 1 + session + 3 + 2;
    while (dissection.has(at + HEADER_BYTES)) {
      if (dissection.u16(at) == SUPPORTED_VERSIONS) {
        return true;
      }
      at += HEADER_BYTES + dissection.u16(at + 2);
    }
    return false;
  }

  /** Says what a list of signature algorithms is; the cursor is at its length. */
  static void signatureAlgorithms(Dissection dissection) {
    int bytes = (int) dissection.add(ALGORITHMS_LENGTH);
    if (!dissection.has(bytes)) {
      dissection.skip(bytes);
      return;
    }
    dissection.open(ALGORITHMS, bytes);
    int before = dissection.enter(bytes);
    while (dissection.left() > 0) {
      signatureAlgorithm(dissection);
    }
    dissection.leave(before);
    dissection.close();
  }

  /** Says what a signature algorithm is. */
  static void signatureAlgorithm(Dissection dissection) {
    if (dissection.has(2)) {
      int value = (int) dissection.add(ALGORITHM);
      dissection.value(ALGORITHM_HASH, value >>> 8, -2, 1);
      dissection.value(ALGORITHM_SIGNATURE, value & 0xFF, -1, 1);
    } else {
      dissection.skip(2);
    }
  }

  /** Says what a list of names of authorities is; the cursor is at its length. */
  static void authorities(Dissection dissection) {
    int bytes = (int) dissection.add(AUTHORITIES_LENGTH);
    if (bytes == 0 || !dissection.has(bytes)) {
      dissection.skip(bytes);
      return;
    }
    dissection.open(AUTHORITIES, bytes);
    int before = dissection.enter(bytes);
    while (dissection.left() > 0) {
      dissection.add(AUTHORITY, (int) dissection.add(AUTHORITY_LENGTH));
    }
    dissection.leave(before);
    dissection.close();
  }
}
