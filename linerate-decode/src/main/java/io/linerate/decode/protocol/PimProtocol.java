package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** PIM, version 2: a header, and messages; a register carries the packet that it registers. */
public final class PimProtocol implements Protocol {
  private static final int HELLO = 0;
  private static final int REGISTER = 1;
  private static final int REGISTER_STOP = 2;
  private static final int JOIN_PRUNE = 3;
  private static final int BOOTSTRAP = 4;
  private static final int ASSERT = 5;
  private static final int GRAFT = 6;
  private static final int GRAFT_ACK = 7;
  private static final int CANDIDATE = 8;

  public static final Fields PIM =
      Fields.of("pim", "Protocol Independent Multicast", "RFC 7761, section 4.9");
  public static final Field VERSION = PIM.field("pim.version", 4, DECIMAL, "Version");
  public static final Field TYPE =
      PIM.field(
          "pim.type",
          4,
          DECIMAL,
          "Message",
          ValueNames.from0(
              "Hello",
              "Register",
              "Register stop",
              "Join and prune",
              "Bootstrap",
              "Assert",
              "Graft",
              "Graft acknowledgment",
              "Candidate rendezvous point"));
  public static final Field CHECKSUM = PIM.at(2).field("pim.cksum", 16, HEX, "Checksum");

  static final Field RESERVED_BYTES = PIM.floating("pim.res_bytes", 0, BYTES, "Reserved");
  private static final Parts REGISTER_FLAGS =
      PIM.source("RFC 7761, section 4.9.3")
          .parts("pim.register_flag", 32, HEX, "Register flags")
          .flag("pim.register_flag.border", "Border")
          .flag("pim.register_flag.null_register", "Null register");
  private static final Field DATA = PIM.floating("pim.data", 0, BYTES, "Message data");

  private static final int VERSION_2 = 2;
  private static final int REGISTER_BYTES = 8;

  static {
    PimMessages.declare();
    PIM.summary(VERSION, TYPE);
  }

  @Override
  public Fields fields() {
    return PIM;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.PIM));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.number(VERSION) == VERSION_2 && scan.number(TYPE) == REGISTER) {
      scan.header(REGISTER_BYTES);
      switch (scan.u8(REGISTER_BYTES) >>> 4) {
        case 4 -> scan.next(DispatchTable.IP_PROTOCOL, IpProtocol.IPIP);
        case 6 -> scan.next(DispatchTable.IP_PROTOCOL, IpProtocol.IPV6);
        default -> {}
      }
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed(VERSION);
    dissection.fixed(TYPE);
    if (dissection.layer().has(TYPE)) {
      dissection.add(RESERVED_BYTES, 1);
    }
    dissection.fixed(CHECKSUM);
    if (!dissection.layer().has(CHECKSUM)) {
      return;
    }
    if (dissection.layer().value(VERSION) != VERSION_2) {
      dissection.addLeft(DATA);
      return;
    }
    switch ((int) dissection.layer().value(TYPE)) {
      case HELLO -> PimMessages.hello(dissection);
      case REGISTER -> dissection.add(REGISTER_FLAGS);
      case REGISTER_STOP -> PimMessages.registerStop(dissection);
      case JOIN_PRUNE, GRAFT, GRAFT_ACK -> PimMessages.joinPrune(dissection);
      case BOOTSTRAP -> PimMessages.bootstrap(dissection);
      case ASSERT -> PimMessages.assertion(dissection);
      case CANDIDATE -> PimMessages.candidate(dissection);
      default -> dissection.addLeft(DATA);
    }
  }
}
