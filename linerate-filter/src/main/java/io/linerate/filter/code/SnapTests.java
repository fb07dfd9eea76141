package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;

/** Network protocols behind Ethernet and IEEE 802.2, with or without SNAP. */
final class SnapTests {
  private static final int APPLE = 0x08_0007;

  /** Protocols of Linux's cooked packets: linux/if_ether.h. */
  private static final int COOKED_802_3 = 1;

  private static final int COOKED_802_2 = 4;

  private final Emitter emitter;

  SnapTests(Emitter emitter) {
    this.emitter = emitter;
  }

  private static boolean hasTwoEqualSaps(int protocol) {
    return protocol == NetworkTypes.SAP_OSI
        || protocol == NetworkTypes.SAP_IP
        || protocol == NetworkTypes.SAP_NETBEUI;
  }

  private static boolean isApple(int protocol) {
    return protocol == NetworkTypes.APPLETALK || protocol == NetworkTypes.AARP;
  }

  Test ofEthernet(int protocol) {
    if (hasTwoEqualSaps(protocol)) {
      return hasLength().and(llc(0, H, (protocol << 8) | protocol));
    }
    if (protocol == NetworkTypes.SAP_IPX) {
      Test novell = llc(0, B, NetworkTypes.SAP_IPX).or(llc(0, H, 0xFFFF));
      Test any = snap(0, NetworkTypes.IPX).or(novell);
      return type(NetworkTypes.IPX).or(hasLength().and(any));
    }
    if (isApple(protocol)) {
      return type(protocol).or(hasLength().and(apple(protocol)));
    }
    if (NetworkTypes.isSap(protocol)) {
      return hasLength().and(emitter.equal(Base.LINK_TYPE, 2, B, protocol));
    }
    return type(protocol);
  }

  /** Linux's cooked packets, version 1. */
  Test ofCooked(int protocol) {
    if (hasTwoEqualSaps(protocol)) {
      return type(COOKED_802_2).and(llc(0, H, (protocol << 8) | protocol));
    }
    if (protocol == NetworkTypes.SAP_IPX) {
      Test llc = llc(0, B, NetworkTypes.SAP_IPX).or(snap(0, NetworkTypes.IPX));
      Test novell = type(COOKED_802_3).or(type(COOKED_802_2).and(llc));
      return type(NetworkTypes.IPX).or(novell);
    }
    if (isApple(protocol)) {
      return type(protocol).or(type(COOKED_802_2).and(apple(protocol)));
    }
    if (NetworkTypes.isSap(protocol)) {
      int at = emitter.layout.linkPayload.constant;
      return type(COOKED_802_2).and(emitter.equal(Base.LINK_HEADER, at, B, protocol));
    }
    return type(protocol);
  }

  /** Links whose packets always begin with IEEE 802.2. */
  Test ofLlc(int protocol) {
    if (hasTwoEqualSaps(protocol)) {
      return llc(0, H, (protocol << 8) | protocol);
    }
    if (protocol == NetworkTypes.APPLETALK) {
      return apple(protocol);
    }
    return NetworkTypes.isSap(protocol) ? llc(0, B, protocol) : llc(6, H, protocol);
  }

  /** What is in the place of an ether type is a length. */
  Test hasLength() {
    return emitter.greater(Base.LINK_TYPE, 0, H, NetworkTypes.MAX_SAP).not();
  }

  private Test type(int value) {
    return emitter.equal(Base.LINK_TYPE, 0, H, value);
  }

  private Test llc(int offset, int size, int value) {
    return emitter.equal(Base.LINK_PAYLOAD, offset, size, value);
  }

  private Test apple(int protocol) {
    return snap(protocol == NetworkTypes.APPLETALK ? APPLE : 0, protocol);
  }

  /** IEEE 802.2 and SNAP of an organisation, RFC 1042. */
  private Test snap(int organisation, int protocol) {
    byte[] header = {
      (byte) NetworkTypes.SAP_SNAP,
      (byte) NetworkTypes.SAP_SNAP,
      3,
      (byte) (organisation >> 16),
      (byte) (organisation >> 8),
      (byte) organisation,
      (byte) (protocol >> 8),
      (byte) protocol
    };
    return emitter.bytes(Base.LINK_PAYLOAD, 0, header);
  }
}
