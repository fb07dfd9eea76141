package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.W;

import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Which network protocol a packet's link header announces. */
final class LinkTests {
  private static final int INET = 2;

  /** Numbers that systems have for IPv6: Linux, NetBSD and OpenBSD, FreeBSD, macOS. */
  private static final int[] INET6 = {10, 24, 28, 30};

  private static final int JUNIPER_MAGIC = 0x4D47_4300;

  /** Unnumbered information, in front of OSI's identifier of a network protocol. */
  private static final int UI = 0x03 << 8;

  private final Emitter emitter;
  private final LinkLayout layout;
  private final SnapTests snap;

  LinkTests(Emitter emitter) {
    this.emitter = emitter;
    layout = emitter.layout;
    snap = new SnapTests(emitter);
  }

  /** By a number of {@link NetworkTypes}. */
  Test of(int protocol) {
    if (layout.mplsLabels > 0) {
      return inMpls(protocol);
    }
    int link = layout.link;
    if (Links.isEthernet(link)) {
      Test previous = layout.isGeneve ? null : insidePrevious();
      Test type = snap.ofEthernet(protocol);
      return previous == null ? type : previous.and(type);
    }
    if (Links.isWireless(link)) {
      return wirelessData().and(snap.ofLlc(protocol));
    }
    if (Links.isJuniper(link)) {
      return emitter.equal(Base.LINK_HEADER, 0, W, JUNIPER_MAGIC, 0xFFFF_FF00);
    }
    return ofOther(link, protocol);
  }

  private Test ofOther(int link, int protocol) {
    return switch (link) {
      case Links.C_HDLC ->
          type(H, protocol == NetworkTypes.SAP_OSI ? (protocol << 8) | protocol : protocol);
      case Links.FDDI, Links.IEEE802_5, Links.ATM_RFC1483, Links.ATM_CLIP, Links.IP_OVER_FC ->
          snap.ofLlc(protocol);
      case Links.SUNATM ->
          emitter
              .equal(Base.LINK_HEADER, AtmTests.PROTOCOL, B, AtmTests.LLC, AtmTests.PROTOCOL_MASK)
              .and(snap.ofLlc(protocol));
      case Links.LINUX_SLL -> snap.ofCooked(protocol);
      case Links.SLIP, Links.SLIP_BSDOS, Links.RAW -> byVersion(protocol);
      case Links.IPV4 -> emitter.constant(protocol == NetworkTypes.IPV4);
      case Links.IPV6 -> emitter.constant(protocol == NetworkTypes.IPV6);
      case Links.PPP, Links.PPP_PPPD, Links.PPP_HDLC, Links.PPP_ETHER ->
          type(H, NetworkTypes.ofPpp(protocol));
      case Links.PPP_BSDOS -> ofBsdosPpp(protocol);
      case Links.NULL, Links.LOOP, Links.ENC -> ofLoopback(protocol);
      case Links.PFLOG -> ofLog(protocol);
      case Links.ARCNET, Links.ARCNET_LINUX -> ofArcnet(protocol);
      case Links.LTALK -> emitter.constant(protocol == NetworkTypes.APPLETALK);
      case Links.FRELAY -> ofFrameRelay(protocol);
      case Links.BACNET_MS_TP -> emitter.equal(Base.LINK_HEADER, 0, W, 0x55FF_0000, 0xFFFF_0000);
      case Links.IPNET -> ofIpnet(protocol);
      default -> ofUnknown(protocol);
    };
  }

  private Test ofUnknown(int protocol) {
    if (layout.link == Links.MFR || layout.linkType.constant == Offset.NOT_SET) {
      throw emitter.unsupported("its packets can be looked into with link[] only");
    }
    return type(H, protocol);
  }

  private Test type(int size, int value) {
    return emitter.equal(Base.LINK_TYPE, 0, size, value);
  }

  /** By the number of the IP header that follows the last label: RFC 3032, section 2.1. */
  private Test inMpls(int protocol) {
    int version =
        switch (protocol) {
          case NetworkTypes.IPV4 -> 0x40;
          case NetworkTypes.IPV6 -> 0x60;
          default -> throw emitter.wrong("found=mpls in front; only ip and ip6 can follow it");
        };
    return emitter
        .equal(Base.NETWORK, -2, B, 1, 1)
        .and(emitter.equal(Base.NETWORK, 0, B, version, 0xF0));
  }

  private Test byVersion(int protocol) {
    return switch (protocol) {
      case NetworkTypes.IPV4 -> emitter.equal(Base.LINK_HEADER, 0, B, 0x40, 0xF0);
      case NetworkTypes.IPV6 -> emitter.equal(Base.LINK_HEADER, 0, B, 0x60, 0xF0);
      default -> emitter.constant(false);
    };
  }

