package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.protocol.SctpChunkProtocol.SCTP_CHUNK;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** What is in a chunk of SCTP, by its type. */
final class SctpChunks {
  static final int DATA = 0;
  static final int I_DATA = 64;

  /** Of a chunk of data: the last and the first part of a message. */
  static final int END_BIT = 0x01;

  static final int BEGIN_BIT = 0x02;

  private static final int INIT = 1;
  private static final int INIT_ACK = 2;
  private static final int SACK = 3;
  private static final int HEARTBEAT = 4;
  private static final int HEARTBEAT_ACK = 5;
  private static final int ABORT = 6;
  private static final int SHUTDOWN = 7;
  private static final int SHUTDOWN_ACK = 8;
  private static final int ERROR = 9;
  private static final int COOKIE_ECHO = 10;
  private static final int COOKIE_ACK = 11;
  private static final int ECNE = 12;
  private static final int CWR = 13;
  private static final int SHUTDOWN_COMPLETE = 14;
  private static final int AUTHENTICATION = 15;
  private static final int NR_SACK = 16;
  private static final int ASCONF_ACK = 128;
  private static final int PACKET_DROP = 129;
  private static final int RE_CONFIG = 130;
  private static final int PAD = 132;
  private static final int FORWARD_TSN = 192;
  private static final int ASCONF = 193;
  private static final int I_FORWARD_TSN = 194;

