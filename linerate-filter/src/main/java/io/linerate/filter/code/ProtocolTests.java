package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;

import io.linerate.filter.syntax.Direction;
import io.linerate.filter.syntax.Protocol;

/** Which protocols a packet is of. */
final class ProtocolTests {
  private static final int FRAGMENT = 44;

  private final Emitter emitter;
  private final LinkTests links;
  private final OsiTests osi;

  ProtocolTests(Emitter emitter, LinkTests links) {
    this.emitter = emitter;
    this.links = links;
    osi = new OsiTests(emitter, links);
  }

  /** A keyword alone. */
  Test of(Protocol protocol) {
    return switch (protocol) {
      case SCTP -> overIp(132);
      case TCP -> overIp(6);
      case UDP -> overIp(17);
      case PIM -> overIp(103);
      case AH -> overIp(51);
      case ESP -> overIp(50);
      case ICMP -> overIpv4(1);
      case IGMP -> overIpv4(2);
      case IGRP -> overIpv4(9);
      case VRRP, CARP -> overIpv4(112);
      case ICMP6 -> overIpv6(58);
      case IP -> links.of(NetworkTypes.IPV4);
      case IP6 -> links.of(NetworkTypes.IPV6);
      case ARP -> links.of(NetworkTypes.ARP);
      case RARP -> links.of(NetworkTypes.RARP);
      case ATALK -> links.of(NetworkTypes.APPLETALK);
      case AARP -> links.of(NetworkTypes.AARP);
      case DECNET -> links.of(NetworkTypes.DECNET);
      case SCA -> links.of(NetworkTypes.SCA);
      case LAT -> links.of(NetworkTypes.LAT);
      case MOPDL -> links.of(NetworkTypes.MOP_DL);
      case MOPRC -> links.of(NetworkTypes.MOP_RC);
      case ISO -> links.of(NetworkTypes.SAP_OSI);
      case STP -> links.of(NetworkTypes.SAP_SPANNING_TREE);
      case IPX -> links.of(NetworkTypes.SAP_IPX);
      case NETBEUI -> links.of(NetworkTypes.SAP_NETBEUI);
      case ESIS -> osi.network(OsiTests.ESIS);
      case ISIS -> osi.network(OsiTests.ISIS);
      case CLNP -> osi.network(OsiTests.CLNP);
      case ANY, LINK, RADIO ->
          throw emitter.wrong("expected=host, proto, or [ and an offset behind it");
      default -> {
        Test pdus = osi.abbreviation(protocol);
        if (pdus == null) {
          throw new AssertionError(protocol);
        }
        yield pdus;
      }
    };
  }

  private Test overIp(int number) {
    Test ipv4 = overIpv4(number);
    return ipv4.or(overIpv6(number));
  }

  private Test overIpv4(int number) {
    Test ip = links.of(NetworkTypes.IPV4);
    return ip.and(emitter.equal(Base.NETWORK, 9, B, number));
  }

  /** In IPv6's own header, or in that of a fragment behind it. */
  private Test overIpv6(int number) {
    Test ip = links.of(NetworkTypes.IPV6);
    Test isFragment = emitter.equal(Base.NETWORK, 6, B, FRAGMENT);
    Test inFragment = isFragment.and(emitter.equal(Base.NETWORK, 40, B, number));
    return ip.and(emitter.equal(Base.NETWORK, 6, B, number).or(inFragment));
  }

  /** {@code proto} behind a protocol. */
  Test number(int number, Protocol protocol, Direction direction) {
    if (direction != Direction.ANY) {
      throw emitter.wrong("found=a direction in front of proto; expected=none");
    }
    return switch (protocol) {
      case ANY -> overIp(number);
      case LINK -> links.of(number);
      case IP -> overIpv4(number);
      case IP6 -> overIpv6(number);
      case ISO -> osi.network(number);
      case ISIS -> osi.isis(number);
      default ->
          throw emitter.wrong(
              "found=%s in front of proto, expected=ip, ip6, ether, iso or isis"
                  .formatted(protocol.word()));
    };
  }
}
