package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** UDP. */
public final class UdpProtocol implements Protocol {
  public static final Fields UDP = Fields.of("udp", "User Datagram Protocol", "RFC 768");
  public static final Field SOURCE_PORT = UDP.field("udp.srcport", 16, DECIMAL, "Source port");
  public static final Field DESTINATION_PORT =
      UDP.field("udp.dstport", 16, DECIMAL, "Destination port");
  public static final Field LENGTH = UDP.field("udp.length", 16, DECIMAL, "Length");
  public static final Field CHECKSUM = UDP.field("udp.checksum", 16, HEX, "Checksum");
  public static final Field STREAM = UDP.floating("udp.stream", 32, DECIMAL, "Stream");
  public static final Field PAYLOAD = UDP.floating("udp.payload", 0, BYTES, "Payload");

  private static final int HEADER_BYTES = 8;

  /** A sum of 0 is sent so: 0 says that there is none. */
  private static final int NO_CHECKSUM_COMPLEMENT = 0xFFFF;

  static {
    UDP.alias("udp.port", SOURCE_PORT, DESTINATION_PORT);
    UDP.summary(LENGTH);
  }

  @Override
  public Fields fields() {
    return UDP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.UDP));
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    scan.header(HEADER_BYTES);
    if (!scan.isSound()) {
      return;
    }
    // RFC 2675, section 4: 0 in a jumbogram, whose length IP says.
    if (length != 0 || scan.claimedLength() <= 0xFFFF) {
      if (length < HEADER_BYTES || length > scan.claimedLength()) {
        scan.malformed();
      }
      scan.total(Math.max(length, HEADER_BYTES));
    }
    scan.nextOfPorts(
        DispatchTable.UDP_PORT, scan.number(SOURCE_PORT), scan.number(DESTINATION_PORT));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.wantsMore()) {
      return;
    }
    if (dissection.layer().has(CHECKSUM) && dissection.wants(STREAM)) {
      long number = dissection.stream();
      if (number >= 0) {
        dissection.value(STREAM, number, 0, 0);
      }
    }
    dissection.payload(PAYLOAD);
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(LENGTH, layer.totalLength());
    if (!layer.isSet(CHECKSUM)) {
      int checksum = PseudoHeader.checksum(layer, IpProtocol.UDP);
      layer.complete(CHECKSUM, checksum == 0 ? NO_CHECKSUM_COMPLEMENT : checksum);
    }
  }
}
