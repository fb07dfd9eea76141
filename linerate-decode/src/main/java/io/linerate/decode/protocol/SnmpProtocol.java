package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.OID;
import static io.linerate.decode.Kind.SIGNED;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;

/** A message of SNMP, of version 1, 2c or 3; what is encrypted stays so. */
public final class SnmpProtocol implements Protocol {
  public static final Fields SNMP =
      Fields.of("snmp", "Simple Network Management Protocol", "RFC 1157, section 4");
  public static final Field VERSION =
      SNMP.floating("snmp.version", 32, SIGNED, "Version", ValueNames.from0("1", "2c", "", "3"));
  public static final Field COMMUNITY = SNMP.floating("snmp.community", 0, TEXT, "Community");
  public static final Field VERSION_3 =
      SNMP.source("RFC 3412, section 6").floating("snmp.msgVersion", 32, SIGNED, "Version");
  public static final Field GLOBAL = SNMP.floating("snmp.msgGlobalData_element", 0, NONE, "Header");
  public static final Field MESSAGE_ID = SNMP.floating("snmp.msgID", 32, DECIMAL, "Message");
  public static final Field MESSAGE_SIZE =
      SNMP.floating("snmp.msgMaxSize", 32, DECIMAL, "Most bytes");
  public static final Field MESSAGE_FLAGS = SNMP.floating("snmp.msgFlags", 0, BYTES, "Flags");
  public static final Field REPORTABLE =
      SNMP.floating("snmp.v3.flags.report", 1, FLAG, "Reportable");
  public static final Field ENCRYPTED = SNMP.floating("snmp.v3.flags.crypt", 1, FLAG, "Encrypted");
  public static final Field AUTHENTICATED =
      SNMP.floating("snmp.v3.flags.auth", 1, FLAG, "Authenticated");
  public static final Field SECURITY_MODEL =
      SNMP.floating(
          "snmp.msgSecurityModel",
          32,
          DECIMAL,
          "Security model",
          ValueNames.from0("any", "1", "2c", "user"));
  public static final Field SECURITY =
      SNMP.floating("snmp.msgSecurityParameters", 0, BYTES, "Security parameters");
  public static final Field ENGINE =
      SNMP.source("RFC 3414, section 2.4")
          .floating("snmp.msgAuthoritativeEngineID", 0, BYTES, "Authoritative engine");
  public static final Field BOOTS =
      SNMP.floating("snmp.msgAuthoritativeEngineBoots", 32, DECIMAL, "Engine's boots");
  public static final Field ENGINE_TIME =
      SNMP.floating("snmp.msgAuthoritativeEngineTime", 32, DECIMAL, "Engine's time in s");
  public static final Field USER = SNMP.floating("snmp.msgUserName", 0, TEXT, "User");
  public static final Field AUTHENTICATION =
      SNMP.floating("snmp.msgAuthenticationParameters", 0, BYTES, "Authentication");
  public static final Field PRIVACY =
      SNMP.floating("snmp.msgPrivacyParameters", 0, BYTES, "Privacy");
  public static final Field MESSAGE_DATA =
      SNMP.source("RFC 3412, section 6")
          .floating("snmp.msgData", 32, DECIMAL, "Data", ValueNames.from0("plain", "encrypted"));
  public static final Field PLAIN = SNMP.floating("snmp.plaintext_element", 0, NONE, "Scoped data");
  public static final Field CONTEXT_ENGINE =
      SNMP.floating("snmp.contextEngineID", 0, BYTES, "Context's engine");
  public static final Field CONTEXT = SNMP.floating("snmp.contextName", 0, TEXT, "Context");
  public static final Field ENCRYPTED_DATA =
      SNMP.floating("snmp.encryptedPDU", 0, BYTES, "Encrypted data");
  public static final Field OPERATION =
      SNMP.source("RFC 3416, section 3")
          .floating(
              "snmp.data",
              32,
              DECIMAL,
              "Operation",
              ValueNames.from0(
                  "get",
                  "get next",
                  "response",
                  "set",
                  "trap, version 1",
                  "get bulk",
                  "inform",
                  "trap",
                  "report"));
  private static final Field[] OPERATIONS = {
    element("get_request"),
    element("get_next_request"),
    element("get_response"),
    element("set_request"),
    element("trap"),
    element("getBulkRequest"),
    element("informRequest"),
    element("snmpV2_trap"),
    element("report")
  };
  public static final Field REQUEST = SNMP.floating("snmp.request_id", 32, SIGNED, "Request");
  public static final Field ERROR =
      SNMP.floating(
          "snmp.error_status",
          32,
          SIGNED,
          "Error",
          ValueNames.from0("none", "too big", "no such name", "bad value", "read only", "general"));
  public static final Field ERROR_INDEX =
      SNMP.floating("snmp.error_index", 32, SIGNED, "Error's index");
  public static final Field NON_REPEATERS =
      SNMP.floating("snmp.non_repeaters", 32, DECIMAL, "Non-repeaters");
  public static final Field REPETITIONS =
      SNMP.floating("snmp.max_repetitions", 32, DECIMAL, "Repetitions");
  public static final Field ENTERPRISE =
      SNMP.source("RFC 1157, section 4.1.6").floating("snmp.enterprise", 0, OID, "Enterprise");
  public static final Field AGENT = SNMP.floating("snmp.agent_addr", 32, IPV4, "Agent");
  public static final Field GENERIC =
      SNMP.floating(
          "snmp.generic_trap",
          32,
          SIGNED,
          "Generic trap",
          ValueNames.from0(
              "cold start",
              "warm start",
              "link down",
              "link up",
              "authentication failure",
              "neighbor loss",
              "enterprise's"));
  public static final Field SPECIFIC =
      SNMP.floating("snmp.specific_trap", 32, SIGNED, "Specific trap");
  public static final Field TIMESTAMP =
      SNMP.floating("snmp.time_stamp", 32, DECIMAL, "Time in 10 ms");
  public static final Field BINDINGS =
      SNMP.source("RFC 3416, section 3")
          .floating("snmp.variable_bindings", 32, DECIMAL, "Variable bindings");

