package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A message of RADIUS: authentication, accounting, dynamic authorization. */
public final class RadiusProtocol implements Protocol {
  public static final Fields RADIUS =
      Fields.of("radius", "Remote Authentication Dial-In User Service", "RFC 2865, section 3");
  public static final Field CODE =
      RADIUS.field(
          "radius.code",
          8,
          DECIMAL,
          "Code",
          ValueNames.of(
              Map.ofEntries(
                  Map.entry(1, "access request"),
                  Map.entry(2, "access accept"),
                  Map.entry(3, "access reject"),
                  Map.entry(4, "accounting request"),
                  Map.entry(5, "accounting response"),
                  Map.entry(11, "access challenge"),
                  Map.entry(12, "status server"),
                  Map.entry(40, "disconnect request"),
                  Map.entry(41, "disconnect ACK"),
                  Map.entry(42, "disconnect NAK"),
                  Map.entry(43, "change request"),
                  Map.entry(44, "change ACK"),
                  Map.entry(45, "change NAK"))));
  public static final Field IDENTIFIER = RADIUS.field("radius.id", 8, DECIMAL, "Identifier");
  public static final Field LENGTH = RADIUS.field("radius.length", 16, DECIMAL, "Length");
  public static final Field AUTHENTICATOR =
      RADIUS.field("radius.authenticator", 128, BYTES, "Authenticator");

  private static final int HEADER_BYTES = 20;
  private static final int[] PORTS = {1645, 1646, 1700, 1812, 1813, 3799};

  static {
    RadiusAttributes.declare();
    RADIUS.summary(
        "radius.code",
        "id=|radius.id",
        "user=|radius.User_Name",
        "server=|radius.NAS_IP_Address",
        "address=|radius.Framed-IP-Address",
        "radius.Reply_Message");
  }

  @Override
  public Fields fields() {
    return RADIUS;
  }

  @Override
  public List<DispatchKey> keys() {
    return Arrays.stream(PORTS).mapToObj(DispatchTable.UDP_PORT::key).toList();
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    if (length < HEADER_BYTES || length > scan.claimedLength()) {
      scan.malformed();
      return;
    }
    scan.total(length);
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    boolean isWhole =
        dissection.offset() == HEADER_BYTES
            && dissection.layer().value(LENGTH) <= HEADER_BYTES + dissection.left();
    if (isWhole) {
      RadiusAttributes.dissect(dissection);
    }
  }
}
