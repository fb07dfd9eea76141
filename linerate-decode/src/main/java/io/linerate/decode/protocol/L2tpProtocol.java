package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PPP, and with version 3 any link, in tunnels over UDP or IP. The ends have agreed on what a data
 * message of version 3 carries, and on a cookie before it: nothing in it says so.
 *
 * <pre>
 *  version 2:       0 flags, 2 length?, tunnel, session, Ns?, Nr?, offset size?, offset
 *  version 3:       0 flags, 2 length, 4 connection, 8 Ns, 10 Nr, of control messages
 *                   0 flags, 2 reserved, 4 session, of data messages
 *  version 3 in IP: 0 session; if that is 0, a control message
 * </pre>
 */
public final class L2tpProtocol implements Protocol {
  public static final Fields L2TP =
      Fields.of("l2tp", "Layer 2 Tunneling Protocol", "RFC 2661, section 3.1");
  public static final Field FLAGS = L2TP.floating("l2tp.flags", 16, HEX, "Flags");
  public static final Field TYPE =
      L2TP.floating("l2tp.type", 16, DECIMAL, "Type", ValueNames.from0("Data", "Control"));
  public static final Field HAS_LENGTH =
      L2TP.floating("l2tp.length_bit", 16, FLAG, "Length present");
  public static final Field HAS_SEQUENCE =
      L2TP.floating("l2tp.seq_bit", 16, FLAG, "Sequence numbers present");
  public static final Field HAS_OFFSET =
      L2TP.floating("l2tp.offset_bit", 16, FLAG, "Offset present");
  public static final Field PRIORITY = L2TP.floating("l2tp.priority", 16, FLAG, "Priority");
  public static final Field VERSION = L2TP.floating("l2tp.version", 16, DECIMAL, "Version");
  public static final Field LENGTH = L2TP.floating("l2tp.length", 16, DECIMAL, "Length");
  public static final Field TUNNEL = L2TP.floating("l2tp.tunnel", 16, DECIMAL, "Tunnel");
  public static final Field SESSION = L2TP.floating("l2tp.session", 16, DECIMAL, "Session");
  public static final Field SENT = L2TP.floating("l2tp.Ns", 16, DECIMAL, "Ns");
  public static final Field RECEIVED = L2TP.floating("l2tp.Nr", 16, DECIMAL, "Nr");
  public static final Field OFFSET = L2TP.floating("l2tp.offset", 16, DECIMAL, "Offset");
  public static final Field OFFSET_PADDING =
      L2TP.floating("l2tp.offset_padding", 0, NONE, "Padding up to the offset");
  public static final Field EMPTY =
      L2TP.floating("l2tp.zero_length_body_message", 0, NONE, "Acknowledgment only");
  public static final Field CONNECTION =
      L2TP.source("RFC 3931, section 3.2.1").floating("l2tp.ccid", 32, HEX, "Control connection");
  public static final Field RESERVED =
      L2TP.source("RFC 3931, section 4.1.2").floating("l2tp.res", 16, HEX, "Reserved");
  public static final Field LONG_SESSION = L2TP.floating("l2tp.sid", 32, HEX, "Session");
  private static final L2tpAttributes ATTRIBUTES = new L2tpAttributes(L2TP);

  private static final int PORT = 1701;
  private static final int CONTROL_FLAG = 0x8000;
  private static final int LENGTH_FLAG = 0x4000;
  private static final int SEQUENCE_FLAG = 0x0800;
  private static final int OFFSET_FLAG = 0x0200;
  private static final int PRIORITY_FLAG = 0x0100;
  private static final int VERSION_MASK = 0xF;
  private static final int VERSION_2 = 2;
  private static final int VERSION_3 = 3;
  private static final int DATA_BYTES_3 = 8;
  private static final int SESSION_BYTES = 4;

  static {
    L2TP.summary(TYPE, TUNNEL, SESSION, CONNECTION, LONG_SESSION);
  }

