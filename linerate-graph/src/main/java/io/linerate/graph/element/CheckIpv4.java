package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.EtherType;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes on sound IPv4 packets, behind up to two VLAN tags: what a router checks before it forwards
 * one, RFC 1812, sections 4.2.2.5, 5.2.2 and 5.3.7. Padding behind the packet stays.
 *
 * <pre>
 * inputs      in
 * outputs     out; bad (may be left unconnected: bad packets are dropped)
 * parameters  own: addresses of the router itself, from which nobody else sends; without it none
 * drops       not_ipv4: another ether type, or no whole Ethernet header
 *             truncated_ip, bad_ip_version, bad_header_length, bad_total_length: header
 *             truncated_payload: fewer bytes than the total length claims
 *             bad_ip_checksum: header checksum, as the device found it where it says so
 *             bad_source: a source that no host may have: 0.0.0.0/8 other than 0.0.0.0,
 *             127.0.0.0/8, 224.0.0.0/4, 255.255.255.255, or one of its own
 * example     g.chain(kind.out("ip"), g.add("sound", new CheckIpv4()), ...)
 * </pre>
 */
public record CheckIpv4(List<String> own) implements Element {
  public static final DropReason NOT_IPV4 = DropReason.named("not_ipv4");
  public static final DropReason BAD_IP_CHECKSUM = DropReason.named("bad_ip_checksum");
  public static final DropReason BAD_SOURCE = DropReason.named("bad_source");

  public CheckIpv4() {
    this(List.of());
  }

  public CheckIpv4 {
    own = List.copyOf(own);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("bad");
  }

  @Override
  public List<String> problems() {
    Parameters parameters = Parameters.check();
    own.forEach(text -> parameters.parses("own", text, Ipv4Address::parse));
    return parameters.problems();
  }

  @Override
  public void open(Wiring wiring) {
    DefectReasons.sort(wiring, new Check(AddressSet.of(own))::defect);
  }

  /** On one worker. */
  private static final class Check {
    private final AddressSet own;
    private static final int BROADCAST = Ipv4Address.parse("255.255.255.255");

    private final HeaderScanner scanner = new HeaderScanner();
    private final Ipv4 ipv4 = new Ipv4();

    Check(AddressSet own) {
      this.own = own;
    }

    @Nullable DropReason defect(Packet packet) {
      boolean isSound = scanner.scan(packet);
      if (scanner.etherType() != EtherType.IPV4) {
        return NOT_IPV4;
      }
      if (!isSound) {
        return DefectReasons.of(scanner);
      }
      ipv4.wrap(packet, scanner.l3Offset());
      // The scanner names the first defect only, and that of the upper layer comes later.
      if (scanner.l3Offset() + ipv4.totalLength() > packet.length()) {
        return DefectReasons.of(HeaderDefect.TRUNCATED_PAYLOAD);
      }
      if (!isSummed(packet)) {
        return BAD_IP_CHECKSUM;
      }
      return isPossibleSource(ipv4.source()) && !own.contains(ipv4.source()) ? null : BAD_SOURCE;
    }

    /** What the device has found is not computed again. */
    private boolean isSummed(Packet packet) {
      return switch (packet.ipChecksumState()) {
        case GOOD -> true;
        case BAD -> false;
        default -> InternetChecksum.verifyIpv4Header(packet, scanner.l3Offset());
      };
    }

    /** RFC 1122, section 3.2.1.3. Class E is left in peace. */
    private static boolean isPossibleSource(int address) {
      int first = address >>> 24;
      return (first != 0 || address == 0)
          && first != 127
          && first >>> 4 != 14
          && address != BROADCAST;
    }
  }
}
