package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.LinkHeader;
import org.jspecify.annotations.Nullable;

/**
 * Makes each packet an Ethernet frame, whichever link type it has: raw IP, Linux cooked, PPP, IEEE
 * 802.11 and others. The header that it begins with is replaced by one of Ethernet with the same
 * ether type; addresses that it has are kept, others are 0. {@link LinkHeader} lists what is known.
 * Ethernet frames pass as they are.
 *
 * <p>The header goes into the room of the old one and before it. Where that is too small the packet
 * is copied into a new buffer, and the old one dropped as {@code copied}.
 *
 * <pre>
 * inputs      in
 * outputs     out; other (may be left unconnected: packets without an ether type are dropped)
 * drops       truncated_link: the packet ends within its header
 *             no_ether_type: it has none, or is of a link type that is not known
 *             copied: its copy went on; no_buffer: there was none for it
 * example     g.chain(g.add("in", new FromPort("file")), g.add("frames", new ToEthernet()), ...)
 * </pre>
 */
public record ToEthernet() implements Element {
  public static final DropReason NO_ETHER_TYPE = DropReason.named("no_ether_type");
  public static final DropReason TRUNCATED_LINK = DefectReasons.of(HeaderDefect.TRUNCATED_LINK);

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("other").links(Shape.Links.TO_ETHERNET);
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Converter(wiring.output("out"), wiring.output("other")));
  }

  /** On one worker. */
  private static final class Converter implements BurstHandler {
    private final Outlet out;
    private final Outlet other;
    private final LinkHeader header = new LinkHeader();
    private final Ethernet ethernet = new Ethernet();

    Converter(Outlet out, Outlet other) {
      this.out = out;
      this.other = other;
    }

    /** One by one, so that copies keep their place among the others. */
    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        if (packet.linkType().isEthernet()) {
          out.send(packet);
        } else if (!header.read(packet)) {
          packet.drop(TRUNCATED_LINK);
        } else if (header.etherType() == LinkHeader.NONE) {
          other.send(packet, NO_ETHER_TYPE);
        } else {
          convert(packet);
        }
      }
    }

    private void convert(Packet packet) {
      int more = Ethernet.HEADER_BYTES - header.payloadOffset();
      if (more > packet.headroomBytes()) {
        copy(packet);
        return;
      }
      if (more > 0) {
        packet.growHead(more);
      } else {
        packet.shrinkHead(-more);
      }
      finish(packet);
      out.send(packet);
    }

    private void copy(Packet packet) {
      int bytes = packet.length() - header.payloadOffset();
      @Nullable Packet frame = out.create(Ethernet.HEADER_BYTES + bytes);
      if (frame == null) {
        packet.drop(DropReason.NO_BUFFER);
        return;
      }
      frame.set(Ethernet.HEADER_BYTES, packet, header.payloadOffset(), bytes);
      finish(frame);
      packet.drop(VlanPush.COPIED);
    }

    private void finish(Packet frame) {
      ethernet
          .wrap(frame, 0)
          .destination(header.destination())
          .source(header.source())
          .etherType(header.etherType());
      frame.linkType(LinkType.ETHERNET);
    }
  }
}
