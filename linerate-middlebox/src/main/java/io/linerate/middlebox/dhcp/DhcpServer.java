package io.linerate.middlebox.dhcp;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.MacAddress;
import io.linerate.wire.Udp;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Gives addresses to hosts of its link: a server of DHCP (RFC 2131, RFC 2132), as far as clients
 * need one. It does not answer relays, asks nobody whether an address is in use, and writes nothing
 * down: a client that comes back gets the same address, if it is free.
 *
 * <pre>
 * inputs      in: frames
 * outputs     out: answers
 *             rest (may be left unconnected: such packets are dropped): what is no question of DHCP
 * parameters  mac: its own; settings: what clients get
 * drops       consumed: questions
 *             not_dhcp: of rest
 *             malformed: no whole message, of a relay, or of a client with a group's address
 *             no_address: all addresses are somebody's
 *             no_buffer: for an answer
 * reads       leases: addresses that somebody has; table: a line each: address, client, seconds
 * example     g.chain(from, g.add("dhcp", new DhcpServer(mac, settings)), toPort)
 * </pre>
 */
public record DhcpServer(String mac, DhcpSettings settings) implements Element {
  public static final DropReason NOT_DHCP = DropReason.named("not_dhcp");
  public static final DropReason NO_ADDRESS = DropReason.named("no_address");

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    try {
      long _ = MacAddress.parse(mac);
    } catch (IllegalArgumentException e) {
      return List.of("mac: " + e.getMessage());
    }
    return settings.problems();
  }

  @Override
  public void open(Wiring wiring) {
    Leases leases = wiring.shared(() -> new Leases(settings));
    Answering answering = new Answering(this, leases, wiring);
    Outlet rest = wiring.output("rest");
    wiring.input(
        "in",
        burst -> {
          for (Packet packet : burst) {
            if (answering.isQuestion(packet)) {
              packet.drop(answering.answer(packet));
            } else {
              rest.send(packet, NOT_DHCP);
            }
          }
        });
    wiring.readShared("leases", ValueType.NUMBER, () -> leases.size(wiring.nowNs()));
    wiring.readShared("table", ValueType.TEXT, () -> leases.text(wiring.nowNs()));
  }

  /** On one worker. Offsets are those of RFC 2131, section 2, figure 1. */
  private static final class Answering {
    private static final int SERVER_PORT = 67;
    private static final int CLIENT_PORT = 68;

    private static final int XID = 4;
    private static final int FLAGS = 10;
    private static final int CIADDR = 12;
    private static final int YIADDR = 16;
    private static final int SIADDR = 20;
    private static final int GIADDR = 24;
    private static final int CHADDR = 28;
    private static final int COOKIE = 236;
    private static final int OPTIONS = 240;
    private static final int MAGIC = 0x6382_5363;
    private static final int BROADCAST = 0x8000;
    private static final int REQUEST = 1;
    private static final int REPLY = 2;

    private static final int DISCOVER = 1;
    private static final int OFFER = 2;
    private static final int REQUESTED = 3;
    private static final int DECLINE = 4;
    private static final int ACK = 5;
    private static final int NAK = 6;
    private static final int RELEASE = 7;
    private static final int INFORM = 8;

    // RFC 2132.
    private static final int MASK = 1;
    private static final int ROUTER = 3;
    private static final int DNS = 6;
    private static final int WANTED_ADDRESS = 50;
    private static final int LEASE = 51;
    private static final int TYPE = 53;
    private static final int SERVER = 54;
    private static final int RENEWAL = 58;
    private static final int REBINDING = 59;
    private static final int CLIENT = 61;
    private static final int PAD = 0;
    private static final int END = 255;

    private static final int L3 = Ethernet.HEADER_BYTES;
    private static final int L4 = L3 + Ipv4.HEADER_BYTES;
    private static final int MESSAGE = L4 + Udp.HEADER_BYTES;

    /** As BOOTP had it, which some clients still want: RFC 1542, section 2.1. */
    private static final int MESSAGE_BYTES = 300;

    private static final int OPTIONS_MOST = 64;

    /** Of an identifier, at most: what is longer than any that is in use. */
    private static final int CLIENT_BYTES = 64;

    private static final HexFormat HEX = HexFormat.ofDelimiter(":");
    private static final int TTL = 64;
    private static final int ALL = -1;

    private final long mac;
    private final int own;
    private final int mask;
    private final int[] dns;
    private final int leaseSeconds;
    private final Leases leases;
    private final Wiring wiring;
    private final Outlet out;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ethernet ethernet = new Ethernet();
    private final Ipv4 ipv4 = new Ipv4();
    private final Udp udp = new Udp();
    private int at;

    Answering(DhcpServer server, Leases leases, Wiring wiring) {
      this.leases = leases;
      this.wiring = wiring;
      mac = MacAddress.parse(server.mac);
      own = server.settings.own();
      mask = server.settings.mask();
      dns = server.settings.dns().stream().mapToInt(Ipv4Address::parse).toArray();
      leaseSeconds = (int) server.settings.lease().toSeconds();
      out = wiring.output("out");
    }

    boolean isQuestion(Packet packet) {
      return scanner.scan(packet)
          && scanner.ipVersion() == Ipv4.VERSION
          && scanner.ipProtocol() == IpProtocol.UDP
          && scanner.vlanTags() == 0
          && scanner.l4Fits()
          && !scanner.isFragment()
          && packet.u16(scanner.l4Offset() + 2) == SERVER_PORT
          && isForIt(ipv4.wrap(packet, scanner.l3Offset()).destination());
    }

    private boolean isForIt(int address) {
      return address == own || address == ALL;
    }

    /** Answers it; returns why it is dropped then. */
    DropReason answer(Packet packet) {
      int message = scanner.l4Offset() + Udp.HEADER_BYTES;
      int end = scanner.ipEnd();
      boolean isSound =
          scanner.defect() == HeaderDefect.NONE
              && end - message > OPTIONS
              && packet.u8(message) == REQUEST
              && packet.u8(message + 1) == 1
              && packet.u8(message + 2) == 6
              && packet.i32(message + GIADDR) == 0
              && !MacAddress.isMulticast(packet.u64(message + CHADDR) >>> 16)
              && packet.i32(message + COOKIE) == MAGIC
              && !InternetChecksum.isWrong(packet, scanner);
      int typeAt = isSound ? option(packet, message, end, TYPE, 1) : -1;
      if (typeAt < 0) {
        return DropReason.MALFORMED;
      }
      String client = client(packet, message, end);
      Optional<Integer> wanted = address(packet, message, end, WANTED_ADDRESS);
      long nowNs = wiring.nowNs();
      return switch (packet.u8(typeAt)) {
        case DISCOVER -> {
          Optional<Integer> offered = leases.offer(client, wanted, nowNs);
          yield offered.isEmpty() ? NO_ADDRESS : reply(packet, message, OFFER, offered.get(), true);
        }
        case REQUESTED -> request(packet, message, end, client, wanted, nowNs);
        case DECLINE -> {
          wanted.ifPresent(address -> leases.decline(client, address, nowNs));
          yield DropReason.CONSUMED;
        }
        case RELEASE -> {
          leases.release(client, packet.i32(message + CIADDR));
          yield DropReason.CONSUMED;
        }
        case INFORM ->
            packet.i32(message + CIADDR) == 0
                ? DropReason.MALFORMED
                : reply(packet, message, ACK, 0, false);
        default -> DropReason.MALFORMED;
      };
    }

    /** RFC 2131, section 4.3.2: selecting, rebooting, renewing and rebinding. */
    private DropReason request(
        Packet packet, int message, int end, String client, Optional<Integer> wanted, long nowNs) {
      Optional<Integer> server = address(packet, message, end, SERVER);
      if (server.isPresent() && server.get() != own) {
        return DropReason.CONSUMED; // It has taken another server's offer.
      }
      int address = wanted.orElse(packet.i32(message + CIADDR));
      return leases.take(client, address, nowNs)
          ? reply(packet, message, ACK, address, true)
          : reply(packet, message, NAK, 0, false);
    }

    /** Where the value of an option begins, of which so many bytes are there; -1 without it. */
    private static int option(Packet packet, int message, int end, int wanted, int bytes) {
      int at = message + OPTIONS;
      while (at < end && packet.u8(at) != END) {
        if (packet.u8(at) == PAD) {
          at++;
          continue;
        }
        if (at + 2 > end || at + 2 + packet.u8(at + 1) > end) {
          return -1;
        }
        if (packet.u8(at) == wanted) {
          return packet.u8(at + 1) >= bytes ? at + 2 : -1;
        }
        at += 2 + packet.u8(at + 1);
      }
      return -1;
    }

    private static Optional<Integer> address(Packet packet, int message, int end, int wanted) {
      int at = option(packet, message, end, wanted, Integer.BYTES);
      return at < 0 ? Optional.empty() : Optional.of(packet.i32(at));
    }

    /** By the identifier that it gives, or its Ethernet address: RFC 2131, section 4.2. */
    private static String client(Packet packet, int message, int end) {
      int at = option(packet, message, end, CLIENT, 2);
      int from = at < 0 ? message + CHADDR : at;
      byte[] bytes = new byte[at < 0 ? 6 : Math.min(packet.u8(at - 1), CLIENT_BYTES)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) packet.u8(from + i);
      }
      return (at < 0 ? "" : "id ") + HEX.formatHex(bytes);
    }

    private DropReason reply(Packet packet, int message, int type, int address, boolean hasLease) {
      Packet made = out.create(MESSAGE + MESSAGE_BYTES + OPTIONS_MOST);
      if (made == null) {
        return DropReason.NO_BUFFER;
      }
      for (int i = 0; i < made.length() - Long.BYTES; i += Long.BYTES) {
        made.u64(i, 0);
      }
      made.u64(made.length() - Long.BYTES, 0);
      int ciaddr = packet.i32(message + CIADDR);
      long chaddr = packet.u64(message + CHADDR) >>> 16;
      boolean isToAll =
          type == NAK || (ciaddr == 0 && (packet.u16(message + FLAGS) & BROADCAST) != 0);
      made.u8(MESSAGE, REPLY);
      made.u8(MESSAGE + 1, 1);
      made.u8(MESSAGE + 2, 6);
      made.i32(MESSAGE + XID, packet.i32(message + XID));
      made.u16(MESSAGE + FLAGS, packet.u16(message + FLAGS));
      made.i32(MESSAGE + CIADDR, type == NAK ? 0 : ciaddr);
      made.i32(MESSAGE + YIADDR, address);
      made.i32(MESSAGE + SIADDR, type == NAK ? 0 : own);
      made.u64(MESSAGE + CHADDR, chaddr << 16);
      made.i32(MESSAGE + COOKIE, MAGIC);
      options(made, type, hasLease);
      headers(made, isToAll, chaddr, ciaddr == 0 ? address : ciaddr);
      return DropReason.CONSUMED;
    }

    private void options(Packet made, int type, boolean hasLease) {
      at = MESSAGE + OPTIONS;
      made.u8(at++, TYPE);
      made.u8(at++, 1);
      made.u8(at++, type);
      word(made, SERVER, own);
      if (type != NAK) {
        word(made, MASK, mask);
        word(made, ROUTER, own);
        if (dns.length > 0) {
          made.u8(at++, DNS);
          made.u8(at++, Integer.BYTES * dns.length);
          for (int server : dns) {
            made.i32(at, server);
            at += Integer.BYTES;
          }
        }
      }
      if (hasLease) {
        word(made, LEASE, leaseSeconds);
        word(made, RENEWAL, leaseSeconds / 2);
        word(made, REBINDING, (int) (leaseSeconds * 7L / 8));
      }
      made.u8(at, END);
    }

    private void word(Packet made, int option, int value) {
      made.u8(at++, option);
      made.u8(at++, Integer.BYTES);
      made.i32(at, value);
      at += Integer.BYTES;
    }

    /** RFC 2131, section 4.1: to who asked, whose address it may not have yet, or to all. */
    private void headers(Packet made, boolean isToAll, long chaddr, int address) {
      int l4Bytes = made.length() - L4;
      ethernet
          .wrap(made, 0)
          .destination(isToAll ? MacAddress.BROADCAST : chaddr)
          .source(mac)
          .etherType(EtherType.IPV4);
      made.u64(L3, 0x45L << 56);
      ipv4.wrap(made, L3)
          .totalLength(Ipv4.HEADER_BYTES + l4Bytes)
          .ttl(TTL)
          .protocol(IpProtocol.UDP)
          .source(own)
          .destination(isToAll ? ALL : address);
      InternetChecksum.writeIpv4Header(made, L3);
      udp.wrap(made, L4).sourcePort(SERVER_PORT).destinationPort(CLIENT_PORT).length(l4Bytes);
      InternetChecksum.writeUdp(made, L3, L4, l4Bytes);
    }
  }
}
