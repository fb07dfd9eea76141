package io.linerate.example;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.MAC;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import java.util.List;

/**
 * Wake-on-LAN: six bytes 0xff, sixteen times the address of the machine that is to wake, and a
 * password of four or six bytes, or none.
 */
public final class WakeOnLanProtocol implements Protocol {
  public static final Fields WOL =
      Fields.of("wol", "Wake-on-LAN", "AMD publication 20213, Magic Packet Technology");

  public static final Field SYNC = WOL.field("wol.sync", 48, MAC, "Sync stream");
  public static final Field TARGET = WOL.field("wol.mac", 48, MAC, "Machine");
  public static final Field PASSWORD = WOL.floating("wol.passwd", 0, BYTES, "Password");

  private static final int REPEATED = 16;
  private static final int HEADER_BYTES = 6 + 6 * REPEATED;
  private static final long SYNC_VALUE = 0xFFFF_FFFF_FFFFL;

  static {
    WOL.summary(TARGET);
  }

  @Override
  public Fields fields() {
    return WOL;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.ETHER_TYPE.key(EtherType.WAKE_ON_LAN), DispatchTable.UDP_PORT.key(9));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.value(SYNC) != SYNC_VALUE) {
      scan.malformed();
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    dissection.offset(HEADER_BYTES);
    int left = dissection.left();
    if (left >= 4) {
      dissection.add(PASSWORD, left >= 6 ? 6 : 4);
    }
  }
}
