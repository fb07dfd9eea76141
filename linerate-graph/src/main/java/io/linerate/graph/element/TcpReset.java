package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.time.TokenBucket;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Tcp;
import java.util.List;

/**
 * Tells the senders of TCP segments, behind up to two VLAN tags, that there is no such connection:
 * by a reset as the host would send that they go to, RFC 9293, section 3.10.7.1. It goes back the
 * way the segment came. Or it tells their receivers, by a reset as their sender would send, which
 * goes on the way the segment went: of a connection that somebody in between ends. The rate is
 * limited.
 *
 * <pre>
 * inputs      in
 * outputs     out: resets
 *             rest (may be left unconnected: such packets are dropped): what is no TCP segment, or a
 *             part of one only; to IcmpError, mostly
 * parameters  perSecond: resets on each worker, 1 to 1e9
 *             isToReceiver: whether receivers are told; without it senders are
 * drops       reported: its sender, or receiver, was told
 *             not_reportable: nobody may be told: of rest, a reset, a wrong checksum, to or from an
 *             address that is no single host's; of a receiver, a SYN
 *             report_limit: over the rate
 *             no_buffer: for the reset
 * example     g.add("reset", new TcpReset(10_000))
 * </pre>
 */
public record TcpReset(long perSecond, boolean isToReceiver) implements Element {
  private static final long MAX_PER_SECOND = 1_000_000_000;

  public TcpReset(long perSecond) {
    this(perSecond, false);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    return Parameters.check().range("perSecond", perSecond, 1, MAX_PER_SECOND).problems();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Resetter(this, wiring));
  }

  /** On one worker. */
  private static final class Resetter implements BurstHandler {
    private final Wiring wiring;
    private final boolean isToReceiver;
    private final Outlet rest;
    private final Answer answer;
    private final TokenBucket bucket;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Tcp tcp = new Tcp();
    private final Tcp reset = new Tcp();

    Resetter(TcpReset element, Wiring wiring) {
      this.wiring = wiring;
      isToReceiver = element.isToReceiver;
      answer = new Answer(wiring.output("out"));
      rest = wiring.output("rest");
      bucket = new TokenBucket(element.perSecond, Math.max(1, element.perSecond / 10));
    }

    @Override
    public void onBurst(Burst burst) {
      bucket.fill(wiring.nowNs());
      for (Packet packet : burst) {
        if (isSegment(packet)) {
          packet.drop(report(packet));
        } else {
          rest.send(packet, IcmpError.NOT_REPORTABLE);
        }
      }
    }

    private boolean isSegment(Packet packet) {
      return scanner.scan(packet)
          && scanner.defect() == HeaderDefect.NONE
          && scanner.ipProtocol() == IpProtocol.TCP
          && scanner.l4Fits()
          && !scanner.isFragment();
    }

    private DropReason report(Packet packet) {
      tcp.wrap(packet, scanner.l4Offset());
      if (tcp.has(Tcp.RST)
          || (isToReceiver && tcp.has(Tcp.SYN))
          || answer.isToSeveral(packet)
          || !isBetweenHosts(packet)
          || InternetChecksum.isWrong(packet, scanner)) {
        return IcmpError.NOT_REPORTABLE;
      }
      if (!bucket.take(1)) {
        return IcmpError.REPORT_LIMIT;
      }
      return make(packet) ? IcmpError.REPORTED : DropReason.NO_BUFFER;
    }

    private boolean isBetweenHosts(Packet packet) {
      if (scanner.ipVersion() == Ipv4.VERSION) {
        ipv4.wrap(packet, scanner.l3Offset());
        return Ipv4Address.isHost(ipv4.source()) && Ipv4Address.isHost(ipv4.destination());
      }
      ipv6.wrap(packet, scanner.l3Offset());
      return Ipv6Address.isHost(ipv6.sourceHigh(), ipv6.sourceLow())
          && Ipv6Address.isHost(ipv6.destinationHigh(), ipv6.destinationLow());
    }

    private boolean make(Packet packet) {
      boolean isIpv4 = scanner.ipVersion() == Ipv4.VERSION;
      Packet made =
          isIpv4
              ? answer.make4(
                  packet, scanner, ipv4.destination(), 0, IpProtocol.TCP, Tcp.HEADER_BYTES)
              : answer.make6(
                  packet,
                  scanner,
                  ipv6.destinationHigh(),
                  ipv6.destinationLow(),
                  IpProtocol.TCP,
                  Tcp.HEADER_BYTES);
      if (made == null) {
        return false;
      }
      int l3 = scanner.l3Offset();
      int l4 = l3 + (isIpv4 ? Ipv4.HEADER_BYTES : Ipv6.HEADER_BYTES);
      reset.wrap(made, l4).dataOffset(Tcp.MIN_DATA_OFFSET).window(0).urgentPointer(0);
      if (isToReceiver) {
        answer.goOn(made, packet, scanner);
        writeOwn();
      } else {
        writeBack();
      }
      InternetChecksum.writeTcp(made, l3, l4, Tcp.HEADER_BYTES);
      return true;
    }

    private void writeBack() {
      boolean isAcknowledging = tcp.has(Tcp.ACK);
      reset
          .sourcePort(tcp.destinationPort())
          .destinationPort(tcp.sourcePort())
          .sequenceNumber(isAcknowledging ? tcp.acknowledgmentNumber() : 0)
          .acknowledgmentNumber(
              isAcknowledging ? 0 : (tcp.sequenceNumber() + length()) & 0xFFFF_FFFFL)
          .flags(isAcknowledging ? Tcp.RST : Tcp.RST | Tcp.ACK);
    }

    /** In place of the segment, whose number is the next one that its receiver waits for. */
    private void writeOwn() {
      reset
          .sourcePort(tcp.sourcePort())
          .destinationPort(tcp.destinationPort())
          .sequenceNumber(tcp.sequenceNumber())
          .acknowledgmentNumber(0)
          .flags(Tcp.RST);
    }

    /** Of the segment in the space of sequence numbers. */
    private int length() {
      return scanner.l4Bytes()
          - tcp.headerBytes()
          + (tcp.has(Tcp.SYN) ? 1 : 0)
          + (tcp.has(Tcp.FIN) ? 1 : 0);
    }
  }
}
