package io.linerate.track.flow;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTable;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Tcp;
import io.linerate.wire.Vlan;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes flows of packets: a metering process of RFC 7011, of biflows (RFC 5103). One thread's own.
 * It allocates nothing once it is made, and reads packets only.
 *
 * <p>A flow is what has the same addresses, protocol and ports, in either direction; queries of
 * ICMP and their answers, by identifier. Fragments, the first ones too, are a flow of their
 * addresses and protocol, and so are errors of ICMP. Every packet of IP whose addresses and
 * protocol can be read is of one, whether a connection would take it or not.
 *
 * <p>Its clock is the time of the packets, and never goes back: a capture has the same flows every
 * time. Where packets may stay away, {@link #advance} tells the time. A flow ends when its idle
 * time-out is over; when a packet comes after its active time-out, which begins the next record of
 * it; two seconds after its TCP connection is closed, so that what is late still counts; and when
 * its room is wanted.
 */
public final class FlowMeter implements Consumer<Packet> {
  private static final int NONE = ConnectionTable.NONE;
  private static final long SECOND_NS = 1_000_000_000;

  /** How long segments of a connection may come after its end. */
  private static final long CLOSED_NS = 2 * SECOND_NS;

  /** Flows that a packet looks at to end them: far more end so than can begin. */
  private static final int MOST_ENDED = 64;

  /** Later than any packet, so that times do not overflow. */
  private static final long MAX_NS = Long.MAX_VALUE / 2;

  private static final int SYN_ACK = Tcp.SYN | Tcp.ACK;

  private final ConnectionTable table;
  private final ConnectionRecords records;
  private final FlowColumns columns;
  private final FlowRecord record;
  private final FlowSink sink;
  private final long activeNs;
  private final long idleNs;
  private final long closedNs;

  private final HeaderScanner scanner = new HeaderScanner();
  private final FlowPacket counted;
  private final FlowKey flow = new FlowKey();
  private final FlowKey reverse = new FlowKey();
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private final Tcp tcp = new Tcp();

  /** What the table's times count from; of the first packet. */
  private long originNs;

  private boolean hasOrigin;

  /** From the origin on. */
  private long nowNs;

  private long nextLookNs;

  /** As which flows end that are not closed. */
  private FlowEnd ending = FlowEnd.IDLE;

  private long packets;
  private long octets;
  private long otherPackets;
  private long malformedPackets;
  private long told;

  /**
   * @param random makes the secret of the table's hash
   * @param sink gets the flows
   */
  public FlowMeter(FlowSettings settings, RandomGenerator random, FlowSink sink) {
    table = new ConnectionTable(settings.maxFlows(), 0, random, this::onRemoval);
    records = table.records();
    columns = new FlowColumns(settings.maxFlows());
    record = new FlowRecord(records, columns);
    counted = new FlowPacket(scanner, new FlowRecord(records, columns));
    this.sink = sink;
    activeNs = settings.activeTimeout().toNanos();
    idleNs = settings.idleTimeout().toNanos();
    closedNs = Math.min(idleNs, CLOSED_NS);
  }

  /** Counts the packets of a burst. */
  public void meter(Burst burst) {
    burst.forEach(this);
  }

  /** Counts a packet. */
  @Override
  public void accept(Packet packet) {
    FlowPacket _ = add(packet);
  }

  /** Counts a packet, and says what it is to its flow; null: it is of none. */
  public @Nullable FlowPacket add(Packet packet) {
    long timeNs = packet.timestampNs();
    advance(timeNs);
    boolean isSound = scanner.scanAny(packet);
    if (!isSound || scanner.ipVersion() == 0 || !flow.readConnection(packet, scanner)) {
      countOther(isSound);
      return null;
    }
    int place = table.find(flow, nowNs);
    int tcpFlags = tcpFlags(packet);
    if (place != NONE) {
      place = goOn(place, tcpFlags, timeNs);
    }
    boolean isFirst = place == NONE;
    if (isFirst) {
      place = begin(packet, tcpFlags, timeNs);
    }
    int ipOctets = count(place, packet, tcpFlags, timeNs);
    return counted.at(place, isFirst, ipOctets, tcpFlags);
  }

  private void countOther(boolean isSound) {
    if (isSound && scanner.ipVersion() == 0) {
      otherPackets++;
    } else {
      malformedPackets++;
    }
  }

  /**
   * Tells the time, and ends flows whose time is over. Not for captures: their packets tell it.
   *
   * @param timeNs in ns since the epoch
   */
  public void advance(long timeNs) {
    if (!hasOrigin) {
      hasOrigin = true;
      originNs = Math.max(timeNs, 0); // What is earlier no clock has said.
    }
    long sinceNs = timeNs - originNs;
    if (sinceNs > nowNs && sinceNs < MAX_NS) {
      nowNs = sinceNs;
    }
    if (nowNs >= nextLookNs && table.expire(nowNs, MOST_ENDED) < MOST_ENDED) {
      nextLookNs = nowNs - nowNs % SECOND_NS + SECOND_NS;
    }
  }

  /** Ends all flows. */
  public void end() {
    ending = FlowEnd.FORCED;
    for (int number = 0; table.size() > 0; number++) {
      if (records.isLive(number)) {
        table.remove(number);
      }
    }
    ending = FlowEnd.IDLE;
    sink.flush();
  }

  private int tcpFlags(Packet packet) {
    return scanner.l4Fits() && scanner.ipProtocol() == IpProtocol.TCP && !scanner.isFragment()
        ? tcp.wrap(packet, scanner.l4Offset()).flags()
        : 0;
  }

  /** The place of a flow that was found; {@link #NONE} if the packet begins the next one. */
  private int goOn(int place, int tcpFlags, long timeNs) {
    int number = place >>> 1;
    if ((tcpFlags & SYN_ACK) == Tcp.SYN && FlowColumns.isClosed(columns.state(number))) {
      table.remove(number);
      return NONE;
    }
    if (timeNs - columns.beganNs(number) >= activeNs) {
      tell(number, FlowEnd.ACTIVE);
      columns.begin(number, timeNs, columns.vlan(number), columns.state(number));
    }
    return place;
  }

  private int begin(Packet packet, int tcpFlags, long timeNs) {
    boolean isReverse = isAnswer(packet, tcpFlags);
    reverse.reverseOf(flow);
    ending = FlowEnd.RESOURCES;
    int number =
        table.add(isReverse ? reverse : flow, isReverse ? flow : reverse, nowNs, nowNs + idleNs);
    ending = FlowEnd.IDLE;
    boolean isArbitrary = scanner.ipProtocol() == IpProtocol.TCP && (tcpFlags & Tcp.SYN) == 0;
    columns.begin(number, timeNs, vlan(packet), isArbitrary ? FlowColumns.IS_ARBITRARY : 0);
    return isReverse ? 2 * number + 1 : 2 * number;
  }

  /** Whether the other end has begun, by what the first packet says. */
  private boolean isAnswer(Packet packet, int tcpFlags) {
    int protocol = flow.protocol();
    if (protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6) {
      return (flow.sourcePort() | flow.destinationPort()) != 0
          && !Icmp.isRequest(protocol, packet.u8(scanner.l4Offset()));
    }
    return (tcpFlags & SYN_ACK) == SYN_ACK;
  }

  private int vlan(Packet packet) {
    int tag = packet.vlanTag();
    if (tag < 0 && scanner.vlanTags() > 0) {
      tag = packet.u16(scanner.l3Offset() - scanner.vlanTags() * Vlan.HEADER_BYTES);
    }
    return tag < 0 ? -1 : tag & 0xFFF;
  }

  /** The bytes of IP that it counts. */
  private int count(int place, Packet packet, int tcpFlags, long timeNs) {
    int l3 = scanner.l3Offset();
    int icmp = icmpTypeCode(packet);
    int ipOctets;
    long headers;
    if (scanner.ipVersion() == Ipv4.VERSION) {
      ipv4.wrap(packet, l3);
      int total = ipv4.totalLength();
      ipOctets = total == 0 ? packet.length() - l3 : total;
      int service = (ipv4.dscp() << 2) | ipv4.ecn();
      headers = FlowColumns.headers(icmp, service, ipv4.ttl(), tcpFlags);
    } else {
      ipv6.wrap(packet, l3);
      ipOctets = ipv6Octets(packet, l3);
      headers = FlowColumns.headers(icmp, ipv6.trafficClass(), ipv6.hopLimit(), tcpFlags);
    }
    columns.count(place, timeNs, ipOctets, packet.length() + packet.cutBytes(), headers);
    packets++;
    octets += ipOctets;
    follow(place, tcpFlags);
    return ipOctets;
  }

  /** Of a jumbogram (RFC 2675) what is there. */
  private int ipv6Octets(Packet packet, int l3) {
    int payload = ipv6.payloadLength();
    return payload == 0 && ipv6.nextHeader() == IpProtocol.HOPOPT
        ? packet.length() - l3
        : Ipv6.HEADER_BYTES + payload;
  }

  private int icmpTypeCode(Packet packet) {
    int protocol = scanner.ipProtocol();
    boolean isIcmp = protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
    return isIcmp && scanner.l4Fits() ? packet.u16(scanner.l4Offset()) : 0;
  }

  /** Puts the end off, or brings it near. */
  private void follow(int place, int tcpFlags) {
    int number = place >>> 1;
    if ((tcpFlags & (Tcp.FIN | Tcp.RST)) != 0) {
      close(number, place & 1, tcpFlags);
    } else if (!FlowColumns.isClosed(columns.state(number))) {
      records.expiresNs(number, nowNs + idleNs);
    }
  }

  private void close(int number, int direction, int tcpFlags) {
    boolean wasClosed = FlowColumns.isClosed(columns.state(number));
    columns.addState(
        number,
        ((tcpFlags & Tcp.FIN) != 0 ? FlowColumns.FIN << direction : 0)
            | ((tcpFlags & Tcp.RST) != 0 ? FlowColumns.RESET : 0));
    if (!FlowColumns.isClosed(columns.state(number))) {
      records.expiresNs(number, nowNs + idleNs);
    } else if (!wasClosed) {
      table.expireAt(number, nowNs + closedNs);
    }
  }

  private void onRemoval(int number) {
    tell(number, FlowColumns.isClosed(columns.state(number)) ? FlowEnd.END : ending);
  }

  private void tell(int number, FlowEnd end) {
    told++;
    sink.onFlow(record.at(number, end));
  }

  /** Flows that are open. */
  public int open() {
    return table.size();
  }

  /** Flows that the sink was told of, those that went on included. */
  public long told() {
    return told;
  }

  /** Flows that had to end because their room was wanted. */
  public long evicted() {
    return table.evicted();
  }

  /** Packets that flows have. */
  public long packets() {
    return packets;
  }

  /** Bytes of IP that flows have. */
  public long octets() {
    return octets;
  }

  /** Packets of no flow, since they are not IP. */
  public long otherPackets() {
    return otherPackets;
  }

  /** Packets of no flow, since their addresses or protocol cannot be read. */
  public long malformedPackets() {
    return malformedPackets;
  }
}
