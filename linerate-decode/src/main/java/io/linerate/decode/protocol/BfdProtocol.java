package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
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

/** BFD: a control packet. */
public final class BfdProtocol implements Protocol {
  public static final Fields BFD =
      Fields.of("bfd", "Bidirectional Forwarding Detection", "RFC 5880, section 4.1");
  public static final Field VERSION = BFD.field("bfd.version", 3, DECIMAL, "Version");
  public static final Field DIAGNOSTIC = BFD.field("bfd.diag", 5, HEX, "Diagnostic");
  public static final Field STATE =
      BFD.field(
          "bfd.sta",
          2,
          HEX,
          "State",
          ValueNames.from0("Administratively down", "Down", "Init", "Up"));
  public static final Field FLAGS = BFD.part("bfd.flags", 8, 8, 8, HEX, "Flags");
  public static final Field POLL = BFD.field("bfd.flags.p", 1, FLAG, "Poll");
  public static final Field FINAL = BFD.field("bfd.flags.f", 1, FLAG, "Final");
  public static final Field INDEPENDENT =
      BFD.field("bfd.flags.c", 1, FLAG, "Independent of the control plane");
  public static final Field AUTHENTICATED =
      BFD.field("bfd.flags.a", 1, FLAG, "Authentication is there");
  public static final Field DEMAND = BFD.field("bfd.flags.d", 1, FLAG, "Demand");
  public static final Field MULTIPOINT = BFD.field("bfd.flags.m", 1, FLAG, "Multipoint");
  public static final Field MULTIPLIER =
      BFD.field("bfd.detect_time_multiplier", 8, DECIMAL, "Detection time multiplier");
  public static final Field LENGTH = BFD.field("bfd.message_length", 8, DECIMAL, "Length");
  public static final Field MINE = BFD.field("bfd.my_discriminator", 32, HEX, "My discriminator");
  public static final Field YOURS =
      BFD.field("bfd.your_discriminator", 32, HEX, "Your discriminator");
  public static final Field TRANSMIT =
      BFD.field("bfd.desired_min_tx_interval", 32, DECIMAL, "Transmit interval wanted in µs");
  public static final Field RECEIVE =
      BFD.field("bfd.required_min_rx_interval", 32, DECIMAL, "Receive interval needed in µs");
  public static final Field ECHO =
      BFD.field("bfd.required_min_echo_interval", 32, DECIMAL, "Echo interval needed in µs");

  private static final Field AUTH_TYPE =
      BFD.source("RFC 5880, section 4.2")
          .floating(
              "bfd.auth.type",
              8,
              DECIMAL,
              "Authentication",
              ValueNames.from0(
                  "Reserved",
                  "Simple password",
                  "Keyed MD5",
                  "Meticulous keyed MD5",
                  "Keyed SHA1",
                  "Meticulous keyed SHA1"));
  private static final Field AUTH_LENGTH =
      BFD.floating("bfd.auth.len", 8, DECIMAL, "Authentication length");
  private static final Field KEY = BFD.floating("bfd.auth.key", 8, DECIMAL, "Key");
  private static final Field PASSWORD = BFD.floating("bfd.auth.password", 0, TEXT, "Password");
  private static final Field NUMBER =
      BFD.source("RFC 5880, section 4.3").floating("bfd.auth.seq_num", 32, HEX, "Sequence number");
  private static final Field DIGEST = BFD.floating("bfd.checksum", 0, BYTES, "Digest");

  private static final int SIMPLE = 1;
  private static final int FIRST_DIGESTED = 2;
  private static final int LAST_DIGESTED = 5;
  private static final int LEAST_BYTES = 24;
  private static final int CONTROL_PORT = 3784;
  private static final int MULTIHOP_PORT = 4784;
  private static final int LAG_PORT = 6784;

  static {
    BFD.summary(STATE, MINE, YOURS);
  }

  @Override
  public Fields fields() {
    return BFD;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.UDP_PORT.key(CONTROL_PORT),
        DispatchTable.UDP_PORT.key(MULTIHOP_PORT),
        DispatchTable.UDP_PORT.key(LAG_PORT));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.number(LENGTH) < LEAST_BYTES) {
      scan.malformed();
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.layer().has(ECHO) && dissection.layer().value(AUTHENTICATED) != 0) {
      authentication(dissection);
    }
  }

  private static void authentication(Dissection dissection) {
    int type = (int) dissection.add(AUTH_TYPE);
    int length = (int) dissection.add(AUTH_LENGTH);
    dissection.add(KEY);
    int before = dissection.enter(length - 3);
    if (type == SIMPLE) {
      dissection.addLeft(PASSWORD);
    } else if (type >= FIRST_DIGESTED && type <= LAST_DIGESTED) {
      dissection.skip(1);
      dissection.add(NUMBER);
      dissection.addLeft(DIGEST);
    }
    dissection.leave(before);
  }
}
