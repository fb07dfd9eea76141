package io.linerate.filter.code;

import io.linerate.filter.FilterException;
import io.linerate.filter.FilterNames;
import io.linerate.filter.FilterNames.Service;
import io.linerate.filter.syntax.BareName;
import io.linerate.filter.syntax.Condition.Match;
import io.linerate.filter.syntax.Direction;
import io.linerate.filter.syntax.Id;
import io.linerate.filter.syntax.IdType;
import io.linerate.filter.syntax.Ipv6Text;
import io.linerate.filter.syntax.Protocol;
import io.linerate.filter.syntax.Qualifiers;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** Qualifiers with a name, a number or an address. */
final class IdTests {
  private static final int ALL_BITS = 0xFFFF_FFFF;
  private static final int MAX_PORT = 0xFFFF;

  private final Emitter emitter;
  private final FilterNames names;
  private final AddressTests addresses;
  private final PortTests ports;
  private final ProtocolTests protocols;
  private final LinkTests links;

  IdTests(
      Emitter emitter,
      FilterNames names,
      LinkTests links,
      AddressTests addresses,
      PortTests ports,
      ProtocolTests protocols) {
    this.emitter = emitter;
    this.names = names;
    this.links = links;
    this.addresses = addresses;
    this.ports = ports;
    this.protocols = protocols;
  }

  Test of(Match match) {
    Qualifiers qualifiers = match.qualifiers();
    if (qualifiers.type() == IdType.UNKNOWN) {
      String word = match.id() instanceof Id.Name name ? name.text() : "";
      throw emitter.wrong(BareName.problem(word));
    }
    return switch (match.id()) {
      case Id.Name name -> name(name.text(), qualifiers);
      case Id.Numeric number -> number(number.value(), qualifiers);
      case Id.Ipv4 address -> ipv4(address.text(), qualifiers);
      case Id.Ipv4Prefix prefix -> ipv4Prefix(prefix, qualifiers);
      case Id.Ipv4Mask mask -> ipv4Mask(mask, qualifiers);
      case Id.Ipv6 address -> ipv6(address, qualifiers);
      case Id.Ethernet address -> ethernet(address.text(), qualifiers);
      case Id.Arcnet address -> arcnet(address.value(), qualifiers);
    };
  }

  private FilterException wrong(String text, String expected) {
    return emitter.wrong("found=%s, expected=%s".formatted(text, expected));
  }

  private Test name(String name, Qualifiers q) {
    return switch (q.type()) {
      case NET -> network(name, q);
      case ANY, HOST -> host(name, q);
      case PORT -> port(name, q);
      case PORTRANGE -> portRange(name, q);
      case GATEWAY -> gateway(name, q);
      case PROTO -> protocols.number(protocol(name, q.protocol()), q.protocol(), q.direction());
      case PROTOCHAIN ->
          ProtocolChain.of(emitter, links, protocol(name, q.protocol()), q.protocol());
      case UNKNOWN -> throw new AssertionError(name);
    };
  }

  private Test network(String name, Qualifiers q) {
    OptionalInt network = names.network(name);
    if (network.isEmpty() || network.getAsInt() == 0) {
      throw wrong(name, "a network of /etc/networks, or a number such as 10.0.0.0/8");
    }
    return leftJustified(network.getAsInt(), q);
  }

  /** A network whose last bytes were left out. */
  private Test leftJustified(int network, Qualifiers q) {
    int value = network;
    int mask = ALL_BITS;
    while (value != 0 && (value & 0xFF00_0000) == 0) {
      value <<= 8;
      mask <<= 8;
    }
    return addresses.ipv4(value, mask, q.protocol(), q.direction());
  }

  private Test host(String name, Qualifiers q) {
    if (q.protocol() == Protocol.LINK) {
      Optional<byte[]> address = names.ethernet(name);
      if (address.isEmpty()) {
        throw wrong(name, "an Ethernet address, or a host of /etc/ethers");
      }
      return addresses.link(address.get(), q.direction());
    }
    if (q.protocol() == Protocol.DECNET) {
      throw wrong(name, "an address of DECnet such as 1.5");
    }
    return hosts(name, names.host(name), q.protocol(), q.direction());
  }

  private Test hosts(String name, List<byte[]> found, Protocol protocol, Direction direction) {
    boolean hasTypes = emitter.layout.linkType.constant != Offset.NOT_SET;
    boolean isPlain = protocol == Protocol.ANY && !hasTypes; // Then there is no ARP, either.
    Test any = null;
    for (byte[] address : found) {
      boolean isIpv4 = address.length == 4;
      if (protocol == (isIpv4 ? Protocol.IP6 : Protocol.IP)) {
        continue;
      }
      Protocol in = !isPlain ? protocol : isIpv4 ? Protocol.IP : Protocol.IP6;
      Test one =
          isIpv4
              ? addresses.ipv4(Emitter.number(address, 0, 4), ALL_BITS, in, direction)
              : addresses.ipv6(address, ones(128), in, direction);
      any = any == null ? one : any.or(one);
    }
    if (any == null) {
      throw wrong(name, "an address, or a host that has one of that protocol");
    }
    return any;
  }

