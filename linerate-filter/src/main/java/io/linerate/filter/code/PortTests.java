package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;

import io.linerate.filter.syntax.Direction;

/** Ports of TCP, UDP and SCTP, over IPv4 and IPv6. */
final class PortTests {
  static final int TCP = 6;
  static final int UDP = 17;
  static final int SCTP = 132;

  /** Each of these protocols. */
  static final int ANY_PROTOCOL = -1;

  private final Emitter emitter;
  private final LinkTests links;

  PortTests(Emitter emitter, LinkTests links) {
    this.emitter = emitter;
    this.links = links;
  }

  /**
   * @param first the lowest port, or the highest
   * @param isRange whether there are others than it
   */
  private record Ports(int first, int last, boolean isRange) {}

  /** One port. */
  Test port(int port, int protocol, Direction direction) {
    return any(new Ports(port, port, false), protocol, direction);
  }

  /** All ports from one to another. */
  Test range(int first, int last, int protocol, Direction direction) {
    return any(new Ports(Math.min(first, last), Math.max(first, last), true), protocol, direction);
  }

  private Test any(Ports ports, int protocol, Direction direction) {
    Test ipv4 = ofVersion(true, ports, protocol, direction);
    return ofVersion(false, ports, protocol, direction).or(ipv4);
  }

  /** One port, over IPv4 or over IPv6. */
  Test port(boolean isIpv4, int port, int protocol, Direction direction) {
    return ofVersion(isIpv4, new Ports(port, port, false), protocol, direction);
  }

  private Test ofVersion(boolean isIpv4, Ports ports, int protocol, Direction direction) {
    Test network = links.of(isIpv4 ? NetworkTypes.IPV4 : NetworkTypes.IPV6);
    if (protocol != ANY_PROTOCOL) {
      return network.and(ofProtocol(isIpv4, ports, protocol, direction));
    }
    Test tcp = ofProtocol(isIpv4, ports, TCP, direction);
    Test any = tcp.or(ofProtocol(isIpv4, ports, UDP, direction));
    return network.and(ofProtocol(isIpv4, ports, SCTP, direction).or(any));
  }

  private Test ofProtocol(boolean isIpv4, Ports ports, int protocol, Direction direction) {
    Test has;
    if (isIpv4) {
      Test number = emitter.equal(Base.NETWORK, 9, B, protocol);
      has = number.and(firstFragment());
    } else {
      has = emitter.equal(Base.NETWORK, 6, B, protocol);
    }
    Base base = isIpv4 ? Base.IPV4_PAYLOAD : Base.IPV6_PAYLOAD;
    return has.and(directed(base, ports, direction));
  }

  /** The offset of a fragment is 0: RFC 791, section 3.1. */
  Test firstFragment() {
    return emitter.anyBit(Base.NETWORK, 6, H, 0x1FFF).not();
  }

  private Test directed(Base base, Ports ports, Direction direction) {
    return switch (direction) {
      case SRC -> at(base, 0, ports);
      case DST -> at(base, 2, ports);
      case SRC_AND_DST -> {
        Test source = at(base, 0, ports);
        yield source.and(at(base, 2, ports));
      }
      case ANY, SRC_OR_DST -> {
        Test source = at(base, 0, ports);
        yield source.or(at(base, 2, ports));
      }
      case ADDR1, ADDR2, ADDR3, ADDR4, RA, TA ->
          throw emitter.wrong("expected=src or dst in front of a port");
    };
  }

  private Test at(Base base, int offset, Ports ports) {
    if (!ports.isRange) {
      return emitter.equal(base, offset, H, ports.first);
    }
    Test lowest = emitter.atLeast(base, offset, H, ports.first);
    return lowest.and(emitter.greater(base, offset, H, ports.last).not());
  }
}