  static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(DATA, "Data"),
              Map.entry(INIT, "Initiation"),
              Map.entry(INIT_ACK, "Initiation acknowledgment"),
              Map.entry(SACK, "Selective acknowledgment"),
              Map.entry(HEARTBEAT, "Heartbeat"),
              Map.entry(HEARTBEAT_ACK, "Heartbeat acknowledgment"),
              Map.entry(ABORT, "Abort"),
              Map.entry(SHUTDOWN, "Shutdown"),
              Map.entry(SHUTDOWN_ACK, "Shutdown acknowledgment"),
              Map.entry(ERROR, "Error"),
              Map.entry(COOKIE_ECHO, "Cookie echo"),
              Map.entry(COOKIE_ACK, "Cookie acknowledgment"),
              Map.entry(ECNE, "ECN echo"),
              Map.entry(CWR, "Congestion window reduced"),
              Map.entry(SHUTDOWN_COMPLETE, "Shutdown complete"),
              Map.entry(AUTHENTICATION, "Authentication"),
              Map.entry(NR_SACK, "Non-renegable acknowledgment"),
              Map.entry(I_DATA, "Interleaved data"),
              Map.entry(ASCONF_ACK, "Address configuration acknowledgment"),
              Map.entry(PACKET_DROP, "Packet drop"),
              Map.entry(RE_CONFIG, "Stream reconfiguration"),
              Map.entry(PAD, "Padding"),
              Map.entry(FORWARD_TSN, "Forward TSN"),
              Map.entry(ASCONF, "Address configuration"),
              Map.entry(I_FORWARD_TSN, "Interleaved forward TSN")));

  private static final Parts DATA_FLAGS =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.1")
          .parts(8)
          .skip(4)
          .flag("sctp.data_i_bit", "Acknowledge at once")
          .flag("sctp.data_u_bit", "Unordered")
          .flag("sctp.data_b_bit", "First part")
          .flag("sctp.data_e_bit", "Last part");
  private static final Field DATA_TSN =
      SCTP_CHUNK.floating("sctp.data_tsn_raw", 32, DECIMAL, "Transmission sequence number");
  private static final Field STREAM = SCTP_CHUNK.floating("sctp.data_sid", 16, HEX, "Stream");
  private static final Field STREAM_SEQUENCE =
      SCTP_CHUNK.floating("sctp.data_ssn", 16, DECIMAL, "Stream sequence number");
  private static final Field PAYLOAD_PROTOCOL =
      SCTP_CHUNK.floating("sctp.data_payload_proto_id", 32, DECIMAL, "Payload protocol");
  private static final Field DATA_RESERVED =
      SCTP_CHUNK
          .source("RFC 8260, section 2.1")
          .floating("sctp.data_reserved", 16, DECIMAL, "Reserved");
  private static final Field MESSAGE = SCTP_CHUNK.floating("sctp.data_mid", 32, DECIMAL, "Message");
  private static final Field FRAGMENT =
      SCTP_CHUNK.floating("sctp.data_fsn", 32, DECIMAL, "Fragment sequence number");
  private static final Field INIT_TAG =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.2")
          .floating("sctp.init_initiate_tag", 32, HEX, "Tag");
  private static final Field INIT_CREDIT =
      SCTP_CHUNK.floating("sctp.init_credit", 32, DECIMAL, "Receiver window");
  private static final Field INIT_OUT =
      SCTP_CHUNK.floating("sctp.init_nr_out_streams", 16, DECIMAL, "Outbound streams");
  private static final Field INIT_IN =
      SCTP_CHUNK.floating("sctp.init_nr_in_streams", 16, DECIMAL, "Inbound streams");
  private static final Field INIT_TSN =
      SCTP_CHUNK.floating("sctp.init_initial_tsn", 32, DECIMAL, "First TSN");
  private static final Field ACK_TAG =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.3")
          .floating("sctp.initack_initiate_tag", 32, HEX, "Tag");
  private static final Field ACK_CREDIT =
      SCTP_CHUNK.floating("sctp.initack_credit", 32, DECIMAL, "Receiver window");
  private static final Field ACK_OUT =
      SCTP_CHUNK.floating("sctp.initack_nr_out_streams", 16, DECIMAL, "Outbound streams");
  private static final Field ACK_IN =
      SCTP_CHUNK.floating("sctp.initack_nr_in_streams", 16, DECIMAL, "Inbound streams");
  private static final Field ACK_TSN =
      SCTP_CHUNK.floating("sctp.initack_initial_tsn", 32, DECIMAL, "First TSN");
  private static final Field TAG =
      SCTP_CHUNK.floating("sctp.initiate_tag", 32, HEX, "Tag of either");
  private static final Field SHUTDOWN_TSN =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.8")
          .floating("sctp.shutdown_cumulative_tsn_ack", 32, DECIMAL, "Acknowledged up to");
  private static final Field COOKIE = SCTP_CHUNK.floating("sctp.cookie", 0, BYTES, "Cookie");
  private static final Field ECNE_TSN =
      SCTP_CHUNK
          .source("RFC 9260, appendix A")
          .floating("sctp.ecne_lowest_tsn", 32, DECIMAL, "Lowest TSN");
  private static final Field CWR_TSN =
      SCTP_CHUNK.floating("sctp.cwr_lowest_tsn", 32, DECIMAL, "Lowest TSN");
  private static final Parts COMPLETE_FLAGS =
      SCTP_CHUNK
          .source("RFC 9260, section 3.3.13")
          .parts(8)
          .skip(7)
          .flag("sctp.shutdown_complete_t_bit", "Tag reflected");
  private static final Parts ABORT_FLAGS =
      SCTP_CHUNK.parts(8).skip(7).flag("sctp.abort_t_bit", "Tag reflected");
  private static final Field FORWARD =
      SCTP_CHUNK
          .source("RFC 3758, section 3.2")
          .floating("sctp.forward_tsn_tsn", 32, DECIMAL, "New TSN");
  private static final Field FORWARD_STREAM =
      SCTP_CHUNK.floating("sctp.forward_tsn_sid", 16, DECIMAL, "Stream skipped");
  private static final Field FORWARD_SEQUENCE =
      SCTP_CHUNK.floating("sctp.forward_tsn_ssn", 16, DECIMAL, "Sequence skipped");
  private static final Field I_FORWARD =
      SCTP_CHUNK
          .source("RFC 8260, section 2.3.1")
          .floating("sctp.i_forward_tsn_tsn", 32, DECIMAL, "New TSN");
  private static final Field I_FORWARD_STREAM =
      SCTP_CHUNK.floating("sctp.i_forward_tsn_sid", 16, DECIMAL, "Stream skipped");
  private static final Parts I_FORWARD_FLAGS =
      SCTP_CHUNK
          .parts("sctp.i_forward_tsn_flags", 16, HEX, "Flags")
          .part("sctp.i_forward_tsn_res", 15, DECIMAL, "Reserved")
          .flag("sctp.i_forward_tsn_u_bit", "Unordered");
  private static final Field FORWARD_MESSAGE =
      SCTP_CHUNK.floating("sctp.forward_tsn_mid", 32, DECIMAL, "Message skipped");
  private static final Field KEY =
      SCTP_CHUNK
          .source("RFC 4895, section 4.1")
          .floating("sctp.shared_key_id", 16, DECIMAL, "Shared key");
  static final Field ALGORITHM = SCTP_CHUNK.floating("sctp.hmac_id", 16, DECIMAL, "HMAC algorithm");
  private static final Field CODE = SCTP_CHUNK.floating("sctp.hmac", 0, BYTES, "HMAC");
  private static final Field ASCONF_NUMBER =
      SCTP_CHUNK
          .source("RFC 5061, section 4.1")
          .floating("sctp.asconf_seq_nr_number", 32, HEX, "Sequence number");
  private static final Field ASCONF_ACK_NUMBER =
      SCTP_CHUNK.floating("sctp.asconf_ack_seq_nr_number", 32, HEX, "Sequence number");
  private static final Parts DROP_FLAGS =
      SCTP_CHUNK
          .source("draft-stewart-tsvwg-pktdrprep, section 2.1")
          .parts(8)
          .skip(5)
          .flag("sctp.pckdrop_t_bit", "Truncated")
          .flag("sctp.pckdrop_b_bit", "Damaged")
          .flag("sctp.pckdrop_m_bit", "Sent by a middlebox");
  private static final Field BANDWIDTH =
      SCTP_CHUNK.floating("sctp.pktdrop_bandwidth", 32, DECIMAL, "Bandwidth");
  private static final Field QUEUE =
      SCTP_CHUNK.floating("sctp.pktdrop_queuesize", 32, DECIMAL, "Queue size");
  private static final Field TRUNCATED =
      SCTP_CHUNK.floating("sctp.pktdrop_truncated_length", 16, DECIMAL, "Truncated length");
  private static final Field DROP_RESERVED =
      SCTP_CHUNK.floating("sctp.pktdrop_reserved", 16, DECIMAL, "Reserved");
  private static final Field DROPPED =
      SCTP_CHUNK.floating("sctp.pktdrop_datafield", 0, BYTES, "Dropped packet");
  private static final Field PAD_DATA =
      SCTP_CHUNK
          .source("RFC 4820, section 3")
          .floating("sctp.padding_data", 0, BYTES, "Padding data");
  private static final Field VALUE =
      SCTP_CHUNK
          .source("RFC 9260, section 3.2")
          .floating("sctp.chunk_value", 0, BYTES, "Chunk value");

  private SctpChunks() {}

  /** Declares the fields: those of chunks are complete only then. */
  static void declare() {
    SctpAcknowledgments.declare();
    SctpParameters.declare();
    SctpCauses.declare();
  }

  /** What is behind the header of a chunk, and its padding. */
  static void dissect(Dissection dissection) {
    int type = (int) dissection.layer().value(SctpChunkProtocol.TYPE);
    int flags = (int) dissection.layer().value(SctpChunkProtocol.FLAGS);
    int length = (int) dissection.layer().value(SctpChunkProtocol.LENGTH);
    if (type == DATA || type == I_DATA) {
      data(dissection, type, flags);
      dissection.trailer();
      // The trailer has the next chunks as well: they are layers of their own.
      int padding = Math.min(-length & 3, dissection.left());
      if (padding > 0) {
        dissection.add(SctpChunkProtocol.PADDING, padding);
      }
      return;
    }
    int before = dissection.enter(length - SctpChunkProtocol.HEADER_BYTES);
    flags(dissection, type, flags);
    value(dissection, type);
    dissection.leave(before);
    if (dissection.left() > 0) {
      dissection.addLeft(SctpChunkProtocol.PADDING);
    }
  }

  private static void flags(Dissection dissection, int type, int flags) {
    switch (type) {
      case SACK -> dissection.values(SctpAcknowledgments.SACK_FLAGS, flags, -3);
      case NR_SACK -> dissection.values(SctpAcknowledgments.NR_FLAGS, flags, -3);
      case ABORT -> dissection.values(ABORT_FLAGS, flags, -3);
      case SHUTDOWN_COMPLETE -> dissection.values(COMPLETE_FLAGS, flags, -3);
      case PACKET_DROP -> dissection.values(DROP_FLAGS, flags, -3);
      default -> {}
    }
  }

  private static void value(Dissection dissection, int type) {
    switch (type) {
      case INIT -> init(dissection, INIT_TAG, INIT_CREDIT, INIT_OUT, INIT_IN, INIT_TSN);
      case INIT_ACK -> init(dissection, ACK_TAG, ACK_CREDIT, ACK_OUT, ACK_IN, ACK_TSN);
      case SACK -> SctpAcknowledgments.sack(dissection);
      case NR_SACK -> SctpAcknowledgments.nrSack(dissection);
      case HEARTBEAT, HEARTBEAT_ACK, RE_CONFIG -> SctpParameters.dissect(dissection);
      case ABORT, ERROR -> SctpCauses.dissect(dissection);
      case SHUTDOWN -> dissection.add(SHUTDOWN_TSN);
      case SHUTDOWN_ACK, COOKIE_ACK, SHUTDOWN_COMPLETE -> {}
      case COOKIE_ECHO -> dissection.addLeft(COOKIE);
      case ECNE -> dissection.add(ECNE_TSN);
      case CWR -> dissection.add(CWR_TSN);
      case AUTHENTICATION -> {
        dissection.add(KEY);
        dissection.add(ALGORITHM);
        dissection.addLeft(CODE);
      }
      case ASCONF -> {
        dissection.add(ASCONF_NUMBER);
        SctpParameters.dissect(dissection);
      }
      case ASCONF_ACK -> {
        dissection.add(ASCONF_ACK_NUMBER);
        SctpParameters.dissect(dissection);
      }
      case PACKET_DROP -> packetDrop(dissection);
      case PAD -> dissection.addLeft(PAD_DATA);
      case FORWARD_TSN -> {
        dissection.add(FORWARD);
        while (dissection.left() > 0) {
          dissection.add(FORWARD_STREAM);
          dissection.add(FORWARD_SEQUENCE);
        }
      }
      case I_FORWARD_TSN -> {
        dissection.add(I_FORWARD);
        while (dissection.left() > 0) {
          dissection.add(I_FORWARD_STREAM);
          dissection.add(I_FORWARD_FLAGS);
          dissection.add(FORWARD_MESSAGE);
        }
      }
      default -> dissection.addLeft(VALUE);
    }
  }

  private static void data(Dissection dissection, int type, int flags) {
    dissection.values(DATA_FLAGS, flags, -3);
    dissection.add(DATA_TSN);
    dissection.add(STREAM);
    if (type == DATA) {
      dissection.add(STREAM_SEQUENCE);
      dissection.add(PAYLOAD_PROTOCOL);
    } else {
      dissection.add(DATA_RESERVED);
      dissection.add(MESSAGE);
      dissection.add((flags & BEGIN_BIT) != 0 ? PAYLOAD_PROTOCOL : FRAGMENT);
    }
  }

  private static void init(
      Dissection dissection, Field tag, Field credit, Field out, Field in, Field tsn) {
    dissection.value(TAG, dissection.u32(0), 0, 4);
    dissection.add(tag);
    dissection.add(credit);
    dissection.add(out);
    dissection.add(in);
    dissection.add(tsn);
    SctpParameters.dissect(dissection);
  }

  private static void packetDrop(Dissection dissection) {
    dissection.add(BANDWIDTH);
    dissection.add(QUEUE);
    dissection.add(TRUNCATED);
    dissection.add(DROP_RESERVED);
    dissection.addLeft(DROPPED);
  }
}
