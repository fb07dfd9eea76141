package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.SctpChunkProtocol.SCTP_CHUNK;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** The parameters of chunks: type, length of all of it, and value, to a multiple of four bytes. */
final class SctpParameters {
  private static final int HEARTBEAT_INFORMATION = 1;
  private static final int IPV4_ADDRESS = 5;
  private static final int IPV6_ADDRESS = 6;
  private static final int STATE_COOKIE = 7;
  private static final int UNRECOGNIZED = 8;
  private static final int COOKIE_PRESERVATIVE = 9;
  private static final int HOST_NAME = 11;
  private static final int SUPPORTED_ADDRESSES = 12;
  private static final int OUTGOING_RESET = 13;
  private static final int INCOMING_RESET = 14;
  private static final int TSN_RESET = 15;
  private static final int RECONFIGURATION_RESPONSE = 16;
  private static final int ADD_OUTGOING = 17;
  private static final int ADD_INCOMING = 18;
  private static final int RANDOM = 0x8002;
  private static final int CHUNK_LIST = 0x8003;
  private static final int ALGORITHMS = 0x8004;
  private static final int SUPPORTED_EXTENSIONS = 0x8008;
  private static final int ADD_ADDRESS = 0xC001;
  private static final int DELETE_ADDRESS = 0xC002;
  private static final int ERROR_CAUSE = 0xC003;
  private static final int SET_PRIMARY = 0xC004;
  private static final int SUCCESS = 0xC005;
  private static final int ADAPTATION = 0xC006;
  private static final int HEADER_BYTES = 4;