  private static byte[] ones(int bits) {
    byte[] mask = new byte[16];
    for (int i = 0; i < bits; i++) {
      mask[i / 8] |= (byte) (0x80 >> (i % 8));
    }
    return mask;
  }

  /** The transport protocol of qualifiers. */
  private int transport(Qualifiers q) {
    return switch (q.protocol()) {
      case ANY -> PortTests.ANY_PROTOCOL;
      case TCP -> PortTests.TCP;
      case UDP -> PortTests.UDP;
      case SCTP -> PortTests.SCTP;
      default -> throw emitter.wrong("expected=tcp, udp or sctp in front of a port");
    };
  }

  private Test port(String name, Qualifiers q) {
    int transport = transport(q);
    Service service = service(name);
    return ports.port(service.port(), ofService(name, service, transport), q.direction());
  }

  private Service service(String name) {
    return names
        .service(name)
        .orElseThrow(() -> wrong(name, "a port from 0 to 65535, or a name of /etc/services"));
  }

  /** The protocol that a service is looked for in. */
  private int ofService(String name, Service service, int transport) {
    if (service.ofTcp() && service.ofUdp()) {
      return transport;
    }
    int own = service.ofTcp() ? PortTests.TCP : PortTests.UDP;
    if (transport != PortTests.ANY_PROTOCOL && transport != own) {
      throw wrong(name, "a port of that protocol; this is one of " + (own == 6 ? "tcp" : "udp"));
    }
    return own;
  }

