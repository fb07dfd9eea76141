package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** SCTP: the common header. Each chunk is a layer of its own. */
public final class SctpProtocol implements Protocol {
  public static final Fields SCTP =
      Fields.of("sctp", "Stream Control Transmission Protocol", "RFC 9260, section 3.1");
  public static final Field SOURCE_PORT = SCTP.field("sctp.srcport", 16, DECIMAL, "Source port");
  public static final Field DESTINATION_PORT =
      SCTP.field("sctp.dstport", 16, DECIMAL, "Destination port");
  public static final Field VERIFICATION_TAG =
      SCTP.field("sctp.verification_tag", 32, HEX, "Verification tag");
  public static final Field CHECKSUM = SCTP.field("sctp.checksum", 32, HEX, "Checksum");

  private static final int HEADER_BYTES = 12;
  private static final Protocol CHUNK = new SctpChunkProtocol();

  static {
    SCTP.alias("sctp.port", SOURCE_PORT, DESTINATION_PORT);
    SCTP.summary("tag=|sctp.verification_tag");
  }

  @Override
  public Fields fields() {
    return SCTP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.SCTP));
  }

  @Override
  public void scan(Scan scan) {
    int _ = scan.number(CHECKSUM);
    scan.header(HEADER_BYTES);
    scan.next(CHUNK);
  }
}