  private static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(HEARTBEAT_INFORMATION, "Heartbeat information"),
              Map.entry(IPV4_ADDRESS, "IPv4 address"),
              Map.entry(IPV6_ADDRESS, "IPv6 address"),
              Map.entry(STATE_COOKIE, "State cookie"),
              Map.entry(UNRECOGNIZED, "Unrecognized parameter"),
              Map.entry(COOKIE_PRESERVATIVE, "Cookie preservative"),
              Map.entry(HOST_NAME, "Host name"),
              Map.entry(SUPPORTED_ADDRESSES, "Supported address types"),
              Map.entry(OUTGOING_RESET, "Outgoing stream reset"),
              Map.entry(INCOMING_RESET, "Incoming stream reset"),
              Map.entry(TSN_RESET, "TSN reset"),
              Map.entry(RECONFIGURATION_RESPONSE, "Reconfiguration response"),
              Map.entry(ADD_OUTGOING, "Add outgoing streams"),
              Map.entry(ADD_INCOMING, "Add incoming streams"),
              Map.entry(0x8000, "ECN"),
              Map.entry(0x8001, "Zero checksum"),
              Map.entry(RANDOM, "Random"),
              Map.entry(CHUNK_LIST, "Chunk list"),
              Map.entry(ALGORITHMS, "HMAC algorithms"),
              Map.entry(0x8005, "Padding"),
              Map.entry(SUPPORTED_EXTENSIONS, "Supported extensions"),
              Map.entry(0xC000, "Forward TSN supported"),
              Map.entry(ADD_ADDRESS, "Add address"),
              Map.entry(DELETE_ADDRESS, "Delete address"),
              Map.entry(ERROR_CAUSE, "Error cause"),
              Map.entry(SET_PRIMARY, "Set primary address"),
              Map.entry(SUCCESS, "Success"),
              Map.entry(ADAPTATION, "Adaptation layer")));

  private static final Parts TYPE =
      SCTP_CHUNK
          .source("RFC 9260, section 3.2.1")
          .parts("sctp.parameter_type", 16, HEX, "Parameter", NAMES)
          .flag("sctp.parameter_bit_1", "Skip if unknown")
          .flag("sctp.parameter_bit_2", "Report if unknown");
  private static final Field LENGTH =
      SCTP_CHUNK.floating("sctp.parameter_length", 16, DECIMAL, "Parameter length");
  private static final Field VALUE =
      SCTP_CHUNK.floating("sctp.parameter_value", 0, BYTES, "Parameter value");
  private static final Field PADDING =
      SCTP_CHUNK.floating("sctp.parameter_padding", 0, BYTES, "Parameter padding");
  private static final Field HEARTBEAT =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.5")
          .floating("sctp.parameter_heartbeat_information", 0, BYTES, "Heartbeat information");
  private static final Field ADDRESS_4 =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.2.1")
          .floating("sctp.parameter_ipv4_address", 32, IPV4, "IPv4 address");
  private static final Field ADDRESS_6 =
      SCTP_CHUNK.floating("sctp.parameter_ipv6_address", 128, IPV6, "IPv6 address");
  private static final Field COOKIE =
      SCTP_CHUNK.floating("sctp.parameter_state_cookie", 0, BYTES, "State cookie");
  private static final Field PRESERVATIVE =
      SCTP_CHUNK.floating(
          "sctp.parameter_cookie_preservative_incr", 32, DECIMAL, "Cookie life more in ms");
  private static final Field HOST =
      SCTP_CHUNK.floating("sctp.parameter_hostname", 0, TEXT, "Host name");
  private static final Field ADDRESS_TYPE =
      SCTP_CHUNK.floating("sctp.parameter_supported_address_type", 16, DECIMAL, "Address type");
  private static final Field REQUEST_NUMBER =
      SCTP_CHUNK
          .source("RFC 6525, section 4")
          .floating(
              "sctp.parameter_reconfig_request_sequence_number", 32, DECIMAL, "Request number");
  private static final Field RESPONSE_NUMBER =
      SCTP_CHUNK.floating(
          "sctp.parameter_reconfig_response_sequence_number", 32, DECIMAL, "Response number");
  private static final Field LAST_TSN =
      SCTP_CHUNK.floating(
          "sctp.parameter_senders_last_assigned_tsn", 32, DECIMAL, "Last TSN assigned");
  private static final Field RESULT =
      SCTP_CHUNK.floating("sctp.parameter_reconfig_response_result", 32, DECIMAL, "Result");
  private static final Field SENDERS_NEXT =
      SCTP_CHUNK.floating("sctp.parameter_senders_next_tsn", 32, DECIMAL, "Sender's next TSN");
  private static final Field RECEIVERS_NEXT =
      SCTP_CHUNK.floating("sctp.parameter_receivers_next_tsn", 32, DECIMAL, "Receiver's next TSN");
  private static final Field STREAM =
      SCTP_CHUNK.floating("sctp.parameter_reconfig_sid", 16, DECIMAL, "Stream to be reset");
  private static final Field OUTGOING =
      SCTP_CHUNK.floating(
          "sctp.parameter_add_outgoing_streams_number", 16, DECIMAL, "Outgoing streams");
  private static final Field OUTGOING_RESERVED =
      SCTP_CHUNK.floating("sctp.parameter_add_outgoing_streams_reserved", 16, DECIMAL, "Reserved");
  private static final Field INCOMING =
      SCTP_CHUNK.floating(
          "sctp.parameter_add_incoming_streams_number", 16, DECIMAL, "Incoming streams");
  private static final Field INCOMING_RESERVED =
      SCTP_CHUNK.floating("sctp.parameter_add_incoming_streams_reserved", 16, DECIMAL, "Reserved");
  private static final Field RANDOM_NUMBER =
      SCTP_CHUNK
          .source("RFC 4895, section 3")
          .floating("sctp.random_number", 0, BYTES, "Random number");
  private static final Field CHUNK =
      SCTP_CHUNK.floating("sctp.chunk_type_to_auth", 8, DECIMAL, "Chunk to be authenticated");
  private static final Field EXTENSION =
      SCTP_CHUNK
          .source("RFC 5061, section 4.2.7")
          .floating("sctp.supported_chunk_type", 8, DECIMAL, "Supported chunk");
  private static final Field CORRELATION =
      SCTP_CHUNK.floating("sctp.correlation_id", 32, HEX, "Correlation");
  private static final Field INDICATION =
      SCTP_CHUNK.floating("sctp.adaptation_layer_indication", 32, HEX, "Adaptation layer");

  private SctpParameters() {}

  /** Declares the fields: those of chunks are complete only then. */
  static void declare() {}

  /** Goes through all parameters from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      one(dissection, true);
    }
  }

  private static void one(Dissection dissection, boolean canNest) {
    int type = (int) dissection.add(TYPE);
    int length = (int) dissection.add(LENGTH);
    int before = dissection.enter(length - HEADER_BYTES);
    if (canNest) {
      outer(dissection, type);
    } else {
      value(dissection, type);
    }
    dissection.leave(before);
    int padding = Math.min(-length & 3, dissection.left());
    if (padding > 0) {
      dissection.add(PADDING, padding);
    }
  }

  /** Those that have another in them, which has none. */
  private static void outer(Dissection dissection, int type) {
    switch (type) {
      case UNRECOGNIZED -> nested(dissection);
      case ADD_ADDRESS, DELETE_ADDRESS, SET_PRIMARY -> {
        dissection.add(CORRELATION);
        nested(dissection);
      }
      case ERROR_CAUSE -> {
        dissection.add(CORRELATION);
        SctpCauses.dissect(dissection);
      }
      default -> value(dissection, type);
    }
  }

  private static void nested(Dissection dissection) {
    while (dissection.left() > 0) {
      one(dissection, false);
    }
  }

  private static void value(Dissection dissection, int type) {
    switch (type) {
      case HEARTBEAT_INFORMATION -> dissection.addLeft(HEARTBEAT);
      case IPV4_ADDRESS -> dissection.add(ADDRESS_4);
      case IPV6_ADDRESS -> dissection.add(ADDRESS_6);
      case STATE_COOKIE -> dissection.addLeft(COOKIE);
      case COOKIE_PRESERVATIVE -> dissection.add(PRESERVATIVE);
      case HOST_NAME -> dissection.addLeft(HOST);
      case SUPPORTED_ADDRESSES -> all(dissection, ADDRESS_TYPE);
      case RANDOM -> dissection.addLeft(RANDOM_NUMBER);
      case CHUNK_LIST -> all(dissection, CHUNK);
      case ALGORITHMS -> all(dissection, SctpChunks.ALGORITHM);
      case SUPPORTED_EXTENSIONS -> all(dissection, EXTENSION);
      case SUCCESS -> dissection.add(CORRELATION);
      case ADAPTATION -> dissection.add(INDICATION);
      default -> reconfiguration(dissection, type);
    }
  }

  private static void reconfiguration(Dissection dissection, int type) {
    switch (type) {
      case OUTGOING_RESET -> {
        dissection.add(REQUEST_NUMBER);
        dissection.add(RESPONSE_NUMBER);
        dissection.add(LAST_TSN);
        all(dissection, STREAM);
      }
      case INCOMING_RESET -> {
        dissection.add(REQUEST_NUMBER);
        all(dissection, STREAM);
      }
      case TSN_RESET -> dissection.add(REQUEST_NUMBER);
      case RECONFIGURATION_RESPONSE -> {
        dissection.add(RESPONSE_NUMBER);
        dissection.add(RESULT);
        if (dissection.left() > 0) {
          dissection.add(SENDERS_NEXT);
          dissection.add(RECEIVERS_NEXT);
        }
      }
      case ADD_OUTGOING -> {
        dissection.add(REQUEST_NUMBER);
        dissection.add(OUTGOING);
        dissection.add(OUTGOING_RESERVED);
      }
      case ADD_INCOMING -> {
        dissection.add(REQUEST_NUMBER);
        dissection.add(INCOMING);
        dissection.add(INCOMING_RESERVED);
      }
      default -> dissection.addLeft(VALUE);
    }
  }

  private static void all(Dissection dissection, Field field) {
    while (dissection.left() > 0) {
      dissection.add(field);
    }
  }
}
