package io.linerate.middlebox.synproxy;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.track.ConnectionTable;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.QuotedPacket;
import io.linerate.wire.Tcp;
import io.linerate.wire.TcpOptions;
import java.security.SecureRandom;

/** The {@link SynProxy} on one worker. */
final class Handshakes {
  /** That clients are told: 64 KiB become 8 MiB. */
  private static final int SCALE = 7;

  private static final int MOST_WINDOW = 0xFFFF;
  private static final int HEADERS_OF_IPV4 = 40;
  private static final int HEADERS_OF_IPV6 = 60;

  /** Of who says nothing: RFC 9293, section 3.7.1. */
  private static final int USUAL_SEGMENT_IPV4 = 536;

  private static final int USUAL_SEGMENT_IPV6 = 1_220;

  private static final long OPENING_NS = 30_000_000_000L;

  /** RFC 5382, REQ-5, and what a connection has after both ends have sent FIN. */
  private static final long OPEN_NS = 7_440_000_000_000L;

  private static final long CLOSING_NS = 60_000_000_000L;

  // What is known of a connection beside its flow: bits of states.
  private static final int OPEN = 1;
  private static final int CLIENT_ENDS = 2;
  private static final int SERVER_ENDS = 4;

  private final SynService[] services;
  private final int mtuBytes;
  private final Wiring wiring;
  private final Outlet server;
  private final Outlet client;
  private final ConnectionTable table;
  private final SynCookie cookies;
  private final SegmentMaker maker;
  private final HeaderScanner scanner = new HeaderScanner();
  private final FlowKey flow = new FlowKey();
  private final FlowKey reply = new FlowKey();
  private final QuotedPacket quoted = new QuotedPacket();
  private final Tcp tcp = new Tcp();
  private final TcpOptions options = new TcpOptions();
  private final TranslatedSegment translated = new TranslatedSegment();

  // By the number of the connection.
  private final int[] cookie;
  private final int[] sequence;

  /** What the server's numbers are greater by than those that the client sees. */
  private final int[] delta;

  private final char[] window;
  private final byte[] offer;
  private final byte[] serverScale;
  private final byte[] states;

  private long nowNs;
  private long answered;
  private long proven;

  Handshakes(SynProxy proxy, Wiring wiring) {
    this.wiring = wiring;
    SecureRandom random = new SecureRandom();
    services = proxy.services().toArray(SynService[]::new);
    mtuBytes = proxy.mtuBytes();
    server = wiring.output("server");
    client = wiring.output("client");
    nowNs = wiring.nowNs();
    table = new ConnectionTable(proxy.connections(), nowNs, random);
    cookies = new SynCookie(new SipHash(random));
    maker = new SegmentMaker(client, server);
    int capacity = proxy.connections();
    cookie = new int[capacity];
    sequence = new int[capacity];
    delta = new int[capacity];
    window = new char[capacity];
    offer = new byte[capacity];
    serverScale = new byte[capacity];
    states = new byte[capacity];
  }

  ConnectionTable table() {
    return table;
  }

  long answered() {
    return answered;
  }

  long proven() {
    return proven;
  }

  // --- from clients ---

  void fromClient(Burst burst) {
    nowNs = wiring.nowNs();
    for (Packet packet : burst) {
      if (isSegment(packet)) {
        fromClient(packet);
      } else if (quoted.find(packet, scanner)) {
        translateError(packet);
      }
    }
    server.push(burst);
  }

  /** A whole one; what is broken goes on to rules, which know what to do with it. */
  private boolean isSegment(Packet packet) {
    return scanner.scan(packet)
        && scanner.defect() == HeaderDefect.NONE
        && scanner.ipProtocol() == IpProtocol.TCP
        && scanner.l4Fits()
        && !scanner.isFragment()
        && flow.readConnection(packet, scanner);
  }

