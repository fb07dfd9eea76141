package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.protocol.SctpChunkProtocol.SCTP_CHUNK;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.ValueNames;

/**
 * The causes of errors: code, length of all of it, and information, to a multiple of four bytes.
 */
final class SctpCauses {
  private static final int INVALID_STREAM = 1;
  private static final int MISSING_PARAMETER = 2;
  private static final int STALE_COOKIE = 3;
  private static final int NO_USER_DATA = 9;
  private static final int HEADER_BYTES = 4;

  private static final Field CODE =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.10")
          .floating(
              "sctp.cause_code",
              16,
              HEX,
              "Cause",
              ValueNames.from0(
                  "Reserved",
                  "Invalid stream",
                  "Missing parameter",
                  "Stale cookie",
                  "Out of resource",
                  "Unresolvable address",
                  "Unrecognized chunk",
                  "Invalid parameter",
                  "Unrecognized parameters",
                  "No user data",
                  "Cookie while shutting down",
                  "Restart with new addresses",
                  "User initiated abort",
                  "Protocol violation"));
  private static final Field LENGTH =
      SCTP_CHUNK.floating("sctp.cause_length", 16, DECIMAL, "Cause length");
  private static final Field INFORMATION =
      SCTP_CHUNK.floating("sctp.cause_information", 0, BYTES, "Cause information");
  private static final Field PADDING =
      SCTP_CHUNK.floating("sctp.cause_padding", 0, BYTES, "Cause padding");
  private static final Field STREAM =
      SCTP_CHUNK.floating("sctp.cause_stream_identifier", 16, DECIMAL, "Invalid stream");
  private static final Field RESERVED =
      SCTP_CHUNK.floating("sctp.cause_reserved", 16, DECIMAL, "Reserved");
  private static final Field MISSING_COUNT =
      SCTP_CHUNK.floating("sctp.cause_nr_of_missing_parameters", 32, DECIMAL, "Missing parameters");
  private static final Field MISSING =
      SCTP_CHUNK.floating("sctp.cause_missing_parameter_type", 16, HEX, "Missing parameter");
  private static final Field STALENESS =
      SCTP_CHUNK.floating("sctp.cause_measure_of_staleness", 32, DECIMAL, "Staleness in µs");
  private static final Field TSN = SCTP_CHUNK.floating("sctp.cause_tsn", 32, DECIMAL, "TSN");

  private SctpCauses() {}

  /** Declares the fields: those of chunks are complete only then. */
  static void declare() {}

  /** Goes through all causes from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int code = (int) dissection.add(CODE);
      int length = (int) dissection.add(LENGTH);
      int before = dissection.enter(length - HEADER_BYTES);
      information(dissection, code);
      dissection.leave(before);
      int padding = Math.min(-length & 3, dissection.left());
      if (padding > 0) {
        dissection.add(PADDING, padding);
      }
    }
  }

  private static void information(Dissection dissection, int code) {
    switch (code) {
      case INVALID_STREAM -> {
        dissection.add(STREAM);
        dissection.add(RESERVED);
      }
      case MISSING_PARAMETER -> {
        long count = dissection.add(MISSING_COUNT);
        for (long i = 0; i < count && dissection.expectsMore(); i++) {
          dissection.add(MISSING);
        }
      }
      case STALE_COOKIE -> dissection.add(STALENESS);
      case NO_USER_DATA -> dissection.add(TSN);
      default -> dissection.addLeft(INFORMATION);
    }
  }
}
