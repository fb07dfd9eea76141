package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** VRRP, versions 2 and 3. */
public final class VrrpProtocol implements Protocol {
  public static final Fields VRRP =
      Fields.of("vrrp", "Virtual Router Redundancy Protocol", "RFC 9568, section 5.1");
  public static final Field VERSION_AND_TYPE =
      VRRP.part("vrrp.typever", 0, 8, 8, DECIMAL, "Version and type");
  public static final Field VERSION = VRRP.field("vrrp.version", 4, DECIMAL, "Version");
  public static final Field TYPE = VRRP.field("vrrp.type", 4, DECIMAL, "Type");
  public static final Field ROUTER = VRRP.field("vrrp.virt_rtr_id", 8, DECIMAL, "Virtual router");
  public static final Field PRIORITY = VRRP.field("vrrp.prio", 8, DECIMAL, "Priority");
  public static final Field COUNT = VRRP.field("vrrp.addr_count", 8, DECIMAL, "Addresses");
  public static final Field CHECKSUM = VRRP.at(6).field("vrrp.checksum", 16, HEX, "Checksum");

  private static final Field AUTHENTICATION =
      VRRP.source("RFC 3768, section 5.3.6")
          .floating("vrrp.auth_type", 8, DECIMAL, "Authentication");
  private static final Field INTERVAL_2 =
      VRRP.floating("vrrp.adver_int", 8, DECIMAL, "Interval in seconds");
  private static final Parts INTERVAL_3 =
      VRRP.source("RFC 9568, section 5.2.7")
          .parts(16)
          .part("vrrp.reserved_mbz", 4, DECIMAL, "Reserved")
          .part("vrrp.short_adver_int", 12, DECIMAL, "Interval in units of 10 ms");
  private static final Field ADDRESS = VRRP.floating("vrrp.ip_addr", 32, IPV4, "Address");
  private static final Field ADDRESS_6 = VRRP.floating("vrrp.ipv6_addr", 128, IPV6, "Address");
  private static final Field PASSWORD =
      VRRP.source("RFC 2338, section 5.3.10").floating("vrrp.auth_string", 64, TEXT, "Password");

  private static final int VERSION_3 = 3;
  private static final int SIMPLE = 1;

  static {
    VRRP.summary(VERSION, ROUTER, PRIORITY);
  }

  @Override
  public Fields fields() {
    return VRRP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.VRRP));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed(VERSION_AND_TYPE);
    dissection.fixed(VERSION);
    dissection.fixed(TYPE);
    dissection.fixed(ROUTER);
    dissection.fixed(PRIORITY);
    dissection.fixed(COUNT);
    Layer layer = dissection.layer();
    if (!layer.has(COUNT)) {
      return;
    }
    int authentication = 0;
    if (layer.value(VERSION) == VERSION_3) {
      dissection.add(INTERVAL_3);
    } else {
      authentication = (int) dissection.add(AUTHENTICATION);
      dissection.add(INTERVAL_2);
    }
    dissection.fixed(CHECKSUM);
    addresses(dissection, (int) layer.value(COUNT), isIpv6(dissection));
    if (authentication == SIMPLE && dissection.left() > 0) {
      dissection.add(PASSWORD);
    }
  }

  private static boolean isIpv6(Dissection dissection) {
    Layer outer = dissection.outer();
    return outer != null && !(outer.protocol() instanceof Ipv4Protocol);
  }

  private static void addresses(Dissection dissection, int count, boolean isIpv6) {
    for (int i = 0; i < count && dissection.expectsMore(); i++) {
      dissection.add(isIpv6 ? ADDRESS_6 : ADDRESS);
    }
  }
}
