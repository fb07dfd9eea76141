package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.W;

import io.linerate.filter.FilterException;
import io.linerate.filter.syntax.Direction;
import io.linerate.filter.syntax.Protocol;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Addresses in headers of links, of IP, ARP and DECnet. */
final class AddressTests {
  private static final byte[] BROADCAST = {-1, -1, -1, -1, -1, -1};
  private static final int ALL_BITS = 0xFFFF_FFFF;

  private final Emitter emitter;
  private final LinkTests links;
  private final LinkLayout layout;
  private final WirelessTests wireless;

  AddressTests(Emitter emitter, LinkTests links) {
    this.emitter = emitter;
    this.links = links;
    layout = emitter.layout;
    wireless = new WirelessTests(emitter);
  }

  /** Source, destination, both, or either. */
  private Test directed(Direction direction, Function<Boolean, Test> ofSource) {
    return switch (direction) {
      case SRC -> ofSource.apply(true);
      case DST -> ofSource.apply(false);
      case SRC_AND_DST -> {
        Test source = ofSource.apply(true);
        yield source.and(ofSource.apply(false));
      }
      case ANY, SRC_OR_DST -> {
        Test source = ofSource.apply(true);
        yield source.or(ofSource.apply(false));
      }
      case ADDR1, ADDR2, ADDR3, ADDR4, RA, TA -> throw onlyWireless(direction);
    };
  }

  FilterException onlyWireless(Direction direction) {
    return emitter.wrong(
        "found=%s; it is for addresses of IEEE 802.11, in their packets only"
            .formatted(direction.name().toLowerCase(Locale.ROOT)));
  }

  /** An Ethernet address. */
  Test link(byte[] address, Direction direction) {
    if (Links.isEthernet(layout.link)) {
      Test previous = links.insidePrevious();
      Test test = at(0, address, direction, 6, 0);
      return previous == null ? test : previous.and(test);
    }
    if (Links.isWireless(layout.link)) {
      return wireless.address(address, direction);
    }
    return switch (layout.link) {
      case Links.FDDI -> at(1, address, direction, 6, 0);
      case Links.IEEE802_5 -> at(2, address, direction, 6, 0);
      case Links.IP_OVER_FC -> at(2, address, direction, 8, 0);
      default -> throw emitter.unsupported("its packets have no Ethernet addresses");
    };
  }

  /** An address of ARCnet, whose source comes first. */
  Test arcnet(int address, Direction direction) {
    if (!Links.isArcnet(layout.link)) {
      throw emitter.unsupported("found=$%02x; it is for ARCNET".formatted(address));
    }
    return at(0, new byte[] {(byte) address}, direction, 0, 1);
  }

  private Test at(int base, byte[] address, Direction direction, int source, int destination) {
    return directed(
        direction,
        isSource ->
            emitter.bytes(Base.LINK_HEADER, base + (isSource ? source : destination), address));
  }

  Test broadcast(Protocol protocol, int netmask) {
    if (protocol == Protocol.ANY || protocol == Protocol.LINK) {
      if (Links.isArcnet(layout.link)) {
        return arcnet(0, Direction.DST);
      }
      return link(BROADCAST, Direction.DST);
    }
    if (protocol != Protocol.IP) {
      throw emitter.wrong("expected=ether broadcast or ip broadcast");
    }
    if (netmask == ALL_BITS) {
      throw emitter.wrong(
          "the netmask is not known; compare with the address: dst host 10.0.0.255");
    }
    Test ip = links.of(NetworkTypes.IPV4);
    int host = ~netmask;
    Test zeroes = emitter.equal(Base.NETWORK, 16, W, 0, host);
    return ip.and(zeroes.or(emitter.equal(Base.NETWORK, 16, W, host, host)));
  }

  Test multicast(Protocol protocol) {
    return switch (protocol) {
      case ANY, LINK -> linkMulticast();
      case IP -> {
        Test ip = links.of(NetworkTypes.IPV4);
        yield ip.and(emitter.atLeast(Base.NETWORK, 16, B, 224));
      }
      case IP6 -> {
        Test ip = links.of(NetworkTypes.IPV6);
        yield ip.and(emitter.equal(Base.NETWORK, 24, B, 0xFF));
      }
      default -> throw emitter.wrong("expected=ether multicast, ip multicast or ip6 multicast");
    };
  }

