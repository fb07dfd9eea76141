package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Extension;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Cuts IP packets that are longer than a link takes into fragments, behind up to two VLAN tags:
 * IPv4 as RFC 791, section 3.2 says; IPv6 as RFC 8200, section 4.5, which allows it to the source
 * of a packet only, so that it has to be asked for. Options of IPv4 that are not to be copied are
 * overwritten in all fragments but the first, as Linux does. What stands for several packets goes
 * on if these fit.
 *
 * <p>The last fragment is the packet itself, the others are new ones. If a buffer for one of them
 * is missing the packet is dropped; the receiver forgets those that have gone.
 *
 * <pre>
 * inputs      in
 * outputs     out: also everything that fits, and what is not IP
 *             toobig (may be left unconnected: such packets are dropped): packets that must not or
 *             cannot be cut, as they came, for IcmpError: with DF set, IPv6 unless asked for or
 *             already a fragment
 * parameters  mtuBytes: of the IP packet, 68 (RFC 791) to 65535; with ipv6 at least 1280 (RFC 8200)
 *             ipv6: whether IPv6 packets are cut, for a source. Fragment(mtuBytes) has false
 * drops       too_big: of toobig
 *             no_buffer: for a fragment
 *             truncated_payload and others of CheckIpv4 and CheckIpv6: too long, but not sound
 *             malformed: fragments of it would end beyond 65535
 * example     g.chain(frag.out("toobig"), g.add("tell", IcmpError.tooBig(1400, "192.0.2.1", "")), ...)
 * </pre>
 */
public record Fragment(int mtuBytes, boolean ipv6) implements Element {
  public static final DropReason TOO_BIG = DropReason.named("too_big");

  /** RFC 791, section 3.2. */
  private static final int MIN_MTU_BYTES = 68;

  /** What each link takes of IPv6: RFC 8200, section 5. */
  public static final int MIN_IPV6_MTU_BYTES = 1_280;

  static final int MAX_IP_BYTES = 65_535;

  public Fragment(int mtuBytes) {
    this(mtuBytes, false);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("toobig");
  }

