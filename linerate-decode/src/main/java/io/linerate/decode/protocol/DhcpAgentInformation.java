package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import java.util.HashMap;
import java.util.Map;

/** What relay agents add to messages of DHCP; RFC 3046. */
final class DhcpAgentInformation {
  private static final String PREFIX = "dhcp.option.agent_information_option.";
  private static final Fields DHCP = DhcpProtocol.DHCP.source("RFC 3046, section 2.0");
  private static final Field PART =
      DHCP.floating("dhcp.option.agent_information_option", 0, NONE, "Suboption");
  private static final Field TYPE = DHCP.floating(PREFIX + "suboption", 8, DECIMAL, "Suboption");

  /** Of suboptions of all options. */
  static final Field LENGTH = DHCP.floating("dhcp.option.suboption_length", 8, DECIMAL, "Length");

  private static final Field VALUE = DHCP.floating(PREFIX + "value", 0, BYTES, "Value");
  private static final Field ENTERPRISE =
      DHCP.source("RFC 4243, section 2")
          .floating(PREFIX + "vi.enterprise", 32, DECIMAL, "Enterprise");
  private static final Field ENTERPRISE_LENGTH =
      DHCP.floating(PREFIX + "vi.data_length", 8, DECIMAL, "Length");
  private static final int VENDOR = 9;
  private static final int HEADER_BYTES = 2;
  private static final NumberedTable<ValueLayout> LAYOUTS = layouts();

  private DhcpAgentInformation() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static ValueLayout layout(Map<Integer, ValueLayout> all, String section, int type) {
    ValueLayout layout = new ValueLayout(DHCP.source(section), PREFIX);
    all.put(type, layout);
    return layout;
  }

  private static NumberedTable<ValueLayout> layouts() {
    Map<Integer, ValueLayout> all = new HashMap<>();
    layout(all, "RFC 3046, section 3.1", 1).rest("agent_circuit_id", "Circuit");
    layout(all, "RFC 3046, section 3.2", 2).rest("agent_remote_id", "Remote");
    layout(all, "RFC 3256, section 3", 4)
        .number("docsis_device_class", 32, HEX, "DOCSIS device class");
    layout(all, "RFC 3527, section 2", 5).number("link_selection", 32, IPV4, "Link selection");
    layout(all, "RFC 3993, section 3", 6).text("subscriber_id", "Subscriber");
    layout(all, "RFC 4014, section 3", 7).rest("radius_attributes", "RADIUS attributes");
    layout(all, "RFC 4030, section 4", 8).rest("authentication", "Authentication");
    layout(all, "RFC 5010, section 3", 10).number("flags", 8, HEX, "Flags");
    layout(all, "RFC 5107, section 4", 11)
        .number("server_id_override", 32, IPV4, "Server identifier override");
    layout(all, "RFC 6925, section 5", 12).rest("relay_agent_id", "Relay agent");
    return new NumberedTable<>(all);
  }

  /** Says what the suboptions are, from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      int bytes = dissection.u8(1);
      if (dissection.left() == 0) {
        return;
      }
      dissection.open(PART, HEADER_BYTES + bytes);
      dissection.add(TYPE);
      dissection.add(LENGTH);
      if (!dissection.has(bytes)) {
        dissection.skip(bytes);
        return;
      }
      dissection.bytes(VALUE, 0, bytes);
      int before = dissection.enter(bytes);
      value(dissection, type);
      dissection.leave(before);
      dissection.close();
    }
  }

  private static void value(Dissection dissection, int type) {
    ValueLayout layout = LAYOUTS.find(type);
    if (layout != null && layout.accepts(dissection.left())) {
      layout.dissect(dissection);
    }
    while (type == VENDOR && dissection.left() > 0) {
      dissection.add(ENTERPRISE);
      dissection.add(VALUE, (int) dissection.add(ENTERPRISE_LENGTH));
    }
  }
}
