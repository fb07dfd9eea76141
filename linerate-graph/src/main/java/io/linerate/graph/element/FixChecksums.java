package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Wiring;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.SourceRoute;
import io.linerate.wire.Udp;

/**
 * Writes the checksums anew: of the IPv4 header (RFC 791), TCP (RFC 9293), UDP (RFC 768), ICMP (RFC
 * 792) and ICMPv6 (RFC 4443), for packets that were changed, or that a kernel left to its card.
 *
 * <p>Where all ports that the program sends to finish TCP and UDP checksums, in a device or in the
 * kernel, they are left to them, whichever way the packets take: elements behind this one see
 * fields without meaning then ({@code Packet.checksumState}). ICMP and IPv4 headers are summed
 * here, and so is all in a graph that a running program is given later, if it left nothing before.
 *
 * <p>A UDP checksum of 0 over IPv4 means that the sender made none, and stays. Everything goes on;
 * what has no such header, as it came.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * drops       none
 * reads       unsummed: packets of these protocols whose checksum beyond the IP header cannot be
 *             told and was left: fragments, packets cut off, lengths that contradict each other,
 *             source routes that are not used up (RFC 8200, section 8.1)
 *             left: packets whose TCP or UDP checksum was left to who transmits
 * example     g.add("sums", new FixChecksums())
 * </pre>
 */
public record FixChecksums() implements Element {
  @Override
  public void open(Wiring wiring) {
    Fixer fixer = new Fixer();
    wiring.each("in", fixer::handle, wiring.output("out"));
    wiring.count("unsummed", () -> fixer.unsummed);
    wiring.count("left", () -> fixer.left);
    wiring.leavesChecksums();
  }

  /** On one worker. */
  private static final class Fixer {
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ipv4 ipv4 = new Ipv4();
    private final Udp udp = new Udp();
    private long unsummed;
    private long left;

    void handle(Packet packet) {
      if (scanner.scan(packet) && scanner.ipVersion() != 0) {
        fix(packet);
      }
    }

    private void fix(Packet packet) {
      if (scanner.ipVersion() == Ipv4.VERSION) {
        InternetChecksum.writeIpv4Header(packet, scanner.l3Offset());
      }
      if (isSummed(scanner.ipProtocol()) && !(isWhole(packet) && fixUpperLayer(packet))) {
        unsummed++;
      }
    }

    private static boolean isSummed(int protocol) {
      return switch (protocol) {
        case IpProtocol.TCP, IpProtocol.UDP, IpProtocol.ICMP, IpProtocol.ICMPV6 -> true;
        default -> false;
      };
    }

    private boolean isWhole(Packet packet) {
      if (scanner.isFragment() || !scanner.l4Fits() || isCoveredElsewhere(packet)) {
        return false;
      }
      int l3 = scanner.l3Offset();
      return scanner.ipVersion() == Ipv4.VERSION
          ? l3 + ipv4.wrap(packet, l3).totalLength() <= packet.length()
          : scanner.defect() == HeaderDefect.NONE;
    }

    /** Whether the checksum covers another destination than that of the IP header. */
    private boolean isCoveredElsewhere(Packet packet) {
      return scanner.ipProtocol() != IpProtocol.ICMP && SourceRoute.isAhead(packet, scanner);
    }

    private boolean fixUpperLayer(Packet packet) {
      if (scanner.ipProtocol() == IpProtocol.UDP) {
        return fixUdp(packet, scanner.l3Offset(), scanner.l4Offset(), scanner.l4Bytes());
      }
      if (scanner.ipProtocol() != IpProtocol.TCP || !leave(packet)) {
        InternetChecksum.write(packet, scanner);
      }
      return true;
    }

    private boolean leave(Packet packet) {
      boolean isLeft = packet.leaveChecksum();
      left += isLeft ? 1 : 0;
      return isLeft;
    }

    private boolean fixUdp(Packet packet, int l3, int l4, int bytes) {
      udp.wrap(packet, l4);
      int udpBytes = udp.length();
      if (udpBytes < Udp.HEADER_BYTES || udpBytes > bytes) {
        return false;
      }
      boolean isWanted = scanner.ipVersion() != Ipv4.VERSION || udp.checksum() != 0;
      if (isWanted && !(udpBytes == bytes && leave(packet))) {
        InternetChecksum.writeUdp(packet, l3, l4, udpBytes);
      }
      return true;
    }
  }
}
