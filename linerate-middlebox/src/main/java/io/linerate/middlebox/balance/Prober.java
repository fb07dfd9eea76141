package io.linerate.middlebox.balance;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.middlebox.balance.Backends.Server;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Tcp;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The {@link HealthCheck} on one worker. A question has a number, which is the port that it comes
 * from, or the sequence number of an echo; what is known of each backend is shared by {@link
 * Backends} alone, and the last answer by this.
 */
final class Prober {
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 20_000;
  private static final int TTL = 64;
  private static final int WINDOW = 65_535;
  private static final int L3 = Ethernet.HEADER_BYTES;
  private static final int L4 = L3 + Ipv4.HEADER_BYTES;
  private static final byte[] STATUS = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);

  private final Backends backends;
  private final HealthSettings settings;
  private final int own;
  private final Outlet out;
  private final byte[] request;

  // Of the worker that asks.
  private int question;
  private final int[] fails = new int[Backends.MOST];
  private final int[] passes = new int[Backends.MOST];
  private long asked;
  private long answered;

  private final HeaderScanner scanner = new HeaderScanner();
  private final Ethernet ethernet = new Ethernet();
  private final Ipv4 ipv4 = new Ipv4();
  private final Tcp tcp = new Tcp();
  private final Icmp icmp = new Icmp();
  private final Ethernet newEthernet = new Ethernet();
  private final Ipv4 newIpv4 = new Ipv4();
  private final Tcp newTcp = new Tcp();

  Prober(HealthCheck check, Wiring wiring) {
    backends = check.backends();
    settings = check.settings();
    own = Ipv4Address.parse(check.address());
    out = wiring.output("out");
    request =
        ("GET " + settings.path() + " HTTP/1.0\r\nUser-Agent: linerate\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
  }

  long asked() {
    return asked;
  }

  long answered() {
    return answered;
  }

  /** Judges what came of the questions before, and asks all backends again. */
  void ask() {
    int before = question;
    question = question + 1 == PORTS ? 1 : question + 1;
    backends.asking(question);
    for (Server server : backends.servers()) {
      if (!server.isRemoved()) {
        if (before != 0) {
          judge(server, backends.answer(server) == before);
        }
        send(server);
        asked++;
      }
    }
  }

  private void judge(Server server, boolean isAnswered) {
    int number = server.number;
    if (isAnswered) {
      fails[number] = 0;
      passes[number]++;
      if (passes[number] >= settings.passes()) {
        backends.found(server, true);
      }
    } else {
      passes[number] = 0;
      fails[number]++;
      if (fails[number] >= settings.fails()) {
        backends.found(server, false);
      }
    }
  }

  private void send(Server server) {
    if (settings.kind() == HealthSettings.Kind.ICMP) {
      int bytes = Icmp.HEADER_BYTES + Integer.BYTES;
      Packet packet = begin(server.address, IpProtocol.ICMP, bytes);
      if (packet != null) {
        packet.i32(L4 + Icmp.HEADER_BYTES, backends.secret());
        icmp.wrap(packet, L4)
            .type(Icmp.ECHO)
            .code(0)
            .identifier(server.number)
            .sequenceNumber(question);
        InternetChecksum.writeIcmp(packet, L4, bytes);
      }
      return;
    }
    long sequence = Integer.toUnsignedLong(backends.secret());
    segment(server.address, FIRST_PORT + question, server.port, Tcp.SYN, sequence, 0, new byte[0]);
  }

  private void segment(
      int to, int port, int toPort, int flags, long sequence, long acknowledgment, byte[] payload) {
    Packet packet = begin(to, IpProtocol.TCP, Tcp.HEADER_BYTES + payload.length);
    if (packet == null) {
      return; // Nobody will answer: the backend fails once.
    }
    newTcp
        .wrap(packet, L4)
        .sourcePort(port)
        .destinationPort(toPort)
        .sequenceNumber(sequence)
        .acknowledgmentNumber(acknowledgment)
        .dataOffset(Tcp.MIN_DATA_OFFSET)
        .flags(flags)
        .window(WINDOW)
        .urgentPointer(0);
    for (int i = 0; i < payload.length; i++) {
      packet.u8(L4 + Tcp.HEADER_BYTES + i, payload[i]);
    }
    InternetChecksum.writeTcp(packet, L3, L4, Tcp.HEADER_BYTES + payload.length);
  }

  private @Nullable Packet begin(int to, int protocol, int bytes) {
    Packet packet = out.create(L4 + bytes);
    if (packet == null) {
      return null;
    }
    newEthernet.wrap(packet, 0).destination(0).source(0).etherType(EtherType.IPV4);
    packet.u64(L3, 0x45L << 56);
    newIpv4
        .wrap(packet, L3)
        .totalLength(Ipv4.HEADER_BYTES + bytes)
        .ttl(TTL)
        .protocol(protocol)
        .source(own)
        .destination(to);
    InternetChecksum.writeIpv4Header(packet, L3);
    return packet;
  }

  /** Whether a packet is for this: an answer, or what comes before or behind it. */
  boolean isAnswer(Packet packet) {
    if (!scanner.scan(packet) || scanner.ipVersion() != Ipv4.VERSION || !scanner.l4Fits()) {
      return false;
    }
    ipv4.wrap(packet, scanner.l3Offset());
    if (ipv4.destination() != own) {
      return false;
    }
    return switch (scanner.ipProtocol()) {
      case IpProtocol.TCP -> settings.kind() != HealthSettings.Kind.ICMP && isSegment(packet);
      case IpProtocol.ICMP -> settings.kind() == HealthSettings.Kind.ICMP && isEcho(packet);
      default -> false;
    };
  }

  private boolean isEcho(Packet packet) {
    icmp.wrap(packet, scanner.l4Offset());
    int number = icmp.identifier();
    Server[] servers = backends.servers();
    if (icmp.type() != Icmp.ECHO_REPLY
        || number >= servers.length
        || servers[number].address != ipv4.source()) {
      return false;
    }
    if (scanner.l4Bytes() >= Icmp.HEADER_BYTES + Integer.BYTES
        && packet.i32(scanner.l4Offset() + Icmp.HEADER_BYTES) == backends.secret()) {
      answered(packet, servers[number], icmp.sequenceNumber());
    }
    return true;
  }

  private void answered(Packet packet, Server server, int number) {
    if (backends.answered(server, number, ethernet.wrap(packet, 0).source())) {
      answered++;
    }
  }

  private boolean isSegment(Packet packet) {
    tcp.wrap(packet, scanner.l4Offset());
    int number = tcp.destinationPort() - FIRST_PORT;
    if (number < 1 || number >= PORTS) {
      return false;
    }
    boolean isKnown = false;
    boolean isGood = isGood(packet);
    for (Server server : backends.servers()) {
      if (!server.isRemoved()
          && server.address == ipv4.source()
          && server.port == tcp.sourcePort()) {
        isKnown = true;
        if (isGood) {
          answered(packet, server, number);
        }
      }
    }
    if (isKnown && !tcp.has(Tcp.RST)) {
      goOn();
    }
    return isKnown;
  }

  /** Whether it says that the backend is up. */
  private boolean isGood(Packet packet) {
    int acknowledged = (int) tcp.acknowledgmentNumber() - backends.secret() - 1;
    if (tcp.has(Tcp.RST) || acknowledged < 0 || acknowledged > request.length) {
      return false;
    }
    if (settings.kind() == HealthSettings.Kind.TCP) {
      return tcp.has(Tcp.SYN | Tcp.ACK);
    }
    int at = tcp.payloadOffset();
    if (scanner.ipEnd() - at < STATUS.length + 3) {
      return false;
    }
    for (int i = 0; i < STATUS.length; i++) {
      if (packet.u8(at + i) != STATUS[i]) {
        return false;
      }
    }
    int first = packet.u8(at + STATUS.length + 2); // Behind the minor version and a blank.
    return first == '2' || first == '3';
  }

  /** Sends what follows: the request behind the second SYN, and a reset behind all else. */
  private void goOn() {
    boolean isOpen = tcp.has(Tcp.SYN | Tcp.ACK);
    boolean asksNow = isOpen && settings.kind() == HealthSettings.Kind.HTTP;
    int bytes = scanner.ipEnd() - tcp.payloadOffset();
    if (!asksNow && !isOpen && bytes <= 0 && !tcp.has(Tcp.FIN)) {
      return; // An acknowledgment of the request: the answer is to come.
    }
    segment(
        ipv4.source(),
        tcp.destinationPort(),
        tcp.sourcePort(),
        asksNow ? Tcp.ACK | Tcp.PSH : Tcp.RST | Tcp.ACK,
        tcp.acknowledgmentNumber(),
        (tcp.sequenceNumber() + (isOpen ? 1 : bytes)) & 0xFFFF_FFFFL,
        asksNow ? request : new byte[0]);
  }
}