  private Test portRange(String name, Qualifiers q) {
    int transport = transport(q);
    int hyphen = name.indexOf('-');
    if (hyphen < 0) {
      throw wrong(name, "two ports such as 80-90");
    }
    int digits = digits(name, hyphen + 1);
    if (digits(name, 0) == hyphen && hyphen > 0 && digits > hyphen + 1) {
      int first = limited(name.substring(0, hyphen));
      int last = limited(name.substring(hyphen + 1, digits)); // libpcap, too, ignores what follows.
      return ports.range(first, last, transport, q.direction());
    }
    Service first = service(name.substring(0, hyphen));
    Service last = service(name.substring(hyphen + 1));
    boolean isOfOne = first.ofTcp() == last.ofTcp() && first.ofUdp() == last.ofUdp();
    int protocol = isOfOne ? ofService(name, first, transport) : transport;
    return ports.range(first.port(), last.port(), protocol, q.direction());
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  private int limited(String digits) {
    if (digits.length() > 9 || Integer.parseInt(digits) > MAX_PORT) {
      throw wrong(digits, "a port from 0 to 65535");
    }
    return Integer.parseInt(digits);
  }

  /** From or to a router by its Ethernet address, but not by its own. */
  private Test gateway(String name, Qualifiers q) {
    boolean isPossible =
        switch (q.protocol()) {
          case ANY, IP, ARP, RARP -> true;
          default -> false;
        };
    Optional<byte[]> address = names.ethernet(name);
    if (!isPossible || address.isEmpty()) {
      throw wrong(name, "a name of a host and of /etc/ethers, behind ip, arp, rarp or nothing");
    }
    Test link = addresses.link(address.get(), Direction.SRC_OR_DST);
    Test host = hosts(name, names.host(name), q.protocol(), Direction.SRC_OR_DST);
    return link.and(host.not());
  }

  private int protocol(String name, Protocol of) {
    Integer number =
        switch (of) {
          case ANY, IP, IP6 -> {
            OptionalInt found = names.protocol(name);
            yield found.isPresent() ? Integer.valueOf(found.getAsInt()) : null;
          }
          case LINK -> NetworkNames.number(name);
          case ISO -> OsiTests.number(name);
          default -> null;
        };
    if (number == null) {
      throw wrong(name, "a protocol of %s".formatted(of == Protocol.ANY ? "ip" : of.word()));
    }
    return number;
  }

  private Test number(int value, Qualifiers q) {
    return switch (q.type()) {
      case ANY, HOST -> {
        requireNoLink(q, Integer.toUnsignedString(value));
        yield addresses.ipv4(value, ALL_BITS, q.protocol(), q.direction());
      }
      case NET -> {
        requireNoLink(q, Integer.toUnsignedString(value));
        yield q.protocol() == Protocol.DECNET
            ? addresses.ipv4(value, 0, q.protocol(), q.direction())
            : leftJustified(value, q);
      }
      case PORT -> ports.port(limitedPort(value), transport(q), q.direction());
      case PORTRANGE -> {
        int port = limitedPort(value);
        yield ports.range(port, port, transport(q), q.direction());
      }
      case PROTO -> protocols.number(value, q.protocol(), q.direction());
      case PROTOCHAIN -> ProtocolChain.of(emitter, links, value, q.protocol());
      case GATEWAY, UNKNOWN -> throw wrong(Integer.toUnsignedString(value), "a name");
    };
  }

  private int limitedPort(int value) {
    if (Integer.compareUnsigned(value, MAX_PORT) > 0) {
      throw wrong(Integer.toUnsignedString(value), "a port from 0 to 65535");
    }
    return value;
  }

  private void requireNoLink(Qualifiers q, String text) {
    if (q.protocol() == Protocol.LINK) {
      throw wrong(text, "an Ethernet address such as 02:00:00:00:00:01");
    }
  }

  private Test ipv4(String text, Qualifiers q) {
    switch (q.type()) {
      case ANY, HOST, NET -> requireNoLink(q, text);
      default -> throw wrong(text, "a number or name; this is an address");
    }
    if (q.protocol() == Protocol.DECNET) {
      return addresses.ipv4(Ipv4Number.decnet(text, this::wrong), 0, q.protocol(), q.direction());
    }
    Ipv4Number number = ipv4Number(text);
    return addresses.ipv4(number.value(), number.mask(), q.protocol(), q.direction());
  }

  private Ipv4Number ipv4Number(String text) {
    Ipv4Number number = Ipv4Number.parse(text);
    if (number == null) {
      throw wrong(text, "an IPv4 address, each part at most 255");
    }
    return number;
  }

  private Test ipv4Prefix(Id.Ipv4Prefix prefix, Qualifiers q) {
    int bits = prefix.prefixLength();
    int address = ipv4Number(prefix.text()).value();
    if (Integer.compareUnsigned(bits, 32) > 0) {
      throw wrong("/" + Integer.toUnsignedString(bits), "a length of at most 32");
    }
    int mask = bits == 0 ? 0 : ALL_BITS << (32 - bits);
    return ipv4Network(prefix.text() + "/" + bits, address, mask, q);
  }

  private Test ipv4Mask(Id.Ipv4Mask network, Qualifiers q) {
    int address = ipv4Number(network.text()).value();
    int mask = ipv4Number(network.mask()).value();
    return ipv4Network(network.text() + " mask " + network.mask(), address, mask, q);
  }

  private Test ipv4Network(String text, int address, int mask, Qualifiers q) {
    if ((address & ~mask) != 0) {
      throw wrong(text, "a network; bits of the host are set");
    }
    if (q.type() != IdType.NET) {
      throw wrong(text, "net in front of a network");
    }
    return addresses.ipv4(address, mask, q.protocol(), q.direction());
  }

  private Test ipv6(Id.Ipv6 id, Qualifiers q) {
    byte[] address = Objects.requireNonNull(Ipv6Text.parse(id.text()));
    int bits = id.prefixLength();
    if (Integer.compareUnsigned(bits, 128) > 0) {
      throw wrong("/" + Integer.toUnsignedString(bits), "a length of at most 128");
    }
    byte[] mask = ones(bits);
    for (int i = 0; i < address.length; i++) {
      if ((address[i] & ~mask[i]) != 0) {
        throw wrong(id.text() + "/" + bits, "a network; bits of the host are set");
      }
    }
    boolean isHostType = q.type() == IdType.ANY || q.type() == IdType.HOST;
    if (q.type() != IdType.NET && (!isHostType || bits != 128)) {
      throw wrong(id.text() + "/" + bits, "net in front of a network, host in front of an address");
    }
    return addresses.ipv6(address, mask, q.protocol(), q.direction());
  }

  private Test ethernet(String text, Qualifiers q) {
    requireLink(text, q);
    return addresses.link(bytes(text), q.direction());
  }

  private void requireLink(String text, Qualifiers q) {
    boolean isHost = q.type() == IdType.ANY || q.type() == IdType.HOST;
    if (!isHost || q.protocol() != Protocol.LINK) {
      throw wrong(text, "ether host, ether src or ether dst in front");
    }
  }

  /** Digits with separators between, or twelve without. */
  private static byte[] bytes(String text) {
    byte[] bytes = new byte[6];
    int at = 0;
    for (int i = 0; i < text.length(); at++) {
      if (":.-".indexOf(text.charAt(i)) >= 0) {
        i++;
      }
      int value = Character.digit(text.charAt(i++), 16);
      if (i < text.length() && Character.digit(text.charAt(i), 16) >= 0) {
        value = (value << 4) | Character.digit(text.charAt(i++), 16);
      }
      bytes[at] = (byte) value;
    }
    return Arrays.copyOf(bytes, at);
  }

  private Test arcnet(int address, Qualifiers q) {
    if (Links.isArcnet(emitter.layout.link)) {
      requireLink("$%02x".formatted(address), q);
    }
    return addresses.arcnet(address, q.direction());
  }
}