  private static final int VERSION_3_NUMBER = 3;
  private static final int USER_SECURITY = 3;
  private static final int FIRST_OPERATION = 0xA0;
  private static final int TRAP = 4;
  private static final int GET_BULK = 5;
  private static final int ADDRESS = 0x40;
  private static final int TIME_TICKS = 0x43;

  static {
    SnmpBindings.declare();
    SNMP.summary(
        "snmp.data",
        "version=|snmp.version",
        "version=|snmp.msgVersion",
        "community=|snmp.community",
        "user=|snmp.msgUserName",
        "error=|snmp.error_status",
        "name=|snmp.name");
  }

  private static Field element(String name) {
    return SNMP.floating("snmp." + name + "_element", 0, NONE, name.replace('_', ' '));
  }

  @Override
  public Fields fields() {
    return SNMP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.UDP_PORT.key(161),
        DispatchTable.UDP_PORT.key(162),
        DispatchTable.UDP_PORT.key(8161),
        DispatchTable.TCP_PORT.key(161),
        DispatchTable.TCP_PORT.key(162));
  }

  @Override
  public void scan(Scan scan) {
    int bytes = Ber.bytes(scan, Ber.SEQUENCE);
    boolean isStream = scan.outer() != null && scan.outer().is(TcpProtocol.TCP);
    if (bytes <= 0 || (bytes > scan.claimedLength() && !isStream)) {
      scan.refuse();
      return;
    }
    scan.message(bytes);
    if (isStream) {
      scan.next(this);
    }
  }

  @Override
  public int messageBytes(Scan scan) {
    return Ber.bytes(scan, Ber.SEQUENCE);
  }

  @Override
  public void dissect(Dissection dissection) {
    int before = Ber.enter(dissection, Ber.SEQUENCE);
    if (before < 0) {
      return;
    }
    int header = Ber.headerBytes(dissection);
    boolean isVersion3 =
        header == 2 && dissection.has(3) && dissection.u8(header) == VERSION_3_NUMBER;
    if (isVersion3) {
      Ber.integer(dissection, VERSION_3);
      version3(dissection);
    } else {
      Ber.integer(dissection, VERSION);
      Ber.bytes(dissection, Ber.OCTETS, COMMUNITY);
      operation(dissection);
    }
    dissection.leave(before);
  }

  private static void version3(Dissection dissection) {
    dissection.open(GLOBAL, dissection.left());
    int before = Ber.enter(dissection, Ber.SEQUENCE);
    if (before < 0) {
      dissection.close();
      return;
    }
    Ber.integer(dissection, MESSAGE_ID);
    Ber.integer(dissection, MESSAGE_SIZE);
    flags(dissection);
    long model = Ber.integer(dissection, SECURITY_MODEL);
    dissection.leave(before);
    dissection.close();
    if (dissection.left() > 0) {
      security(dissection, model == USER_SECURITY);
    }
    if (dissection.left() > 0) {
      data(dissection);
    }
  }

  private static void flags(Dissection dissection) {
    int before = Ber.enter(dissection, Ber.OCTETS);
    if (before < 0) {
      return;
    }
    int bytes = dissection.left();
    int flags = bytes == 0 ? 0 : dissection.u8(0);
    dissection.add(MESSAGE_FLAGS, bytes);
    if (bytes > 0) {
      dissection.value(REPORTABLE, (flags >>> 2) & 1, -bytes, 1);
      dissection.value(ENCRYPTED, (flags >>> 1) & 1, -bytes, 1);
      dissection.value(AUTHENTICATED, flags & 1, -bytes, 1);
    }
    dissection.leave(before);
  }

  private static void security(Dissection dissection, boolean isUser) {
    int before = Ber.enter(dissection, Ber.OCTETS);
    if (before < 0) {
      return;
    }
    if (!isUser) {
      dissection.add(SECURITY, dissection.left());
      dissection.leave(before);
      return;
    }
    int inner = Ber.enter(dissection, Ber.SEQUENCE);
    if (inner >= 0) {
      SnmpBindings.engine(dissection, ENGINE);
      Ber.integer(dissection, BOOTS);
      Ber.integer(dissection, ENGINE_TIME);
      Ber.bytes(dissection, Ber.OCTETS, USER);
      Ber.bytes(dissection, Ber.OCTETS, AUTHENTICATION);
      Ber.bytes(dissection, Ber.OCTETS, PRIVACY);
      dissection.leave(inner);
    }
    dissection.leave(before);
  }

  private static void data(Dissection dissection) {
    boolean isPlain = dissection.u8(0) == Ber.SEQUENCE;
    dissection.value(MESSAGE_DATA, isPlain ? 0 : 1, 0, 0);
    if (!isPlain) {
      Ber.bytes(dissection, Ber.OCTETS, ENCRYPTED_DATA);
      return;
    }
    dissection.open(PLAIN, dissection.left());
    int before = Ber.enter(dissection, Ber.SEQUENCE);
    if (before >= 0) {
      SnmpBindings.engine(dissection, CONTEXT_ENGINE);
      Ber.bytes(dissection, Ber.OCTETS, CONTEXT);
      operation(dissection);
      dissection.leave(before);
    }
    dissection.close();
  }

  private static void operation(Dissection dissection) {
    if (dissection.left() == 0) {
      return;
    }
    int tag = dissection.u8(0);
    int number = tag - FIRST_OPERATION;
    if (number < 0 || number >= OPERATIONS.length) {
      dissection.malformed();
      return;
    }
    dissection.value(OPERATION, number, 0, 1);
    dissection.open(OPERATIONS[number], dissection.left());
    int before = Ber.enter(dissection, tag);
    if (before >= 0) {
      if (number == TRAP) {
        trap(dissection);
      } else {
        Ber.integer(dissection, REQUEST);
        Ber.integer(dissection, number == GET_BULK ? NON_REPEATERS : ERROR);
        Ber.integer(dissection, number == GET_BULK ? REPETITIONS : ERROR_INDEX);
      }
      if (dissection.left() > 0) {
        SnmpBindings.dissect(dissection);
      }
      dissection.leave(before);
    }
    dissection.close();
  }

  private static void trap(Dissection dissection) {
    Ber.bytes(dissection, Ber.OBJECT, ENTERPRISE);
    Ber.bytes(dissection, ADDRESS, AGENT);
    Ber.integer(dissection, GENERIC);
    Ber.integer(dissection, SPECIFIC);
    int before = Ber.enter(dissection, TIME_TICKS);
    if (before >= 0) {
      dissection.value(TIMESTAMP, Ber.signed(dissection), 0, dissection.left());
      dissection.leave(before);
    }
  }
}
