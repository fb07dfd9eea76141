package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import java.util.List;

/** How the ends of several links agree to use them as one. */
public final class LacpProtocol implements Protocol {
  public static final Fields LACP =
      Fields.of("lacp", "Link Aggregation Control Protocol", "IEEE 802.1AX, clause 6.4.2");
  public static final Field VERSION = LACP.field("lacp.version", 8, HEX, "Version");
  public static final Field TYPE = LACP.floating("lacp.tlv_type", 8, HEX, "Type");
  public static final Field LENGTH = LACP.floating("lacp.tlv_length", 8, HEX, "Length");
  private static final Side ACTOR = new Side("actor");
  private static final Side PARTNER = new Side("partner");
  public static final Field MAX_DELAY =
      LACP.floating("lacp.collector.max_delay", 16, DECIMAL, "Longest delay in units of 10 us");
  public static final Field RESERVED = LACP.floating("lacp.coll_reserved", 96, BYTES, "Reserved");
  public static final Field PADDING = LACP.floating("lacp.pad", 0, BYTES, "Padding");
  public static final Field UNKNOWN = LACP.floating("lacp.vendor", 0, BYTES, "Unknown");

  private static final int SUBTYPE = 1;
  private static final int HEADER_BYTES = 2;
  private static final int COLLECTOR = 3;

  // Bytes of what there is, with types and lengths.
  private static final int SIDE_BYTES = 20;
  private static final int COLLECTOR_BYTES = 16;

  /** Behind the terminator, in version 1. */
  private static final int PADDING_BYTES = 50;

  @Override
  public Fields fields() {
    return LACP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(SlowProtocol.SUBTYPES.key(SUBTYPE));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    while (dissection.expectsMore()) { // A terminator ends it.
      int type = dissection.u8(0);
      int length = dissection.u8(1);
      dissection.add(TYPE);
      dissection.add(LENGTH);
      if (type == 0) {
        terminator(dissection, length);
        return;
      }
      if (type <= COLLECTOR && length != (type == COLLECTOR ? COLLECTOR_BYTES : SIDE_BYTES)) {
        dissection.malformed();
      }
      int before = dissection.enter(Math.max(length - HEADER_BYTES, 0));
      switch (type) {
        case 1 -> ACTOR.dissect(dissection);
        case 2 -> PARTNER.dissect(dissection);
        case 3 -> {
          dissection.add(MAX_DELAY);
          dissection.add(RESERVED);
        }
        default -> dissection.addLeft(UNKNOWN);
      }
      dissection.leave(before);
    }
  }

  private static void terminator(Dissection dissection, int length) {
    int left = dissection.left();
    dissection.addLeft(PADDING);
    if (length != 0) {
      dissection.malformed();
    } else if (dissection.layer().value(VERSION) == 1 && left < PADDING_BYTES) {
      boolean _ = dissection.expectsMore();
    }
  }

  /** What one end says of itself or of the other. */
  private static final class Side {
    private static final String LETTERS = "EFDCSGSA";

    private final Field systemPriority;
    private final Field system;
    private final Field key;
    private final Field portPriority;
    private final Field port;
    private final Parts state;
    private final Field letters;
    private final Field reserved;

    Side(String name) {
      String prefix = "lacp." + name + ".";
      systemPriority =
          LACP.floating(prefix + "sys_priority", 16, DECIMAL, "Priority of the " + name);
      system = LACP.floating(prefix + "sysid", 48, MAC, "System of the " + name);
      key = LACP.floating(prefix + "key", 16, DECIMAL, "Key of the " + name);
      portPriority =
          LACP.floating(prefix + "port_priority", 16, DECIMAL, "Port priority of the " + name);
      port = LACP.floating(prefix + "port", 16, DECIMAL, "Port of the " + name);
      state =
          LACP.parts(prefix + "state", 8, HEX, "State of the " + name)
              .flag(prefix + "state.expired", "Expired")
              .flag(prefix + "state.defaulted", "Defaulted")
              .flag(prefix + "state.distributing", "Distributing")
              .flag(prefix + "state.collecting", "Collecting")
              .flag(prefix + "state.synchronization", "In synchronization")
              .flag(prefix + "state.aggregation", "Aggregatable")
              .flag(prefix + "state.timeout", "Short timeout")
              .flag(prefix + "state.activity", "Active");
      letters = LACP.floating(prefix + "state_str", 0, TEXT, "State of the " + name);
      reserved = LACP.floating(prefix + "reserved", 24, BYTES, "Reserved");
    }

    void dissect(Dissection dissection) {
      dissection.add(systemPriority);
      dissection.add(system);
      dissection.add(key);
      dissection.add(portPriority);
      dissection.add(port);
      if (dissection.left() > 0) {
        letters(dissection, (int) dissection.add(state));
      }
      dissection.add(reserved);
    }

    private void letters(Dissection dissection, int flags) {
      StringBuilder text = dissection.text();
      for (int i = 0; i < LETTERS.length(); i++) {
        text.append((flags & (0x80 >>> i)) != 0 ? LETTERS.charAt(i) : '*');
      }
      dissection.text(letters, text, -1, 1);
    }
  }
}
