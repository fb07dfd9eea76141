package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;
import java.util.List;

/** How Cisco's routers find their addresses on serial lines, and that these are alive. */
public final class SlarpProtocol implements Protocol {
  public static final Fields SLARP = Fields.of("slarp", "Cisco SLARP", "RFC 1547, section 4.3.1");
  public static final Field TYPE =
      SLARP.field(
          "slarp.ptype",
          32,
          DECIMAL,
          "Type",
          ValueNames.from0("Address request", "Address reply", "Keepalive"));
  public static final Field ADDRESS = SLARP.floating("slarp.address", 32, IPV4, "Address");
  public static final Field MASK = SLARP.floating("slarp.netmask", 32, IPV4, "Mask");
  public static final Field SENT =
      SLARP.floating("slarp.mysequence", 32, DECIMAL, "Sequence number sent");
  public static final Field RETURNED =
      SLARP.floating("slarp.yoursequence", 32, DECIMAL, "Sequence number returned");
  public static final Field RELIABILITY =
      SLARP.floating("slarp.reliability", 16, HEX, "Reliability");

  private static final int KEEPALIVE = 2;
  private static final int TYPE_BYTES = 4;

  static {
    SLARP.summary(TYPE, ADDRESS, SENT, RETURNED);
  }

  @Override
  public Fields fields() {
    return SLARP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(CiscoHdlcProtocol.PROTOCOLS.key(EtherType.RARP));
  }

  @Override
  public void scan(Scan scan) {
    long type = scan.value(TYPE);
    if (type > KEEPALIVE) {
      scan.header(TYPE_BYTES);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    long type = dissection.u32(0);
    dissection.fixed();
    if (type < KEEPALIVE) {
      dissection.add(ADDRESS);
      dissection.add(MASK);
    } else if (type == KEEPALIVE) {
      dissection.add(SENT);
      dissection.add(RETURNED);
      dissection.add(RELIABILITY);
    }
  }
}