  @Override
  public Fields fields() {
    return L2TP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.UDP_PORT.key(PORT), DispatchTable.IP_PROTOCOL.key(IpProtocol.L2TP));
  }

  @Override
  public void scan(Scan scan) {
    if (isUdp(scan.outer())) {
      int flags = scan.u16(0);
      int version = flags & VERSION_MASK;
      if (version == VERSION_2) {
        version2(scan, flags);
      } else if (version == VERSION_3) {
        version3(scan, flags);
      } else if (scan.has(0, 2)) {
        scan.refuse();
      }
    } else if (scan.i32(0) != 0) {
      scan.header(SESSION_BYTES);
    } else {
      total(scan, SESSION_BYTES + scan.u16(SESSION_BYTES + 2));
    }
  }

  private static void version3(Scan scan, int flags) {
    if ((flags & CONTROL_FLAG) == 0) {
      scan.header(DATA_BYTES_3);
    } else {
      total(scan, scan.u16(2));
    }
  }

  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  private static boolean isUdp(@Nullable Layer outer) {
    return outer == null || outer.protocol().fields() == UdpProtocol.UDP;
  }

  private static void total(Scan scan, int length) {
    scan.total(length);
    if (length > scan.claimedLength()) {
      scan.malformed();
    }
  }

  private static void version2(Scan scan, int flags) {
    int at = 2;
    if ((flags & LENGTH_FLAG) != 0) {
      total(scan, scan.u16(at));
      at += 2;
    }
    if ((flags & CONTROL_FLAG) != 0) {
      return;
    }
    at += (flags & SEQUENCE_FLAG) != 0 ? 8 : 4;
    if ((flags & OFFSET_FLAG) != 0) {
      at += 2 + scan.u16(at);
    }
    scan.header(at);
    scan.next(DispatchTable.LINK_TYPE, LinkType.PPP.number());
  }

  @Override
  public void dissect(Dissection dissection) {
    boolean isInIp = !isUdp(dissection.outer());
    if (isInIp && dissection.add(LONG_SESSION) != 0) {
      return;
    }
    int flags = dissection.u16(0);
    flags(dissection, flags);
    if ((flags & VERSION_MASK) == VERSION_2) {
      version2(dissection, flags);
    } else if ((flags & CONTROL_FLAG) == 0) {
      dissection.add(RESERVED);
      dissection.add(LONG_SESSION);
    } else {
      dissection.add(LENGTH);
      dissection.add(CONNECTION);
      control(dissection);
    }
  }

  private static void flags(Dissection dissection, int flags) {
    if (!dissection.has(2)) {
      return;
    }
    int version = flags & VERSION_MASK;
    dissection.value(FLAGS, flags, 0, 2);
    dissection.value(TYPE, flags >>> 15, 0, 2);
    dissection.value(HAS_LENGTH, flags & LENGTH_FLAG, 0, 2);
    dissection.value(HAS_SEQUENCE, flags & SEQUENCE_FLAG, 0, 2);
    if (version == VERSION_2) {
      dissection.value(HAS_OFFSET, flags & OFFSET_FLAG, 0, 2);
      dissection.value(PRIORITY, flags & PRIORITY_FLAG, 0, 2);
    }
    dissection.value(VERSION, version, 0, 2);
    dissection.skip(2);
  }

  private static void version2(Dissection dissection, int flags) {
    if ((flags & LENGTH_FLAG) != 0) {
      dissection.add(LENGTH);
    }
    dissection.add(TUNNEL);
    dissection.add(SESSION);
    if ((flags & CONTROL_FLAG) != 0) {
      control(dissection);
      return;
    }
    if ((flags & SEQUENCE_FLAG) != 0) {
      dissection.add(SENT);
      dissection.add(RECEIVED);
    }
    if ((flags & OFFSET_FLAG) != 0) {
      int offset = (int) dissection.add(OFFSET);
      if (offset > 0) {
        dissection.add(OFFSET_PADDING, offset);
      }
    }
  }

  private static void control(Dissection dissection) {
    dissection.add(SENT);
    dissection.add(RECEIVED);
    if (dissection.left() == 0) {
      dissection.add(EMPTY, 0);
    }
    ATTRIBUTES.dissect(dissection);
  }
}
