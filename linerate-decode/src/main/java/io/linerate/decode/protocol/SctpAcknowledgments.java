package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.protocol.SctpChunkProtocol.SCTP_CHUNK;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** Selective acknowledgments of SCTP: what was received, with gaps, and what twice. */
final class SctpAcknowledgments {
  static final Parts SACK_FLAGS =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.4")
          .parts(8)
          .skip(7)
          .part("sctp.sack_nounce_sum", 1, DECIMAL, "Nonce sum");
  private static final Field SACK_TSN =
      SCTP_CHUNK.floating("sctp.sack_cumulative_tsn_ack_raw", 32, DECIMAL, "Acknowledged up to");
  private static final Field SACK_WINDOW =
      SCTP_CHUNK.floating("sctp.sack_a_rwnd", 32, DECIMAL, "Receiver window");
  private static final Field SACK_GAPS =
      SCTP_CHUNK.floating("sctp.sack_number_of_gap_blocks", 16, DECIMAL, "Gap blocks");
  private static final Field SACK_DUPLICATES =
      SCTP_CHUNK.floating("sctp.sack_number_of_duplicated_tsns", 16, DECIMAL, "Duplicates");
  private static final Field SACK_GAP_START =
      SCTP_CHUNK.floating("sctp.sack_gap_block_start", 16, DECIMAL, "Start of the gap block");
  private static final Field SACK_GAP_END =
      SCTP_CHUNK.floating("sctp.sack_gap_block_end", 16, DECIMAL, "End of the gap block");
  private static final Field SACK_DUPLICATE =
      SCTP_CHUNK.floating("sctp.sack_duplicate_tsn", 32, DECIMAL, "Duplicate TSN");
  static final Parts NR_FLAGS =
      SCTP_CHUNK
          .source("draft-natarajan-tsvwg-sctp-nrsack, section 4.2")
          .parts(8)
          .skip(7)
          .part("sctp.nr_sack_nounce_sum", 1, DECIMAL, "Nonce sum");
  private static final Field NR_TSN =
      SCTP_CHUNK.floating("sctp.nr_sack_cumulative_tsn_ack", 32, DECIMAL, "Acknowledged up to");
  private static final Field NR_WINDOW =
      SCTP_CHUNK.floating("sctp.nr_sack_a_rwnd", 32, DECIMAL, "Receiver window");
  private static final Field NR_GAPS =
      SCTP_CHUNK.floating("sctp.nr_sack_number_of_gap_blocks", 16, DECIMAL, "Gap blocks");
  private static final Field NR_NR_GAPS =
      SCTP_CHUNK.floating(
          "sctp.nr_sack_number_of_nr_gap_blocks", 16, DECIMAL, "Non-renegable gap blocks");
  private static final Field NR_DUPLICATES =
      SCTP_CHUNK.floating("sctp.nr_sack_number_of_duplicated_tsns", 16, DECIMAL, "Duplicates");
  private static final Field NR_RESERVED =
      SCTP_CHUNK.floating("sctp.nr_sack_reserved", 16, HEX, "Reserved");
  private static final Field NR_GAP_START =
      SCTP_CHUNK.floating("sctp.nr_sack_gap_block_start", 16, DECIMAL, "Start of the gap block");
  private static final Field NR_GAP_END =
      SCTP_CHUNK.floating("sctp.nr_sack_gap_block_end", 16, DECIMAL, "End of the gap block");
  private static final Field NR_NR_GAP_START =
      SCTP_CHUNK.floating(
          "sctp.nr_sack_nr_gap_block_start", 16, DECIMAL, "Start of the non-renegable gap block");
  private static final Field NR_NR_GAP_END =
      SCTP_CHUNK.floating(
          "sctp.nr_sack_nr_gap_block_end", 16, DECIMAL, "End of the non-renegable gap block");
  private static final Field NR_DUPLICATE =
      SCTP_CHUNK.floating("sctp.nr_sack_duplicate_tsn", 32, DECIMAL, "Duplicate TSN");

  private SctpAcknowledgments() {}

  /** Declares the fields: those of chunks are complete only then. */
  static void declare() {}

  static void sack(Dissection dissection) {
    dissection.add(SACK_TSN);
    dissection.add(SACK_WINDOW);
    int gaps = (int) dissection.add(SACK_GAPS);
    int duplicates = (int) dissection.add(SACK_DUPLICATES);
    gaps(dissection, gaps, SACK_GAP_START, SACK_GAP_END);
    duplicates(dissection, duplicates, SACK_DUPLICATE);
  }

  static void nrSack(Dissection dissection) {
    dissection.add(NR_TSN);
    dissection.add(NR_WINDOW);
    int gaps = (int) dissection.add(NR_GAPS);
    int nrGaps = (int) dissection.add(NR_NR_GAPS);
    int duplicates = (int) dissection.add(NR_DUPLICATES);
    dissection.add(NR_RESERVED);
    gaps(dissection, gaps, NR_GAP_START, NR_GAP_END);
    gaps(dissection, nrGaps, NR_NR_GAP_START, NR_NR_GAP_END);
    duplicates(dissection, duplicates, NR_DUPLICATE);
  }

  private static void gaps(Dissection dissection, int count, Field first, Field last) {
    for (int i = 0; i < count && dissection.expectsMore(); i++) {
      dissection.add(first);
      dissection.add(last);
    }
  }

  private static void duplicates(Dissection dissection, int count, Field duplicate) {
    for (int i = 0; i < count && dissection.expectsMore(); i++) {
      dissection.add(duplicate);
    }
  }
}
