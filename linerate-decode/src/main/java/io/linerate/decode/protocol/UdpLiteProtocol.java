package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** UDP-Lite: as UDP, with fields of its names, but for what the checksum covers. */
public final class UdpLiteProtocol implements Protocol {
  public static final Fields UDP_LITE =
      Fields.of("udplite", "Lightweight User Datagram Protocol", "RFC 3828, section 3.1");
  public static final Field SOURCE_PORT = UDP_LITE.field("udp.srcport", 16, DECIMAL, "Source port");
  public static final Field DESTINATION_PORT =
      UDP_LITE.field("udp.dstport", 16, DECIMAL, "Destination port");
  public static final Field COVERAGE =
      UDP_LITE.field("udp.checksum_coverage", 16, DECIMAL, "Checksum coverage");
  public static final Field CHECKSUM = UDP_LITE.field("udp.checksum", 16, HEX, "Checksum");
  public static final Field LENGTH = UDP_LITE.floating("udp.length", 16, DECIMAL, "Length");
  public static final Field STREAM =
      UDP_LITE.floating("udp.stream", 32, DECIMAL, "Stream, of those of UDP");
  public static final Field PAYLOAD = UDP_LITE.floating("udp.payload", 0, BYTES, "Payload");

  private static final int HEADER_BYTES = 8;

  static {
    UDP_LITE.alias("udp.port", SOURCE_PORT, DESTINATION_PORT);
    UDP_LITE.summary(LENGTH);
  }

  @Override
  public Fields fields() {
    return UDP_LITE;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.UDPLITE));
  }

  @Override
  public void scan(Scan scan) {
    int coverage = scan.number(COVERAGE);
    scan.header(HEADER_BYTES);
    // RFC 3828, section 3.1: 0 is all of it.
    if (coverage != 0 && (coverage < HEADER_BYTES || coverage > scan.claimedLength())) {
      scan.malformed();
    }
    scan.nextOfPorts(
        DispatchTable.UDP_PORT, scan.number(SOURCE_PORT), scan.number(DESTINATION_PORT));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.layer().has(CHECKSUM) && dissection.wants(STREAM)) {
      long number = dissection.stream();
      if (number >= 0) {
        dissection.value(STREAM, number, 0, 0);
      }
    }
    if (dissection.layer().has(CHECKSUM)) {
      dissection.value(LENGTH, HEADER_BYTES + dissection.layer().claimedPayloadBytes(), 0, 0);
    }
    dissection.payload(PAYLOAD);
  }
}
