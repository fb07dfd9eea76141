package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.time.TokenBucket;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Wiring;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import java.util.List;

/**
 * Tells the senders of packets, behind up to two VLAN tags, what is wrong with them: ICMP as RFC
 * 1812, section 4.3.2, and RFC 1191 say, ICMPv6 as RFC 4443, sections 2.4 and 3. The message goes
 * back the way the packet came, with as much of the packet as fits into 576 (IPv4) or 1280 bytes.
 *
 * <p>Nobody is told about ICMP errors and redirects, fragments other than the first, packets to
 * several hosts (but for tooBig over IPv6) and from an address that is no host's. The rate is
 * limited.
 *
 * <pre>
 * inputs      in
 * outputs     out: messages
 * parameters  kind: timeExceeded, tooBig, unreachable (of the host), prohibited, portUnreachable
 *             ipv4, ipv6: the address that the messages come from; "" for no messages of that kind,
 *             "destination" for that which the packet went to, as a firewall has it
 *             mtuBytes: of tooBig, 68 to 65535
 *             perSecond: messages on each worker, 1 to 1e9; the static methods have 1000
 * drops       reported: its sender was told
 *             not_reportable: nobody may be told
 *             report_limit: over the rate
 *             no_buffer: for the message
 * example     g.chain(ttl.out("expired"), g.add("tell", IcmpError.timeExceeded("192.0.2.1", "")), ...)
 * </pre>
 */