  private Test ofBsdosPpp(int protocol) {
    if (protocol != NetworkTypes.IPV4) {
      return type(H, NetworkTypes.ofPpp(protocol));
    }
    return type(H, NetworkTypes.ofPpp(protocol))
        .or(type(H, NetworkTypes.PPP_COMPRESSED_TCP))
        .or(type(H, NetworkTypes.PPP_UNCOMPRESSED_TCP));
  }

  private Test ofLoopback(int protocol) {
    if (protocol == NetworkTypes.IPV4) {
      return ofFamily(INET);
    }
    if (protocol != NetworkTypes.IPV6) {
      return emitter.constant(false);
    }
    Test any = ofFamily(INET6[0]);
    for (int i = 1; i < INET6.length; i++) {
      any = any.or(ofFamily(INET6[i]));
    }
    return any;
  }

  /** In the byte order of the machine that captured, this one, it is believed. */
  private Test ofFamily(int family) {
    boolean isSwapped =
        layout.link != Links.LOOP && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return emitter.equal(Base.LINK_HEADER, 0, W, isSwapped ? Integer.reverseBytes(family) : family);
  }

  private Test ofLog(int protocol) {
    int family = 1;
    return switch (protocol) {
      case NetworkTypes.IPV4 -> emitter.equal(Base.LINK_HEADER, family, B, INET);
      case NetworkTypes.IPV6 -> {
        Test any = emitter.equal(Base.LINK_HEADER, family, B, INET6[0]);
        for (int i = 1; i < INET6.length; i++) {
          any = any.or(emitter.equal(Base.LINK_HEADER, family, B, INET6[i]));
        }
        yield any;
      }
      default -> emitter.constant(false);
    };
  }

  /** By protocol identifiers of RFC 1201, and older ones of RFC 1051. */
  private Test ofArcnet(int protocol) {
    return switch (protocol) {
      case NetworkTypes.IPV6 -> type(B, 196);
      case NetworkTypes.IPV4 -> type(B, 212).or(type(B, 240));
      case NetworkTypes.ARP -> type(B, 213).or(type(B, 241));
      case NetworkTypes.RARP -> type(B, 214);
      case NetworkTypes.APPLETALK -> type(B, 221);
      default -> emitter.constant(false);
    };
  }

  /** By identifiers of RFC 2427, behind an address of two bytes. */
  private Test ofFrameRelay(int protocol) {
    return switch (protocol) {
      case NetworkTypes.IPV4 -> emitter.equal(Base.LINK_HEADER, 2, H, UI | 0xCC);
      case NetworkTypes.IPV6 -> emitter.equal(Base.LINK_HEADER, 2, H, UI | 0x8E);
      case NetworkTypes.SAP_OSI -> {
        Test clnp = emitter.equal(Base.LINK_HEADER, 2, H, UI | OsiTests.CLNP);
        Test esis = emitter.equal(Base.LINK_HEADER, 2, H, UI | OsiTests.ESIS);
        yield clnp.or(esis.or(emitter.equal(Base.LINK_HEADER, 2, H, UI | OsiTests.ISIS)));
      }
      default -> emitter.constant(false);
    };
  }

  private Test ofIpnet(int protocol) {
    return switch (protocol) {
      case NetworkTypes.IPV4 -> type(B, 2);
      case NetworkTypes.IPV6 -> type(B, 26);
      default -> emitter.constant(false);
    };
  }

  /** A data frame: IEEE 802.11, clause 9.2.4.1.3. */
  Test wirelessData() {
    Test isData = emitter.anyBit(Base.LINK_HEADER, 0, B, 0x08);
    return emitter.anyBit(Base.LINK_HEADER, 0, B, 0x04).not().and(isData);
  }

  /**
   * What has to hold of a link header inside another packet, and was not asked yet; null if nothing
   * has to.
   */
  @Nullable Test insidePrevious() {
    if (layout.isGeneve) {
      return hasLinkHeaderInGeneve();
    }
    if (layout.previousLink != Links.SUNATM) {
      return null;
    }
    return emitter
        .equal(Base.PREVIOUS_LINK_HEADER, AtmTests.PAYLOAD, H, AtmTests.LANE_CONTROL)
        .not();
  }

  /** Geneve may carry packets without link header: header and payload begin together then. */
  private Test hasLinkHeaderInGeneve() {
    return Test.of(
            Statement.list(
                new Statement(Opcodes.LD | Opcodes.MEM, layout.linkHeader.register),
                new Statement(Opcodes.LDX | Opcodes.MEM, layout.linkPayload.register)),
            Opcodes.JMP | Opcodes.JEQ | Opcodes.X,
            0)
        .not();
  }
}
