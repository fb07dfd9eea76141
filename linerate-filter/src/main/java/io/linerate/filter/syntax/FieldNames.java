package io.linerate.filter.syntax;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of values of fields, in any case: of IEEE 802.11, IEEE 802.2 and OpenBSD's log. */
final class FieldNames {
  /** Bits of the first byte of the frame control field, IEEE 802.11, clause 9.2.4.1. */
  static final int TYPE_MASK = 0x0C;

  static final int SUBTYPE_MASK = 0xF0;

  private static final int MANAGEMENT = 0x00;
  private static final int CONTROL = 0x04;
  private static final int DATA = 0x08;

  private static final Map<String, Integer> WLAN_TYPES =
      Map.of(
          "data",
          DATA,
          "mgt",
          MANAGEMENT,
          "management",
          MANAGEMENT,
          "ctl",
          CONTROL,
          "control",
          CONTROL);

  private static final Map<String, Integer> MANAGEMENT_SUBTYPES =
      table(
          "assocreq=0 assoc-req=0 assocresp=1 assoc-resp=1 reassocreq=2 reassoc-req=2 reassocresp=3"
              + " reassoc-resp=3 probereq=4 probe-req=4 proberesp=5 probe-resp=5 beacon=8 atim=9"
              + " disassoc=10 disassociation=10 auth=11 authentication=11 deauth=12"
              + " deauthentication=12",
          4);

  private static final Map<String, Integer> CONTROL_SUBTYPES =
      table("ps-poll=10 rts=11 cts=12 ack=13 cf-end=14 cf-end-ack=15", 4);

  private static final Map<String, Integer> DATA_SUBTYPES =
      table(
          "data=0 data-cf-ack=1 data-cf-poll=2 data-cf-ack-poll=3 null=4 cf-ack=5 cf-poll=6"
              + " cf-ack-poll=7 qos-data=8 qos-data-cf-ack=9 qos-data-cf-poll=10"
              + " qos-data-cf-ack-poll=11 qos=12 qos-cf-poll=14 qos-cf-ack-poll=15",
          4);

  private static final Map<String, Integer> WLAN_DIRECTIONS =
      Map.of("nods", 0, "tods", 1, "fromds", 2, "dstods", 3);

  /** Commands of IEEE 802.2, clause 5.4: the control field without the poll bit. */
  private static final Map<String, Integer> SUPERVISORY = table("rr=1 rnr=5 rej=9", 0);

  private static final Map<String, Integer> UNNUMBERED =
      table("ui=3 ua=99 disc=67 dm=15 sabme=111 test=227 xid=175 frmr=135", 0);

  private static final List<String> REASONS =
      List.of(
          "match",
          "bad-offset",
          "fragment",
          "short",
          "normalize",
          "memory",
          "bad-timestamp",
          "congestion",
          "ip-option",
          "proto-cksum",
          "state-mismatch",
          "state-insert",
          "state-limit",
          "src-limit",
          "synproxy");

  private static final Map<String, Integer> ACTIONS =
      table(
          "pass=0 accept=0 drop=1 block=1 scrub=2 noscrub=3 nat=4 nonat=5 binat=6 nobinat=7 rdr=8"
              + " nordr=9 synproxy-drop=10",
          0);

  private FieldNames() {}

  private static Map<String, Integer> table(String entries, int shift) {
    Map<String, Integer> table = new HashMap<>();
    for (String entry : entries.split(" ", -1)) {
      int sign = entry.indexOf('=');
      table.put(entry.substring(0, sign), Integer.parseInt(entry.substring(sign + 1)) << shift);
    }
    return Map.copyOf(table);
  }

  private static @Nullable Integer get(Map<String, Integer> table, String name) {
    return table.get(name.toLowerCase(Locale.ROOT));
  }

  static @Nullable Integer wlanType(String name) {
    return get(WLAN_TYPES, name);
  }

  /** The subtype of a type, which may be none. */
  static @Nullable Integer wlanSubtype(int type, String name) {
    return switch (type) {
      case MANAGEMENT -> get(MANAGEMENT_SUBTYPES, name);
      case CONTROL -> get(CONTROL_SUBTYPES, name);
      case DATA -> get(DATA_SUBTYPES, name);
      default -> null;
    };
  }

  /** The type that has a subtype, together with it. */
  static @Nullable Integer wlanTypeAndSubtype(String name) {
    for (int type : new int[] {MANAGEMENT, CONTROL, DATA}) {
      Integer subtype = wlanSubtype(type, name);
      if (subtype != null) {
        return type | subtype;
      }
    }
    return null;
  }

  static @Nullable Integer wlanDirection(String name) {
    return get(WLAN_DIRECTIONS, name);
  }

  static @Nullable Integer supervisory(String name) {
    return get(SUPERVISORY, name);
  }

  static @Nullable Integer unnumbered(String name) {
    return get(UNNUMBERED, name);
  }

  static @Nullable Integer reason(String name) {
    int index = REASONS.indexOf(name.toLowerCase(Locale.ROOT));
    return index < 0 ? null : index;
  }

  static @Nullable Integer action(String name) {
    return get(ACTIONS, name);
  }
}
