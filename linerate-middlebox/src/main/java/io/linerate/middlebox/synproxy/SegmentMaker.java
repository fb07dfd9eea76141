package io.linerate.middlebox.synproxy;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.element.Answer;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Tcp;
import io.linerate.wire.TcpOptions;
import org.jspecify.annotations.Nullable;

/** Makes segments of a handshake, after the model of one that has come. One thread's own. */
final class SegmentMaker {
  /** No options: it is no SYN. */
  static final int PLAIN = -1;

  private static final int SEGMENT_SIZE_BYTES = 4;
  private static final int OPTION_WORD_BYTES = 4;
  private static final int NOP = 1;

  private final Answer toClient;
  private final Answer toServer;
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private final Tcp made = new Tcp();

  SegmentMaker(Outlet client, Outlet server) {
    toClient = new Answer(client);
    toServer = new Answer(server);
  }

  /** To the client that a SYN came from, with a window of 0. */
  boolean answerSyn(
      Packet packet,
      HeaderScanner scanner,
      int sequence,
      int acknowledgment,
      int offer,
      int segmentBytes) {
    Packet segment = make(toClient, packet, scanner, offer);
    if (segment == null) {
      return false;
    }
    int ports = Integer.rotateLeft(packet.i32(scanner.l4Offset()), Short.SIZE);
    int flags = Tcp.SYN | Tcp.ACK;
    write(segment, scanner, ports, flags, sequence, acknowledgment, 0, offer, segmentBytes);
    return true;
  }

  /** Back to the server that a segment came from. */
  boolean answerServer(
      Packet packet, HeaderScanner scanner, int sequence, int acknowledgment, int window) {
    Packet segment = make(toServer, packet, scanner, PLAIN);
    if (segment == null) {
      return false;
    }
    int ports = Integer.rotateLeft(packet.i32(scanner.l4Offset()), Short.SIZE);
    write(segment, scanner, ports, Tcp.ACK, sequence, acknowledgment, window, PLAIN, 0);
    return true;
  }

  /** A SYN to the server that a client's segment is for. */
  boolean ask(
      Packet packet, HeaderScanner scanner, int sequence, int window, int offer, int segmentBytes) {
    Packet segment = make(toServer, packet, scanner, offer);
    if (segment == null) {
      return false;
    }
    toServer.goOn(segment, packet, scanner);
    int ports = packet.i32(scanner.l4Offset());
    write(segment, scanner, ports, Tcp.SYN, sequence, 0, window, offer, segmentBytes);
    return true;
  }

  private @Nullable Packet make(Answer answer, Packet packet, HeaderScanner scanner, int offer) {
    int bytes = Tcp.HEADER_BYTES + optionBytes(offer);
    if (scanner.ipVersion() == Ipv4.VERSION) {
      int destination = ipv4.wrap(packet, scanner.l3Offset()).destination();
      return answer.make4(packet, scanner, destination, 0, IpProtocol.TCP, bytes);
    }
    ipv6.wrap(packet, scanner.l3Offset());
    return answer.make6(
        packet, scanner, ipv6.destinationHigh(), ipv6.destinationLow(), IpProtocol.TCP, bytes);
  }

  private static int optionBytes(int offer) {
    if (offer == PLAIN) {
      return 0;
    }
    return SEGMENT_SIZE_BYTES
        + (SynCookie.scale(offer) == SynCookie.NO_SCALE ? 0 : OPTION_WORD_BYTES)
        + (SynCookie.hasSelective(offer) ? OPTION_WORD_BYTES : 0);
  }

  private void write(
      Packet segment,
      HeaderScanner scanner,
      int ports,
      int flags,
      int sequence,
      int acknowledgment,
      int window,
      int offer,
      int segmentBytes) {
    int l3 = scanner.l3Offset();
    int l4 = l3 + (scanner.ipVersion() == Ipv4.VERSION ? Ipv4.HEADER_BYTES : Ipv6.HEADER_BYTES);
    int bytes = Tcp.HEADER_BYTES + optionBytes(offer);
    segment.i32(l4, ports);
    made.wrap(segment, l4)
        .sequenceNumber(Integer.toUnsignedLong(sequence))
        .acknowledgmentNumber(Integer.toUnsignedLong(acknowledgment))
        .dataOffset(bytes / Integer.BYTES)
        .flags(flags)
        .window(window)
        .urgentPointer(0);
    if (offer != PLAIN) {
      int at = l4 + Tcp.HEADER_BYTES;
      segment.i32(
          at, TcpOptions.MAXIMUM_SEGMENT_SIZE << 24 | SEGMENT_SIZE_BYTES << 16 | segmentBytes);
      at += OPTION_WORD_BYTES;
      if (SynCookie.scale(offer) != SynCookie.NO_SCALE) {
        segment.i32(
            at, NOP << 24 | TcpOptions.WINDOW_SCALE << 16 | 3 << 8 | SynCookie.scale(offer));
        at += OPTION_WORD_BYTES;
      }
      if (SynCookie.hasSelective(offer)) {
        segment.i32(at, NOP << 24 | NOP << 16 | TcpOptions.SACK_PERMITTED << 8 | 2);
      }
    }
    InternetChecksum.writeTcp(segment, l3, l4, bytes);
  }
}