  @Override
  public List<String> problems() {
    int min = ipv6 ? MIN_IPV6_MTU_BYTES : MIN_MTU_BYTES;
    return Parameters.check().range("mtuBytes", mtuBytes, min, MAX_IP_BYTES).problems();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Fragmenter(this, wiring));
  }

  /** On one worker. */
  private static final class Fragmenter implements BurstHandler, Consumer<Packet> {
    private final int mtuBytes;
    private final boolean cutsIpv6;
    private final Outlet out;
    private final Outlet tooBig;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Tcp tcp = new Tcp();
    private final Ipv4Cut ipv4Cut = new Ipv4Cut();
    private final Ipv6Cut ipv6Cut;
    private boolean isAnyLong;

    Fragmenter(Fragment fragment, Wiring wiring) {
      mtuBytes = fragment.mtuBytes;
      cutsIpv6 = fragment.ipv6;
      out = wiring.output("out");
      tooBig = wiring.output("toobig");
      ipv6Cut = new Ipv6Cut(new SplittableRandom(System.nanoTime() + wiring.worker()));
    }

    @Override
    public void onBurst(Burst burst) {
      isAnyLong = false;
      burst.forEach(this);
      if (!isAnyLong) {
        out.push(burst);
        return;
      }
      for (Packet packet : burst) {
        if (fits(packet.length())) {
          out.send(packet);
        } else {
          handle(packet);
        }
      }
    }

    /** Looks for packets that are too long. */
    @Override
    public void accept(Packet packet) {
      if (!fits(packet.length())) {
        isAnyLong = true;
      }
    }

    /** True only if the IP packet fits whatever is in front of it. */
    private boolean fits(int frameBytes) {
      return frameBytes <= mtuBytes + Ethernet.HEADER_BYTES;
    }

    private void handle(Packet packet) {
      boolean isSound = scanner.scan(packet);
      int l3 = scanner.l3Offset();
      if (!isSound) {
        packet.drop(DefectReasons.of(scanner));
        return;
      }
      if (packet.segmentBytes() > 0) {
        handleSegments(packet);
        return;
      }
      switch (scanner.ipVersion()) {
        case Ipv4.VERSION -> handle(packet, ipv4.wrap(packet, l3));
        case Ipv6.VERSION -> handle(packet, ipv6.wrap(packet, l3));
        default -> out.send(packet);
      }
    }

    /** Who transmits makes the packets that it stands for: those have to fit. */
    private void handleSegments(Packet packet) {
      int l4 = scanner.l4Offset();
      int l4HeaderBytes =
          scanner.ipProtocol() == IpProtocol.TCP
              ? tcp.wrap(packet, l4).dataOffset() * Integer.BYTES
              : Udp.HEADER_BYTES;
      if (l4 - scanner.l3Offset() + l4HeaderBytes + packet.segmentBytes() <= mtuBytes) {
        out.send(packet);
      } else {
        tooBig.send(packet, TOO_BIG);
      }
    }

    private void handle(Packet packet, Ipv4 header) {
      int l3 = scanner.l3Offset();
      int total = header.totalLength();
      if (l3 + total > packet.length()) {
        packet.drop(DefectReasons.of(HeaderDefect.TRUNCATED_PAYLOAD));
      } else if (total <= mtuBytes) {
        out.send(packet);
      } else if (header.dontFragment()) {
        tooBig.send(packet, TOO_BIG);
      } else if (8 * header.fragmentOffset() + total - header.headerBytes() > MAX_IP_BYTES) {
        packet.drop(DropReason.MALFORMED);
      } else {
        ipv4Cut.begin(packet, l3);
        cut(packet, ipv4Cut, l3 + total);
      }
    }

    private void handle(Packet packet, Ipv6 header) {
      int l3 = scanner.l3Offset();
      int total = Ipv6.HEADER_BYTES + header.payloadLength();
      if (l3 + total > packet.length()) {
        packet.drop(DefectReasons.of(HeaderDefect.TRUNCATED_PAYLOAD));
      } else if (total <= mtuBytes) {
        out.send(packet);
      } else if (!cutsIpv6 || scanner.isFragment() || !ipv6Cut.begin(packet, l3, mtuBytes)) {
        tooBig.send(packet, TOO_BIG);
      } else {
        cut(packet, ipv6Cut, l3 + total);
      }
    }

    /**
     * @param end of the IP packet: what is behind is padding
     */
    private void cut(Packet packet, IpCut cut, int end) {
      packet.completeChecksum();
      int from = cut.payloadOffset();
      int payload = end - from;
      int step = (mtuBytes - cut.headerBytes()) & -8;
      int last = (payload - 1) / step * step;
      for (int at = 0; at < last; at += step) {
        Packet fragment = out.create(cut.frameHeaderBytes() + step);
        if (fragment == null) {
          packet.drop(DropReason.NO_BUFFER);
          return;
        }
        fragment.set(cut.frameHeaderBytes(), packet, from + at, step);
        cut.writeHeader(fragment, at, step, true);
      }
      packet.shrinkTail(packet.length() - end);
      packet.shrinkHead(from + last - cut.frameHeaderBytes());
      cut.writeHeader(packet, last, payload - last, false);
      out.send(packet);
    }
  }

  /** The headers of the fragments of one packet. */
  private interface IpCut {
    /** Where in the packet the bytes begin that are spread over the fragments. */
    int payloadOffset();

    /** Bytes of the IP headers of each fragment. */
    int headerBytes();

    /** The same with what is before them. */
    int frameHeaderBytes();

    /**
     * Writes the headers of the fragment that has {@code count} bytes of payload from {@code
     * offset}.
     */
    void writeHeader(Packet fragment, int offset, int count, boolean isMore);
  }

  /** RFC 791, section 3.2. */
  private static final class Ipv4Cut implements IpCut {
    private static final int MAX_FRAME_HEADER_BYTES = 22 + 60;

    /** RFC 791, section 3.1: the copied flag of an option, and the option of one byte. */
    private static final int COPIED = 0x80;

    private static final byte NO_OPERATION = 1;

    private final byte[] header = new byte[MAX_FRAME_HEADER_BYTES];
    private final Ipv4 ipv4 = new Ipv4();
    private int l3;
    private int headerBytes;
    private int baseUnits;
    private boolean isMoreAfter;

    void begin(Packet packet, int l3Offset) {
      ipv4.wrap(packet, l3Offset);
      l3 = l3Offset;
      headerBytes = ipv4.headerBytes();
      baseUnits = ipv4.fragmentOffset();
      isMoreAfter = ipv4.moreFragments();
      packet.get(0, header, 0, frameHeaderBytes());
    }

    @Override
    public int payloadOffset() {
      return frameHeaderBytes();
    }

    @Override
    public int headerBytes() {
      return headerBytes;
    }

    @Override
    public int frameHeaderBytes() {
      return l3 + headerBytes;
    }

    @Override
    public void writeHeader(Packet fragment, int offset, int count, boolean isMore) {
      fragment.set(0, header, 0, frameHeaderBytes());
      ipv4.wrap(fragment, l3)
          .totalLength(headerBytes + count)
          .fragmentOffset(baseUnits + offset / 8)
          .moreFragments(isMore || isMoreAfter);
      InternetChecksum.writeIpv4Header(fragment, l3);
      if (offset == 0) {
        blankUncopiedOptions();
      }
    }

    /** Of the header that the next fragments get. */
    private void blankUncopiedOptions() {
      int at = l3 + Ipv4.HEADER_BYTES;
      int end = frameHeaderBytes();
      while (at < end && header[at] != 0) {
        int length = header[at] == NO_OPERATION || at + 1 == end ? 1 : header[at + 1] & 0xFF;
        int next = Math.min(end, at + Math.max(1, length));
        if ((header[at] & COPIED) == 0) {
          Arrays.fill(header, at, next, NO_OPERATION);
        }
        at = next;
      }
    }
  }

  /** RFC 8200, section 4.5. */
  private static final class Ipv6Cut implements IpCut {
    private static final int MAX_FRAME_HEADER_BYTES = 1_024;

    private final byte[] header = new byte[MAX_FRAME_HEADER_BYTES];
    private final SplittableRandom identifications;
    private final UnfragmentablePart part = new UnfragmentablePart();
    private final Ipv6 ipv6 = new Ipv6();
    private int l3;
    private int identification;

    Ipv6Cut(SplittableRandom identifications) {
      this.identifications = identifications;
    }

    /** Whether the packet can be cut. */
    boolean begin(Packet packet, int l3Offset, int mtuBytes) {
      l3 = l3Offset;
      if (!part.find(packet, l3Offset)
          || frameHeaderBytes() > MAX_FRAME_HEADER_BYTES
          || mtuBytes - headerBytes() < Ipv6Extension.HEADER_BYTES) {
        return false;
      }
      // RFC 7739: not to be guessed from others.
      identification = identifications.nextInt();
      packet.get(0, header, 0, part.end());
      header[part.end()] = header[part.nextHeaderOffset()];
      header[part.end() + 1] = 0;
      header[part.nextHeaderOffset()] = IpProtocol.IPV6_FRAG;
      return true;
    }

    @Override
    public int payloadOffset() {
      return part.end();
    }

    @Override
    public int headerBytes() {
      return frameHeaderBytes() - l3;
    }

    @Override
    public int frameHeaderBytes() {
      return part.end() + Ipv6Extension.HEADER_BYTES;
    }

    @Override
    public void writeHeader(Packet fragment, int offset, int count, boolean isMore) {
      fragment.set(0, header, 0, part.end() + 2);
      fragment.u16(part.end() + 2, offset | (isMore ? 1 : 0));
      fragment.i32(part.end() + 4, identification);
      ipv6.wrap(fragment, l3).payloadLength(headerBytes() - Ipv6.HEADER_BYTES + count);
    }
  }
}
