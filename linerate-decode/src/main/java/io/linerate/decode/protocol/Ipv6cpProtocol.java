package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.EUI64;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/** How the ends of a PPP link agree on the last half of their IPv6 addresses. */
public final class Ipv6cpProtocol implements Protocol {
  public static final Fields IPV6CP =
      Fields.of("ipv6cp", "PPP IPv6 Control Protocol", "RFC 5072, section 3");
  private static final PppControl CONTROL = new PppControl(IPV6CP);
  public static final Field OPTION_TYPE =
      IPV6CP
          .source("RFC 5072, section 4")
          .floating("ipv6cp.opt.type", 8, DECIMAL, "Type of the option");
  public static final Field OPTION_LENGTH =
      IPV6CP.floating("ipv6cp.opt.length", 8, DECIMAL, "Length of the option");
  public static final Field INTERFACE =
      IPV6CP.floating("ipv6cp.interface_identifier", 64, EUI64, "Interface identifier");
  public static final Field COMPRESSION =
      IPV6CP
          .source("RFC 5172, section 2")
          .floating("ipv6cp.opt.compress_proto", 16, HEX, "Compression protocol");
  public static final Field DATA = IPV6CP.floating("ipv6cp.data", 0, BYTES, "Data of the option");

  private static final int INTERFACE_TYPE = 1;
  private static final int COMPRESSION_TYPE = 2;

  @Override
  public Fields fields() {
    return IPV6CP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.PPP_PROTOCOL.key(0x8057));
  }

  @Override
  public void scan(Scan scan) {
    CONTROL.scan(scan);
  }

  @Override
  public void dissect(Dissection dissection) {
    CONTROL.dissect(dissection, Ipv6cpProtocol::option);
  }

  private static void option(Dissection dissection, int type, int count) {
    dissection.add(OPTION_TYPE);
    dissection.add(OPTION_LENGTH);
    if (type == INTERFACE_TYPE) {
      dissection.add(INTERFACE);
    } else if (type == COMPRESSION_TYPE) {
      dissection.add(COMPRESSION);
    }
    dissection.addLeft(DATA);
  }
}
