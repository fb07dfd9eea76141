package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import java.util.List;

/**
 * IPsec through address translators: ESP, or, behind four bytes of 0 where an SPI would be, a
 * message of IKE, or one byte that keeps the translation alive.
 */
public final class UdpEncapsulationProtocol implements Protocol {
  public static final Fields ENCAPSULATION =
      Fields.of("udpencap", "UDP Encapsulation of IPsec Packets", "RFC 3948, section 2");
  public static final Field KEEPALIVE =
      ENCAPSULATION.floating("udpencap.nat_keepalive", 8, NONE, "Keepalive");
  public static final Field MARKER =
      ENCAPSULATION.floating("udpencap.non_esp_marker", 32, NONE, "No ESP");

  private static final int PORT = 4500;
  private static final int IKE_PORT = 500;
  private static final int MARKER_BYTES = 4;
  private static final int KEEPALIVE_BYTE = 0xFF;

  @Override
  public Fields fields() {
    return ENCAPSULATION;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(PORT));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.claimedLength() == 1 && scan.u8(0) == KEEPALIVE_BYTE) {
      return;
    }
    if (scan.i32(0) == 0) {
      scan.header(MARKER_BYTES);
      scan.next(DispatchTable.UDP_PORT, IKE_PORT);
    } else {
      scan.header(0);
      scan.next(DispatchTable.IP_PROTOCOL, IpProtocol.ESP);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    switch (dissection.left()) {
      case 1 -> dissection.add(KEEPALIVE);
      case MARKER_BYTES -> dissection.add(MARKER);
      default -> {}
    }
  }
}