  private void fromClient(Packet packet) {
    int place = table.find(flow, nowNs);
    tcp.wrap(packet, scanner.l4Offset());
    if (place == ConnectionTable.NONE) {
      if (isOfService()) {
        packet.drop(begin(packet));
      }
      return;
    }
    if ((place & 1) != 0) { // From the server: another way round, or it is its own client.
      return;
    }
    int number = place >>> 1;
    if (tcp.has(Tcp.SYN) && !tcp.has(Tcp.ACK)) {
      if (hasEnded(number)) {
        table.remove(number);
      }
      packet.drop(answer(packet));
    } else if ((states[number] & OPEN) == 0) {
      packet.drop(wait(packet, number));
    } else {
      translated.begin(packet, scanner);
      translated.acknowledgment(delta[number]);
      note(number, CLIENT_ENDS);
    }
  }

  private boolean isOfService() {
    for (SynService service : services) {
      if (service.matches(flow)) {
        return true;
      }
    }
    return false;
  }

  private DropReason begin(Packet packet) {
    if (InternetChecksum.isWrong(packet, scanner)) {
      return DropReason.MALFORMED;
    }
    int flags = tcp.flags() & (Tcp.SYN | Tcp.ACK | Tcp.RST | Tcp.FIN);
    return switch (flags) {
      case Tcp.SYN -> answer(packet);
      case Tcp.ACK -> prove(packet);
      default -> SynProxy.UNPROVEN;
    };
  }

  /** By a number that remembers what the SYN has offered, with a window of 0. */
  private DropReason answer(Packet packet) {
    options.wrap(packet, scanner.l4Offset());
    int segment = options.maximumSegmentSize();
    int scale = options.windowScale();
    int some =
        SynCookie.offer(
            segment < 0 ? usualSegmentBytes() : segment,
            scale < 0 ? SynCookie.NO_SCALE : Math.min(scale, 14),
            options.sackPermitted());
    int first = (int) tcp.sequenceNumber();
    int number = cookies.make(flow, first, some, nowNs);
    int told = SynCookie.offer(0, scale < 0 ? SynCookie.NO_SCALE : SCALE, options.sackPermitted());
    boolean isMade = maker.answerSyn(packet, scanner, number, first + 1, told, segmentBytes());
    answered += isMade ? 1 : 0;
    return isMade ? SynProxy.ANSWERED : DropReason.NO_BUFFER;
  }

  private int usualSegmentBytes() {
    return scanner.ipVersion() == Ipv4.VERSION ? USUAL_SEGMENT_IPV4 : USUAL_SEGMENT_IPV6;
  }

  private int segmentBytes() {
    return mtuBytes - (scanner.ipVersion() == Ipv4.VERSION ? HEADERS_OF_IPV4 : HEADERS_OF_IPV6);
  }

  /** Of a client that has got the answer, which the server is asked for now. */
  private DropReason prove(Packet packet) {
    int first = (int) tcp.sequenceNumber() - 1;
    int number = (int) tcp.acknowledgmentNumber() - 1;
    int some = cookies.read(flow, first, number, nowNs);
    if (some == SynCookie.NONE) {
      return SynProxy.UNPROVEN;
    }
    reply.reverseOf(flow);
    int added = table.add(flow, reply, nowNs, nowNs + OPENING_NS);
    if (added == ConnectionTable.NONE) {
      return SynProxy.FULL;
    }
    proven++;
    cookie[added] = number;
    sequence[added] = first;
    offer[added] = (byte) some;
    window[added] = (char) tcp.window();
    states[added] = 0;
    return ask(packet, added);
  }

  /** Whatever a client sends meanwhile has the server asked again. */
  private DropReason wait(Packet packet, int number) {
    if (tcp.has(Tcp.RST)) {
      table.remove(number);
      return SynProxy.WAITING;
    }
    DropReason reason = ask(packet, number);
    return reason.equals(DropReason.NO_BUFFER) ? reason : SynProxy.WAITING;
  }

  private DropReason ask(Packet packet, int number) {
    int some = offer[number] & 0xFF;
    int scale = SynCookie.scale(some);
    int bytes = window[number] << (scale == SynCookie.NO_SCALE ? 0 : scale);
    boolean isMade =
        maker.ask(
            packet,
            scanner,
            sequence[number],
            Math.min(MOST_WINDOW, bytes),
            some,
            Math.min(SynCookie.segmentBytes(some), segmentBytes()));
    return isMade ? SynProxy.ANSWERED : DropReason.NO_BUFFER;
  }

