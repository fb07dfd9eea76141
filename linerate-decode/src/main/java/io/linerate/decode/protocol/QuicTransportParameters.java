package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import java.util.HashMap;
import java.util.Map;

/** The extension of TLS hellos that carries what QUIC has to know; RFC 9000, section 18. */
final class QuicTransportParameters {
  private static final String PREFIX = "tls.quic.parameter";
  private static final Fields TLS = TlsProtocol.TLS.source("RFC 9000, section 18");
  private static final Field PARAMETER =
      TLS.floating("tls.quic.transport_parameter", 0, NONE, "Parameter");
  private static final Field TYPE = TLS.floating(PREFIX + ".type", 64, DECIMAL, "Type");
  private static final Field LENGTH = TLS.floating(PREFIX + ".length", 64, DECIMAL, "Length");
  private static final Field VALUE = TLS.floating(PREFIX + ".value", 0, BYTES, "Value");

  /** Of each type the field that its value is: a number or bytes. */
  private static final NumberedTable<Field> FIELDS = fields();

  private QuicTransportParameters() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static NumberedTable<Field> fields() {
    TLS.source("RFC 9000, section 18.2");
    Map<Integer, Field> all = new HashMap<>();
    all.put(0, field("original_destination_connection_id", 0, BYTES, "Original destination"));
    all.put(1, field("max_idle_timeout", 64, DECIMAL, "Idle timeout in ms"));
    all.put(2, field("stateless_reset_token", 0, BYTES, "Reset token"));
    all.put(3, field("max_udp_payload_size", 64, DECIMAL, "Most UDP payload"));
    all.put(4, field("initial_max_data", 64, DECIMAL, "Most data"));
    all.put(5, field("initial_max_stream_data_bidi_local", 64, DECIMAL, "Most of local streams"));
    all.put(6, field("initial_max_stream_data_bidi_remote", 64, DECIMAL, "Most of remote streams"));
    all.put(7, field("initial_max_stream_data_uni", 64, DECIMAL, "Most of one-way streams"));
    all.put(8, field("initial_max_streams_bidi", 64, DECIMAL, "Most streams"));
    all.put(9, field("initial_max_streams_uni", 64, DECIMAL, "Most one-way streams"));
    all.put(10, field("ack_delay_exponent", 64, DECIMAL, "Acknowledgment delay exponent"));
    all.put(11, field("max_ack_delay", 64, DECIMAL, "Acknowledgment delay in ms"));
    all.put(14, field("active_connection_id_limit", 64, DECIMAL, "Most connection identifiers"));
    all.put(15, field("initial_source_connection_id", 0, BYTES, "Initial source"));
    all.put(16, field("retry_source_connection_id", 0, BYTES, "Retry source"));
    all.put(32, field("max_datagram_frame_size", 64, DECIMAL, "Most of a datagram frame"));
    return new NumberedTable<>(all);
  }

  private static Field field(String name, int bits, Kind kind, String label) {
    return TLS.floating(PREFIX + "." + name, bits, kind, label);
  }

  /** Says what the parameters are, which are all that is left. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int typeBytes = QuicNumber.bytes(dissection, 0);
      int lengthBytes = QuicNumber.bytes(dissection, typeBytes);
      long type = QuicNumber.value(dissection, 0);
      long length = QuicNumber.value(dissection, typeBytes);
      int header = typeBytes + lengthBytes;
      if (length > dissection.left() - header) {
        dissection.skip(dissection.left() + 1);
        return;
      }
      int bytes = (int) length;
      dissection.open(PARAMETER, header + bytes);
      dissection.value(TYPE, type, 0, typeBytes);
      dissection.value(LENGTH, length, typeBytes, lengthBytes);
      dissection.skip(header);
      value(dissection, type, bytes);
      dissection.skip(bytes);
      dissection.close();
    }
  }

  private static void value(Dissection dissection, long type, int bytes) {
    if (bytes > 0) {
      dissection.bytes(VALUE, 0, bytes);
    }
    Field field = type <= Integer.MAX_VALUE ? FIELDS.find((int) type) : null;
    if (field == null) {
      return;
    }
    if (field.kind() == BYTES) {
      dissection.bytes(field, 0, bytes);
    } else if (bytes > 0 && bytes == QuicNumber.bytes(dissection, 0)) {
      dissection.value(field, QuicNumber.value(dissection, 0), 0, bytes);
    } else {
      dissection.malformed();
    }
  }
}
