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

/** The encapsulating security payload of IPsec: what it carries is encrypted. */
public final class EspProtocol implements Protocol {
  public static final Fields ESP =
      Fields.of("esp", "Encapsulating Security Payload", "RFC 4303, section 2");
  public static final Field SPI = ESP.field("esp.spi", 32, HEX, "Security parameters index");
  public static final Field SEQUENCE = ESP.field("esp.sequence", 32, DECIMAL, "Sequence number");

  static {
    ESP.summary(SPI, SEQUENCE);
  }

  @Override
  public Fields fields() {
    return ESP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.ESP));
  }

  @Override
  public void scan(Scan scan) {
    long _ = scan.value(SEQUENCE);
  }
}