  /** An error about what a server has sent quotes the numbers that the client has seen. */
  private void translateError(Packet packet) {
    if (quoted.ipProtocol() != IpProtocol.TCP || quoted.end() - quoted.l4Offset() < 8) {
      return;
    }
    flow.readQuoted(packet, quoted);
    int place = table.find(flow, nowNs);
    if (place != ConnectionTable.NONE && (place & 1) != 0) {
      packet.completeChecksum();
      int at = quoted.l4Offset() + 4;
      packet.i32(at, packet.i32(at) + delta[place >>> 1]);
      InternetChecksum.write(packet, scanner);
    }
  }

  // --- from servers ---

  void fromServer(Burst burst) {
    nowNs = wiring.nowNs();
    for (Packet packet : burst) {
      if (isSegment(packet)) {
        fromServer(packet);
      }
    }
    client.push(burst);
  }

  private void fromServer(Packet packet) {
    int place = table.find(flow, nowNs);
    if (place == ConnectionTable.NONE || (place & 1) == 0) {
      return;
    }
    int number = place >>> 1;
    tcp.wrap(packet, scanner.l4Offset());
    boolean isAnswer = tcp.has(Tcp.SYN) && tcp.has(Tcp.ACK);
    if (isAnswer) {
      open(packet, number);
    } else if ((states[number] & OPEN) == 0) {
      refuse(packet, number);
    } else {
      translated.begin(packet, scanner);
      translated.sequence(-delta[number]);
      translated.window(scaled(number, tcp.window() << serverScale[number]));
      note(number, SERVER_ENDS);
    }
  }

  /** What a client that was told {@link #SCALE} reads as so many bytes. */
  private int scaled(int number, int bytes) {
    boolean isScaled = SynCookie.scale(offer[number] & 0xFF) != SynCookie.NO_SCALE;
    return Math.min(MOST_WINDOW, isScaled ? bytes >> SCALE : bytes);
  }

  /** The server has answered: its client learns how much it takes. */
  private void open(Packet packet, int number) {
    if ((int) tcp.acknowledgmentNumber() != sequence[number] + 1) {
      packet.drop(SynProxy.UNPROVEN);
      return;
    }
    int first = (int) tcp.sequenceNumber();
    boolean isAgain = (states[number] & OPEN) != 0;
    if (isAgain && first - cookie[number] != delta[number]) {
      packet.drop(SynProxy.UNPROVEN);
      return;
    }
    if (!maker.answerServer(packet, scanner, sequence[number] + 1, first + 1, window[number])) {
      packet.drop(DropReason.NO_BUFFER);
      return;
    }
    if (isAgain) {
      packet.drop(SynProxy.ANSWERED);
      return;
    }
    int scale = options.wrap(packet, scanner.l4Offset()).windowScale();
    delta[number] = first - cookie[number];
    serverScale[number] = (byte) Math.clamp(scale, 0, 14);
    states[number] |= OPEN;
    table.records().assure(number);
    table.records().expiresNs(number, nowNs + OPEN_NS);
    translated.opened(packet, scanner, cookie[number] + 1, scaled(number, tcp.window()));
  }

  /** The server does not want it. */
  private void refuse(Packet packet, int number) {
    if (!tcp.has(Tcp.RST) || (int) tcp.acknowledgmentNumber() != sequence[number] + 1) {
      packet.drop(SynProxy.UNPROVEN);
      return;
    }
    translated.begin(packet, scanner);
    translated.sequence(cookie[number] + 1 - (int) tcp.sequenceNumber());
    table.remove(number);
  }

  /**
   * A reset ends a connection only if nothing follows: nobody has looked whether it is one that the
   * other end takes.
   */
  private void note(int number, int end) {
    if (tcp.has(Tcp.RST)) {
      table.expireAt(number, nowNs + CLOSING_NS);
      return;
    }
    if (tcp.has(Tcp.FIN)) {
      states[number] |= (byte) end;
    }
    if (hasEnded(number)) {
      table.expireAt(number, nowNs + CLOSING_NS);
    } else {
      table.records().expiresNs(number, nowNs + OPEN_NS);
    }
  }

  private boolean hasEnded(int number) {
    return (states[number] & (CLIENT_ENDS | SERVER_ENDS)) == (CLIENT_ENDS | SERVER_ENDS);
  }
}
