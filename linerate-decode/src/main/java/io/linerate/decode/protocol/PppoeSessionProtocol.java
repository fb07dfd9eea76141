package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import java.util.List;

/** PPP over Ethernet, once there is a session. */
public final class PppoeSessionProtocol implements Protocol {
  public static final Fields SESSION_STAGE =
      Fields.of("pppoes", "PPP-over-Ethernet Session", "RFC 2516, section 4");
  public static final Field VERSION = SESSION_STAGE.field("pppoe.version", 4, DECIMAL, "Version");
  public static final Field TYPE = SESSION_STAGE.field("pppoe.type", 4, DECIMAL, "Type");
  public static final Field CODE =
      SESSION_STAGE.field("pppoe.code", 8, HEX, "Code", PppoeDiscoveryProtocol.CODES);
  public static final Field SESSION = SESSION_STAGE.field("pppoe.session_id", 16, HEX, "Session");
  public static final Field LENGTH =
      SESSION_STAGE.field("pppoe.payload_length", 16, DECIMAL, "Length of the payload");

  static {
    SESSION_STAGE.summary(SESSION);
  }

  @Override
  public Fields fields() {
    return SESSION_STAGE;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.LINK_TYPE.key(51), // LINKTYPE_PPP_ETHER
        DispatchTable.ETHER_TYPE.key(EtherType.PPPOE_SESSION));
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    scan.header(PppoeDiscoveryProtocol.HEADER_BYTES);
    scan.total(PppoeDiscoveryProtocol.HEADER_BYTES + length);
    if (length > scan.claimedLength() - PppoeDiscoveryProtocol.HEADER_BYTES) {
      scan.malformed();
    }
    scan.next(DispatchTable.LINK_TYPE, LinkType.PPP.number());
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(VERSION, 1);
    layer.complete(TYPE, 1);
    layer.complete(LENGTH, layer.totalLength() - layer.length());
  }
}