  private Test linkMulticast() {
    if (Links.isArcnet(layout.link)) {
      return arcnet(0, Direction.DST);
    }
    if (Links.isEthernet(layout.link)) {
      Test previous = links.insidePrevious();
      Test test = groupBit(0);
      return previous == null ? test : previous.and(test);
    }
    if (Links.isWireless(layout.link)) {
      return wireless.multicast();
    }
    return switch (layout.link) {
      case Links.FDDI -> groupBit(1);
      case Links.IEEE802_5, Links.IP_OVER_FC -> groupBit(2);
      default -> throw emitter.unsupported("its packets have no Ethernet addresses");
    };
  }

  private Test groupBit(int offset) {
    return emitter.anyBit(Base.LINK_HEADER, offset, B, 1);
  }

  /** An IPv4 address or network, in IPv4, ARP or RARP; of DECnet an address of its own. */
  Test ipv4(int address, int mask, Protocol protocol, Direction direction) {
    return switch (protocol) {
      case ANY -> {
        Test ip = ipv4(address, mask, Protocol.IP, direction);
        if (layout.mplsLabels > 0) {
          yield ip;
        }
        Test arp = ipv4(address, mask, Protocol.ARP, direction);
        yield ip.or(arp).or(ipv4(address, mask, Protocol.RARP, direction));
      }
      case IP -> ipv4(address, mask, direction, NetworkTypes.IPV4, 12, 16);
      case ARP -> ipv4(address, mask, direction, NetworkTypes.ARP, 14, 24);
      case RARP -> ipv4(address, mask, direction, NetworkTypes.RARP, 14, 24);
      case DECNET -> decnet(address, direction);
      default -> throw notOf(protocol, "IPv4");
    };
  }

  private FilterException notOf(Protocol protocol, String addresses) {
    return emitter.wrong(
        "found=%s in front; packets of it have no %s addresses"
            .formatted(protocol.word(), addresses));
  }

  private Test ipv4(int address, int mask, Direction direction, int type, int source, int target) {
    return directed(
        direction,
        isSource -> {
          Test network = links.of(type);
          int offset = isSource ? source : target;
          return network.and(emitter.equal(Base.NETWORK, offset, W, address, mask));
        });
  }

  /** An IPv6 address or network. */
  Test ipv6(byte[] address, byte[] mask, Protocol protocol, Direction direction) {
    if (protocol != Protocol.ANY && protocol != Protocol.IP6) {
      throw notOf(protocol, "IPv6");
    }
    BiFunction<Integer, Integer, Test> word =
        (offset, i) ->
            emitter.equal(
                Base.NETWORK,
                offset + i,
                W,
                Emitter.number(address, i, 4),
                Emitter.number(mask, i, 4));
    return directed(
        direction,
        isSource -> {
          int offset = isSource ? 8 : 24;
          Test all = word.apply(offset, 12);
          for (int i = 8; i >= 0; i -= 4) {
            all = word.apply(offset, i).and(all);
          }
          return links.of(NetworkTypes.IPV6).and(all);
        });
  }

  /** Only data packets, with long or short header, and with no padding or one byte of it. */
  private Test decnet(int address, Direction direction) {
    return directed(
        direction,
        isSource -> {
          int shortHeader = isSource ? 3 : 1;
          int longHeader = isSource ? 15 : 7;
          int wire = Short.toUnsignedInt(Short.reverseBytes((short) address));
          Test type = links.of(NetworkTypes.DECNET);
          Test any = padded(0x8106, 3 + longHeader, wire);
          any = plain(0x06, 2 + longHeader, wire).or(any);
          any = padded(0x8102, 3 + shortHeader, wire).or(any);
          any = plain(0x02, 2 + shortHeader, wire).or(any);
          return type.and(any);
        });
  }

  private Test padded(int flags, int offset, int address) {
    Test has = emitter.equal(Base.NETWORK, 2, H, flags, 0xFF07);
    return has.and(emitter.equal(Base.NETWORK, offset, H, address));
  }

  private Test plain(int flags, int offset, int address) {
    Test has = emitter.equal(Base.NETWORK, 2, B, flags, 0x07);
    return has.and(emitter.equal(Base.NETWORK, offset, H, address));
  }
}