public record IcmpError(Kind kind, String ipv4, String ipv6, int mtuBytes, long perSecond)
    implements Element {
  /** In place of an address: the one that a packet went to. */
  public static final String DESTINATION = "destination";

  public static final DropReason REPORTED = DropReason.named("reported");
  public static final DropReason NOT_REPORTABLE = DropReason.named("not_reportable");
  public static final DropReason REPORT_LIMIT = DropReason.named("report_limit");

  private static final int MIN_MTU_BYTES = 68;
  private static final int MAX_MTU_BYTES = 65_535;
  private static final long USUAL_PER_SECOND = 1_000;
  private static final long MAX_PER_SECOND = 1_000_000_000;

  /** What is wrong: types and codes of RFC 792, RFC 1812, section 5.2.7.1, and RFC 4443. */
  public enum Kind {
    TIME_EXCEEDED(Icmp.TIME_EXCEEDED, 0, Icmpv6.TIME_EXCEEDED, 0),
    TOO_BIG(Icmp.DESTINATION_UNREACHABLE, 4, Icmpv6.PACKET_TOO_BIG, 0),
    UNREACHABLE(Icmp.DESTINATION_UNREACHABLE, 1, Icmpv6.DESTINATION_UNREACHABLE, 3),
    PROHIBITED(Icmp.DESTINATION_UNREACHABLE, 13, Icmpv6.DESTINATION_UNREACHABLE, 1),
    PORT_UNREACHABLE(Icmp.DESTINATION_UNREACHABLE, 3, Icmpv6.DESTINATION_UNREACHABLE, 4);

    private final int type;
    private final int code;
    private final int type6;
    private final int code6;

    Kind(int type, int code, int type6, int code6) {
      this.type = type;
      this.code = code;
      this.type6 = type6;
      this.code6 = code6;
    }
  }

  public static IcmpError timeExceeded(String ipv4, String ipv6) {
    return new IcmpError(Kind.TIME_EXCEEDED, ipv4, ipv6, MAX_MTU_BYTES, USUAL_PER_SECOND);
  }

  public static IcmpError tooBig(int mtuBytes, String ipv4, String ipv6) {
    return new IcmpError(Kind.TOO_BIG, ipv4, ipv6, mtuBytes, USUAL_PER_SECOND);
  }

  public static IcmpError unreachable(String ipv4, String ipv6) {
    return new IcmpError(Kind.UNREACHABLE, ipv4, ipv6, MAX_MTU_BYTES, USUAL_PER_SECOND);
  }

  public static IcmpError prohibited(String ipv4, String ipv6) {
    return new IcmpError(Kind.PROHIBITED, ipv4, ipv6, MAX_MTU_BYTES, USUAL_PER_SECOND);
  }

  public static IcmpError portUnreachable(String ipv4, String ipv6) {
    return new IcmpError(Kind.PORT_UNREACHABLE, ipv4, ipv6, MAX_MTU_BYTES, USUAL_PER_SECOND);
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .range("mtuBytes", mtuBytes, MIN_MTU_BYTES, MAX_MTU_BYTES)
        .range("perSecond", perSecond, 1, MAX_PER_SECOND)
        .parsesIfAny("ipv4", isOwn(ipv4) ? ipv4 : "", Ipv4Address::parse)
        .parsesIfAny("ipv6", isOwn(ipv6) ? ipv6 : "", Ipv6Address::parse)
        .require(
            !(ipv4.isEmpty() && ipv6.isEmpty()),
            "no address: ipv4=, ipv6=; write the address that the messages come from")
        .problems();
  }

  private static boolean isOwn(String address) {
    return !address.isEmpty() && !address.equals(DESTINATION);
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Reporter(this, wiring));
  }

  /** On one worker. */
  private static final class Reporter implements BurstHandler {
    /** RFC 1812, section 4.3.2.3, and RFC 4443, section 2.4 (c). */
    private static final int MAX_IPV4_BYTES = 576;

    private static final int MAX_IPV6_BYTES = 1_280;

    /** Internetwork control, as RFC 1812, section 4.3.2.5 wants it: DSCP CS6. */
    private static final int DSCP = 48;

    private final Kind kind;
    private final int mtuBytes;
    private final boolean hasIpv4;
    private final boolean hasIpv6;
    private final boolean isSourceOwn;
    private final boolean isSource6Own;
    private final int source;
    private final Ipv6Address source6;
    private final Wiring wiring;
    private final Answer answer;
    private final TokenBucket bucket;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Icmp icmp = new Icmp();

    Reporter(IcmpError error, Wiring wiring) {
      this.wiring = wiring;
      kind = error.kind;
      mtuBytes = error.mtuBytes;
      hasIpv4 = !error.ipv4.isEmpty();
      hasIpv6 = !error.ipv6.isEmpty();
      isSourceOwn = isOwn(error.ipv4);
      isSource6Own = isOwn(error.ipv6);
      source = isSourceOwn ? Ipv4Address.parse(error.ipv4) : 0;
      source6 = isSource6Own ? Ipv6Address.parse(error.ipv6) : new Ipv6Address(0, 0);
      bucket = new TokenBucket(error.perSecond, Math.max(1, error.perSecond / 10));
      answer = new Answer(wiring.output("out"));
    }

    @Override
    public void onBurst(Burst burst) {
      bucket.fill(wiring.nowNs());
      for (Packet packet : burst) {
        packet.drop(report(packet));
      }
    }

    private DropReason report(Packet packet) {
      if (!isReportable(packet)) {
        return NOT_REPORTABLE;
      }
      if (!bucket.take(1)) {
        return REPORT_LIMIT;
      }
      boolean isMade = scanner.ipVersion() == Ipv4.VERSION ? make4(packet) : make6(packet);
      return isMade ? REPORTED : DropReason.NO_BUFFER;
    }

    private boolean isReportable(Packet packet) {
      if (!scanner.scan(packet) || scanner.isLaterFragment()) {
        return false;
      }
      return switch (scanner.ipVersion()) {
        case Ipv4.VERSION -> hasIpv4 && isReportable4(packet);
        case Ipv6.VERSION -> hasIpv6 && isReportable6(packet);
        default -> false;
      };
    }

    /** RFC 1812, section 4.3.2.7. */
    private boolean isReportable4(Packet packet) {
      ipv4.wrap(packet, scanner.l3Offset());
      int destination = ipv4.destination();
      return !isError(packet, IpProtocol.ICMP)
          && !answer.isToSeveral(packet)
          && Ipv4Address.isHost(ipv4.source())
          && destination >>> 28 != 14
          && destination != -1;
    }

    /** RFC 4443, section 2.4 (e). */
    private boolean isReportable6(Packet packet) {
      ipv6.wrap(packet, scanner.l3Offset());
      boolean isToSeveral =
          answer.isToSeveral(packet) || Ipv6Address.isMulticast(ipv6.destinationHigh());
      return !isError(packet, IpProtocol.ICMPV6)
          && scanner.ipProtocol() >= 0
          && Ipv6Address.isHost(ipv6.sourceHigh(), ipv6.sourceLow())
          && (!isToSeveral || kind == Kind.TOO_BIG);
    }

    /** Of ICMP also what cannot be told, since its type is cut off. */
    private boolean isError(Packet packet, int protocol) {
      if (scanner.ipProtocol() != protocol) {
        return false;
      }
      if (!scanner.l4Fits()) {
        return true;
      }
      int type = packet.u8(scanner.l4Offset());
      return protocol == IpProtocol.ICMP
          ? Icmp.isError(type)
          : Icmpv6.isError(type) || type == Icmpv6.REDIRECT;
    }

    private boolean make4(Packet packet) {
      int l3 = scanner.l3Offset();
      int headers = Ipv4.HEADER_BYTES + Icmp.HEADER_BYTES;
      int quoted = Math.min(scanner.ipEnd() - l3, MAX_IPV4_BYTES - headers);
      int from = isSourceOwn ? source : ipv4.destination();
      int bytes = Icmp.HEADER_BYTES + quoted;
      Packet message = answer.make4(packet, scanner, from, DSCP, IpProtocol.ICMP, bytes);
      if (message == null) {
        return false;
      }
      int l4 = l3 + Ipv4.HEADER_BYTES;
      message.set(l4 + Icmp.HEADER_BYTES, packet, l3, quoted);
      // RFC 1191, section 4: the MTU in the lower half.
      int rest = kind == Kind.TOO_BIG ? mtuBytes : 0;
      icmp.wrap(message, l4).type(kind.type).code(kind.code).restOfHeader(rest);
      InternetChecksum.writeIcmp(message, l4, bytes);
      return true;
    }

    private boolean make6(Packet packet) {
      int l3 = scanner.l3Offset();
      int headers = Ipv6.HEADER_BYTES + Icmp.HEADER_BYTES;
      int quoted = Math.min(scanner.ipEnd() - l3, MAX_IPV6_BYTES - headers);
      long high = isSource6Own ? source6.high() : ipv6.destinationHigh();
      long low = isSource6Own ? source6.low() : ipv6.destinationLow();
      int bytes = Icmp.HEADER_BYTES + quoted;
      Packet message = answer.make6(packet, scanner, high, low, IpProtocol.ICMPV6, bytes);
      if (message == null) {
        return false;
      }
      int l4 = l3 + Ipv6.HEADER_BYTES;
      message.set(l4 + Icmp.HEADER_BYTES, packet, l3, quoted);
      int rest = kind == Kind.TOO_BIG ? mtuBytes : 0;
      icmp.wrap(message, l4).type(kind.type6).code(kind.code6).restOfHeader(rest);
      InternetChecksum.writeIcmpv6(message, l3, l4, bytes);
      return true;
    }
  }
}
