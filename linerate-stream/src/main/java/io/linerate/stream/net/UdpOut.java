package io.linerate.stream.net;

import static io.linerate.core.driver.NativeMemory.ALL;

import io.linerate.core.driver.RangeOperation;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import io.linerate.stream.Bytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends each token as a datagram of UDP: whoever listens there gets it, if the network brings it.
 * {@link StreamOut} has what is more.
 *
 * <pre>
 * inputs      in: Bytes
 * outputs     out: frames whose Ethernet addresses are 0: those of a Link, SetEthernet
 * parameters  from, to: addresses with ports, such as 192.0.2.1:514
 *             codec: what is done to payloads, which UdpIn undoes: PayloadCodec.plain()
 * drops       too_long: tokens that no datagram holds; no_buffer: for which there was none
 * reads       sent
 * example     g.add("out", new UdpOut("192.0.2.1:5000", "192.0.2.2:5000", PayloadCodec.plain()))
 * </pre>
 */
public record UdpOut(String from, String to, PayloadCodec codec) implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", TokenType.of(Bytes.class)).output("out");
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    Problems.parse(problems, "from", from, UdpAddress::parse);
    Problems.parse(problems, "to", to, UdpAddress::parse);
    if (problems.isEmpty() && UdpAddress.parse(from).isIpv6() != UdpAddress.parse(to).isIpv6()) {
      problems.add(
          "addresses are of two versions: from=%s, to=%s; write two of IPv4 or of IPv6"
              .formatted(from, to));
    }
    return problems;
  }

  @Override
  public void open(Wiring wiring) {
    Sender sender = new Sender(this, wiring);
    wiring.leavesChecksums();
    wiring.objects("in", Bytes.class, sender::send);
    wiring.count("sent", () -> sender.sent);
    wiring.onClose(sender.work);
  }

  /** On one worker. */
  private static final class Sender implements RangeOperation {
    private final Wiring wiring;
    private final Outlet out;
    private final UdpDatagrams datagrams;
    private final UdpPath path;
    private final PayloadWork work;
    private final int mostBytes;
    private final int addedBytes;
    private final int payloadAt;

    /** For packets of several segments. */
    private final MemorySegment apart = Arena.ofAuto().allocate(1 << 16, Long.BYTES);

    // Of the token that is sent.
    private MemorySegment source = MemorySegment.NULL;
    private long sourceAt;
    private int sourceBytes;
    private long sent;

    Sender(UdpOut element, Wiring wiring) {
      this.wiring = wiring;
      UdpAddress own = UdpAddress.parse(element.from);
      UdpAddress peer = UdpAddress.parse(element.to);
      path =
          new UdpPath(
              own.isIpv6(),
              own.high(),
              own.low(),
              own.port(),
              peer.high(),
              peer.low(),
              peer.port());
      out = wiring.output("out");
      datagrams = new UdpDatagrams(out);
      work = element.codec.open();
      addedBytes = element.codec.mostAddedBytes();
      payloadAt = UdpDatagrams.payloadAt(path);
      mostBytes = UdpDatagrams.MOST_IP_BYTES - path.headerBytes() - addedBytes;
    }

    void send(Bytes token) {
      int bytes = token.length();
      if (bytes > mostBytes) {
        wiring.dropToken(StreamOut.TOO_LONG);
        return;
      }
      int room = bytes + addedBytes;
      Packet packet = out.create(payloadAt + room);
      if (packet == null) {
        wiring.dropToken(DropReason.NO_BUFFER);
        return;
      }
      source = token.segment();
      sourceAt = token.offset();
      sourceBytes = bytes;
      int written = write(packet, room);
      if (written < room) {
        packet.shrinkTail(room - written);
      }
      datagrams.writeHeaders(packet, path);
      sent++;
    }

    private int write(Packet packet, int room) {
      if (packet.isInOneSegment(payloadAt, room)) {
        return packet.apply(payloadAt, room, this);
      }
      int written = work.write(source, sourceAt, sourceBytes, apart, 0);
      packet.set(payloadAt, apart, 0, written);
      return written;
    }

    @Override
    public int apply(long address, int bytes) {
      return work.write(source, sourceAt, sourceBytes, ALL, address);
    }
  }
}
