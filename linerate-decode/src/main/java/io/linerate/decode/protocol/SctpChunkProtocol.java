package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;

/**
 * A chunk of SCTP: type, flags, length of all of it, and what the type says. One of data carries
 * what its payload protocol identifier, or the ports of SCTP, say; the next chunk stands beside it.
 */
public final class SctpChunkProtocol implements Protocol {
  public static final Fields SCTP_CHUNK =
      Fields.of("sctp.chunk", "SCTP Chunk", "RFC 9260, section 3.2");
  public static final Field TYPE =
      SCTP_CHUNK.field("sctp.chunk_type", 8, DECIMAL, "Chunk", value -> SctpChunks.NAMES.of(value));
  public static final Field STOP =
      SCTP_CHUNK.part("sctp.chunk_bit_1", 0, 1, 8, FLAG, "Skip if unknown");
  public static final Field REPORT =
      SCTP_CHUNK.part("sctp.chunk_bit_2", 1, 1, 8, FLAG, "Report if unknown");
  public static final Field FLAGS = SCTP_CHUNK.at(1).field("sctp.chunk_flags", 8, HEX, "Flags");
  public static final Field LENGTH = SCTP_CHUNK.field("sctp.chunk_length", 16, DECIMAL, "Length");

  static final Field PADDING = SCTP_CHUNK.floating("sctp.chunk_padding", 0, BYTES, "Padding");

  static final int HEADER_BYTES = 4;
  static final int DATA_HEADER_BYTES = 16;
  static final int I_DATA_HEADER_BYTES = 20;

  private static final int WHOLE = SctpChunks.BEGIN_BIT | SctpChunks.END_BIT;
  private static final int IDENTIFIER_OFFSET = 12;

  static {
    SctpChunks.declare();
    SCTP_CHUNK.summary(TYPE, LENGTH);
  }

  @Override
  public Fields fields() {
    return SCTP_CHUNK;
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.number(TYPE);
    int length = scan.number(LENGTH);
    if (length < HEADER_BYTES) {
      scan.malformed();
      return;
    }
    int bytes = (length + 3) & ~3;
    if (type == SctpChunks.DATA || type == SctpChunks.I_DATA) {
      data(scan, type, length);
      scan.beside(bytes, this);
      return;
    }
    // The last chunk may come without its padding.
    scan.header(bytes <= scan.length() || length > scan.length() ? bytes : scan.length());
    scan.next(this);
  }

  private static void data(Scan scan, int type, int length) {
    scan.header(type == SctpChunks.DATA ? DATA_HEADER_BYTES : I_DATA_HEADER_BYTES);
    if (!scan.has(0, length)) {
      scan.u8(length - 1);
    }
    scan.trailer(length);
    boolean isFirst = (scan.u8(1) & SctpChunks.BEGIN_BIT) != 0;
    if (isFirst) {
      int at = type == SctpChunks.DATA ? IDENTIFIER_OFFSET : IDENTIFIER_OFFSET + 4;
      next(scan, scan.u32(at));
    }
    if ((scan.u8(1) & WHOLE) != WHOLE) {
      scan.partial();
    }
  }

  /** The identifier says what it is; where it says nothing, the ports do. */
  private static void next(Scan scan, long identifier) {
    scan.next(DispatchTable.SCTP_PPI, identifier);
    Layer sctp = scan.outer();
    if (!scan.hasNext() && sctp != null && sctp.protocol() instanceof SctpProtocol) {
      scan.nextOfPorts(
          DispatchTable.SCTP_PORT,
          (int) sctp.value(SctpProtocol.SOURCE_PORT),
          (int) sctp.value(SctpProtocol.DESTINATION_PORT));
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.layer().has(LENGTH)) {
      SctpChunks.dissect(dissection);
    }
  }
}
