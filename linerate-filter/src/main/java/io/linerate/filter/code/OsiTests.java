package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;

import io.linerate.filter.syntax.Protocol;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** OSI's network protocols, and PDUs of IS-IS: ISO 10589, clause 9. */
final class OsiTests {
  static final int CLNP = 0x81;
  static final int ESIS = 0x82;
  static final int ISIS = 0x83;

  private static final int L1_LAN_HELLO = 15;
  private static final int L2_LAN_HELLO = 16;
  private static final int POINT_TO_POINT_HELLO = 17;
  private static final int L1_LSP = 18;
  private static final int L2_LSP = 20;
  private static final int L1_CSNP = 24;
  private static final int L2_CSNP = 25;
  private static final int L1_PSNP = 26;
  private static final int L2_PSNP = 27;

  private final Emitter emitter;
  private final LinkTests links;

  OsiTests(Emitter emitter, LinkTests links) {
    this.emitter = emitter;
    this.links = links;
  }

  /** The network protocol of a keyword, or null. */
  static @Nullable Integer number(String name) {
    return switch (name) {
      case "clnp" -> CLNP;
      case "esis" -> ESIS;
      case "isis" -> ISIS;
      default -> null;
    };
  }

  Test network(int protocol) {
    if (emitter.layout.link == Links.FRELAY) {
      return emitter.equal(Base.LINK_HEADER, 2, H, (0x03 << 8) | protocol);
    }
    if (emitter.layout.link == Links.C_HDLC) {
      int type = (NetworkTypes.SAP_OSI << 8) | NetworkTypes.SAP_OSI;
      Test osi = links.of(type);
      return osi.and(emitter.equal(Base.NETWORK_WITHOUT_SNAP, 1, B, protocol));
    }
    Test osi = links.of(NetworkTypes.SAP_OSI);
    return osi.and(emitter.equal(Base.NETWORK_WITHOUT_SNAP, 0, B, protocol));
  }

  Test isis(int pdu) {
    Test isis = network(ISIS);
    return isis.and(emitter.equal(Base.NETWORK_WITHOUT_SNAP, 4, B, pdu));
  }

  /** PDUs of a keyword, or null if it is another. */
  @Nullable Test abbreviation(Protocol protocol) {
    return switch (protocol) {
      case L1 -> any(L1_LAN_HELLO, POINT_TO_POINT_HELLO, L1_LSP, L1_CSNP, L1_PSNP);
      case L2 -> any(L2_LAN_HELLO, POINT_TO_POINT_HELLO, L2_LSP, L2_CSNP, L2_PSNP);
      case IIH -> any(L1_LAN_HELLO, L2_LAN_HELLO, POINT_TO_POINT_HELLO);
      case LSP -> any(L1_LSP, L2_LSP);
      case SNP -> any(L1_CSNP, L2_CSNP, L1_PSNP, L2_PSNP);
      case CSNP -> any(L1_CSNP, L2_CSNP);
      case PSNP -> any(L1_PSNP, L2_PSNP);
      default -> null;
    };
  }

  private Test any(int... pdus) {
    Test any = null;
    for (int i = 0; i < pdus.length; i++) {
      Test next = isis(pdus[i]);
      // The second is asked after the first, and each further one before them: as libpcap does.
      any = any == null ? next : i == 1 ? any.or(next) : next.or(any);
    }
    return Objects.requireNonNull(any);
  }
}
